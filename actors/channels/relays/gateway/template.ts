// Texts with placeholders in a gateway's request: Liquid's output tags over a few known values, and
// none of its control tags. What a value may do to the request around it is `request.ts`'s matter.

import { createHash, createHmac } from 'node:crypto';

/** What placeholders print. Absent ones print nothing; `credentials.…` are the tenant's. */
export interface TemplateValues {
  /** By name without `credentials.`. */
  readonly named: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly credentials: Readonly<Record<string, string>>;
}

export type Template = readonly (string | Placeholder)[];

interface Placeholder {
  readonly value: Reference;
  readonly filters: readonly { readonly name: FilterName; readonly argument?: Reference }[];
}

type Reference = { readonly name: string } | { readonly text: string };

/** The values of a message, besides `credentials.…`. */
const templateNames = [
  'to',
  'from',
  'text',
  /** Names send and device; reports that echo it need nothing else. */
  'id',
  /** The same as a UUID, equal at every try: for idempotency keys. */
  'uuid',
  /** Of a call: the tag of its language, and the gateway's name of a voice; absent without one. */
  'language',
  'voice',
  /** Whether the text needs UCS-2. */
  'unicode',
  /** The gateway's word for the text's alphabet: `encoding` of the configuration. */
  'encoding',
  'segments',
  /** How long the message is worth sending; absent without an end. */
  'ttl_seconds',
  'ttl_ms',
  /** Where reports go; absent if the gateway could not reach this server. */
  'callback_url',
  /** The gateway's id of the message: where it is asked about one. */
  'message_id',
] as const;

const placeholdersMax = 20;
const filtersMax = 5;

type Filter = (input: string, argument: string) => string;
const filters = {
  append: (input, argument) => input + argument,
  prepend: (input, argument) => argument + input,
  remove_first: (input, argument) => input.replace(argument, ''),
  upcase: (input) => input.toUpperCase(),
  downcase: (input) => input.toLowerCase(),
  base64_encode: (input) => Buffer.from(input).toString('base64'),
  md5: (input) => createHash('md5').update(input).digest('hex'),
  sha256: (input) => createHash('sha256').update(input).digest('hex'),
  hmac_sha256: (input, argument) => createHmac('sha256', argument).update(input).digest('hex'),
} as const satisfies Readonly<Record<string, Filter>>;
type FilterName = keyof typeof filters;
const withArgument: ReadonlySet<string> = new Set([
  'append',
  'prepend',
  'remove_first',
  'hmac_sha256',
]);

/** The parts of a text, or what is wrong with it. */
export function parseTemplate(source: string): Template | { readonly problem: string } {
  if (source.includes('{%')) return { problem: 'must not contain tags, only {{ placeholders }}' };
  const parts: (string | Placeholder)[] = [];
  let count = 0;
  let rest = source;
  for (;;) {
    const start = rest.indexOf('{{');
    if (start < 0) break;
    const end = rest.indexOf('}}', start);
    if (end < 0) return { problem: 'has a {{ without its }}' };
    if (++count > placeholdersMax) return { problem: `has over ${placeholdersMax} placeholders` };
    const placeholder = parsePlaceholder(rest.slice(start + 2, end));
    if ('problem' in placeholder) return placeholder;
    if (start > 0) parts.push(rest.slice(0, start));
    parts.push(placeholder);
    rest = rest.slice(end + 2);
  }
  if (rest !== '' || parts.length === 0) parts.push(rest);
  return parts;
}

function parsePlaceholder(inside: string): Placeholder | { readonly problem: string } {
  const [first = '', ...calls] = splitFilters(inside);
  const value = reference(first);
  if (value === undefined || 'text' in value)
    return { problem: `{{ ${first.trim()} }} is unknown; there are ${knownNames}` };
  if (calls.length > filtersMax) return { problem: `has over ${filtersMax} filters in one place` };
  const parsed: { name: FilterName; argument?: Reference }[] = [];
  for (const call of calls) {
    const [, name = '', written] = /^\s*(\w+)\s*(?::(.*))?$/s.exec(call) ?? [];
    if (!isFilter(name))
      return {
        problem: `| ${call.trim()} is unknown; there are ${Object.keys(filters).join(', ')}`,
      };
    const argument = written === undefined ? undefined : reference(written);
    if (withArgument.has(name) !== (argument !== undefined))
      return { problem: `| ${name} ${withArgument.has(name) ? 'needs a' : 'takes no'} value` };
    parsed.push({ name, ...(argument === undefined ? {} : { argument }) });
  }
  return { value, filters: parsed };
}

const knownNames = `${templateNames.join(', ')} and credentials.…`;

function isFilter(name: string): name is FilterName {
  return Object.hasOwn(filters, name);
}

/** At each `|` outside quotes. */
function splitFilters(inside: string): string[] {
  return inside.match(/(?:'[^']*'|"[^"]*"|[^|'"]|['"])+/g) ?? [];
}

function reference(written: string): Reference | undefined {
  const text = written.trim();
  const quoted = /^(?:'([^']*)'|"([^"]*)")$/.exec(text);
  if (quoted !== null) return { text: quoted[1] ?? quoted[2] ?? '' };
  if (/^credentials\.[a-zA-Z][a-zA-Z0-9_]{0,39}$/.test(text)) return { name: text };
  return (templateNames as readonly string[]).includes(text) ? { name: text } : undefined;
}

/** The names in a template: `to`, `credentials.key`. */
export function namesIn(template: Template): readonly string[] {
  return template.flatMap((part) => {
    if (typeof part === 'string') return [];
    const read = [part.value, ...part.filters.map(({ argument }) => argument)];
    return read.flatMap((one) => (one !== undefined && 'name' in one ? [one.name] : []));
  });
}

/** The text; each value passes `encode` after its filters. */
export function fill(
  template: Template,
  values: TemplateValues,
  encode: (value: string) => string = (value) => value,
): string {
  let text = '';
  for (const part of template)
    text += typeof part === 'string' ? part : encode(String(printed(part, values) ?? ''));
  return text;
}

/** The value of a template that is one placeholder alone: its type survives, and its absence. */
export function soleValue(
  template: Template,
  values: TemplateValues,
): { readonly value: string | number | boolean | undefined } | undefined {
  const [part] = template;
  if (template.length !== 1 || part === undefined || typeof part === 'string') return undefined;
  return { value: printed(part, values) };
}

function printed(part: Placeholder, values: TemplateValues): string | number | boolean | undefined {
  let value = read(part.value, values);
  for (const { name, argument } of part.filters) {
    if (value === undefined) return undefined;
    const given = argument === undefined ? '' : String(read(argument, values) ?? '');
    value = (filters[name] as Filter)(String(value), given);
  }
  return value;
}

function read(
  one: Reference,
  { named, credentials }: TemplateValues,
): string | number | boolean | undefined {
  if ('text' in one) return one.text;
  const [head = '', member] = one.name.split('.');
  const from: Readonly<Record<string, string | number | boolean | undefined>> =
    member === undefined ? named : credentials;
  const name = member ?? head;
  return Object.hasOwn(from, name) ? from[name] : undefined;
}
