// What can be typed next in a Liquid template: tags of people and variables in outputs, filters
// behind a bar, tags of Liquid behind `{%`. Pure; the editor only shows it.

interface Completion {
  readonly label: string;
  readonly kind: 'tag' | 'variable' | 'filter' | 'keyword' | 'snippet';
  /** At the end of its row: how many people have the tag. */
  readonly detail?: string;
  /** Put in place of the label. */
  readonly apply?: string;
}

interface Completions {
  /** Where what they replace begins. */
  readonly from: number;
  readonly options: readonly Completion[];
}

/** A name that templates can read. */
export interface TemplateName {
  readonly name: string;
  readonly detail?: string;
}

export const liquidFilters = [
  ...['abs', 'append', 'array_to_sentence_string', 'at_least', 'at_most', 'capitalize', 'ceil'],
  ...['compact', 'concat', 'date', 'default', 'divided_by', 'downcase', 'escape', 'escape_once'],
  ...['first', 'floor', 'join', 'json', 'last', 'lstrip', 'map', 'minus', 'modulo'],
  ...['newline_to_br', 'plus', 'prepend', 'remove', 'remove_first', 'remove_last', 'replace'],
  ...['replace_first', 'replace_last', 'reverse', 'round', 'rstrip', 'size', 'slice', 'sort'],
  ...['sort_natural', 'split', 'squish', 'strip', 'strip_html', 'strip_newlines', 'sum', 'times'],
  ...['truncate', 'truncatewords', 'uniq', 'upcase', 'url_decode', 'url_encode', 'where'],
] as const;

const blockTags = ['if', 'unless', 'case', 'for', 'capture', 'comment', 'raw'] as const;
const plainTags = [
  'else',
  'elsif',
  'when',
  'assign',
  'cycle',
  'echo',
  'break',
  'continue',
] as const;
const ends = blockTags.map((tag) => `end${tag}`);

const builtIn: readonly TemplateName[] = [
  { name: 'subscriber.externalUserId' },
  { name: 'subscriber.timezone' },
  { name: 'subscriber.id' },
  { name: 'app.name' },
];

/** For the text before the cursor; `undefined` where nothing fits. */
export function completionsAt(
  before: string,
  names: readonly TemplateName[],
): Completions | undefined {
  const open = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (open < 0 || /\}\}|%\}/.test(before.slice(open))) return afterBrace(before, names);
  const inside = before.slice(open + 2);
  const word = /[\p{L}\p{N}_.-]*$/u.exec(inside)?.[0] ?? '';
  const from = before.length - word.length;
  const lead = inside.slice(0, inside.length - word.length).replace(/^-/, '');
  if (/\|\s*$/.test(lead)) return { from, options: liquidFilters.map(filterOf) };
  if (isInString(lead) || /\|\s*\w+\s*$/.test(lead)) return undefined;
  if (before[open + 1] === '%' && lead.trim() === '') return { from, options: tagOptions };
  return { from, options: [...names, ...builtIn].map(nameOf) };
}

/** A single `{` offers whole outputs, so that nobody has to know the second brace. */
function afterBrace(before: string, names: readonly TemplateName[]): Completions | undefined {
  if (!before.endsWith('{')) return undefined;
  const outputs = [...names, ...builtIn].map((one): Completion => {
    const text = `{{ ${one.name} }}`;
    return { ...nameOf(one), label: text, apply: text };
  });
  return { from: before.length - 1, options: outputs };
}

const tagOptions: readonly Completion[] = [
  ...blockTags.map((label): Completion => ({ label, kind: 'keyword' })),
  ...plainTags.map((label): Completion => ({ label, kind: 'keyword' })),
  ...ends.map((label): Completion => ({ label, kind: 'keyword' })),
];

function filterOf(label: string): Completion {
  return { label, kind: 'filter' };
}

function nameOf({ name, detail }: TemplateName): Completion {
  const kind = detail === undefined ? 'variable' : 'tag';
  return { label: name, kind, ...(detail === undefined ? {} : { detail }) };
}

/** An odd number of quotes: what is typed is a text. */
function isInString(lead: string): boolean {
  const bare = lead.replace(/"[^"]*"|'[^']*'/g, '');
  return /["']/.test(bare);
}
