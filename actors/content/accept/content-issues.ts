// Every problem of content that is being written, with its place, and the content without the parts
// that have one, so that a preview shows the rest. The rules are those of saving and of the strict
// lane; nothing is checked twice in other words.

import { languageKey } from '../../channels/words/language-tag.ts';
import type { RenderContext } from '../liquid/context.ts';
import { isHtml } from '../liquid/html-text.ts';
import type { LiquidProblem } from '../liquid/liquid-engine.ts';
import type { Escape } from '../liquid/liquid-filters.ts';
import { compile, type RenderOptions, render } from '../liquid/render.ts';
import { RenderBudget } from '../liquid/render-budget.ts';
import { usedNames } from '../liquid/used-names.ts';
import { contentLimits } from '../shape/content-limits.ts';
import { deliveryOptionKeys } from '../shape/delivery-options.ts';
import { isTemplate } from '../shape/is-template.ts';
import type { ContentInput, ContentIssue, MessageContent } from '../shape/message-schema.ts';
import { acceptContent } from './accept-content.ts';

interface Inspected {
  readonly content: MessageContent;
  readonly issues: readonly ContentIssue[];
  /** Sorted, each once. */
  readonly usesVariables: readonly string[];
}

/** Whose names are known, and their rendering without its budget; no warnings without it. */
interface WarningsFor {
  readonly context: RenderContext;
  readonly options: Omit<RenderOptions, 'mode' | 'budget'>;
}

type LocalizedInput = Pick<ContentInput, 'title' | 'body' | 'image' | 'deepLink' | 'buttons'>;

interface Text {
  readonly field: string;
  readonly source: string;
  readonly escaping: Escape;
}

const issuesMax = 100;
const issuesOfTextMax = 20;
const variablesShownMax = 200;
/** Each problem parses its text again. */
const parsedCharsMax = 4_194_304;

interface Search {
  readonly budget: RenderBudget;
  charactersLeft: number;
  readonly names: Set<string>;
}

/** At most 100 issues, 20 of one text. */
export function inspectContent(input: ContentInput, person?: WarningsFor): Inspected {
  const { content, faults } = withoutFaulty(input);
  const names = new Set<string>();
  const search: Search = { budget: new RenderBudget(), charactersLeft: parsedCharsMax, names };
  const issues: ContentIssue[] = [];
  for (const text of textsOf(input)) {
    if (issues.length >= issuesMax) break;
    issues.push(...issuesOfText(text, person, search));
  }
  const isTold = new Set(issues.filter(({ level }) => level === 'error').map(({ field }) => field));
  const others = faults.filter(({ field }) => !isTold.has(field));
  return {
    content,
    issues: [...issues, ...others].slice(0, issuesMax),
    usesVariables: [...names].sort().slice(0, variablesShownMax),
  };
}

/** What can be saved of it, and the first problem of each part that was left out. */
function withoutFaulty(input: ContentInput): {
  readonly content: MessageContent;
  readonly faults: readonly ContentIssue[];
} {
  const faults: ContentIssue[] = [];
  const rest = new Remainder(input);
  for (let i = 0; i < issuesMax; i++) {
    const accepted = acceptContent(rest.content, 'marketing');
    if ('content' in accepted) return { content: accepted.content, faults };
    const { field = '', message } = accepted.fault;
    const prefix = `${field}: `;
    const error = message.startsWith(prefix) ? message.slice(prefix.length) : message;
    faults.push({ level: 'error', field: rest.remove(field), error });
  }
  return { content: {}, faults };
}

type Members = Record<string, unknown>;

/** Content from which parts are taken by the name of a field, first the smallest that has it. */
class Remainder {
  readonly #content: Members;
  /** Where the buttons of a list stood as written, by the field of the list. */
  readonly #places = new Map<string, number[]>();

  constructor(input: ContentInput) {
    this.#content = structuredClone(input) as Members;
  }

  get content(): ContentInput {
    return this.#content as ContentInput;
  }

  /** Returns the field as it was written. */
  remove(field: string): string {
    const [member = '', ...path] = field.split(/[.[]/);
    const inside = this.#content[member];
    if (typeof inside !== 'object' || inside === null || path.length === 0) {
      delete this.#content[member];
      return field;
    }
    if (member === 'buttons') return this.#removeButton(this.#content, '', field);
    if (member !== 'localizations') return this.#removeKey(inside as Members, member, field);
    return this.#removeLocalized(inside as Members, field);
  }

  #removeLocalized(languages: Members, field: string): string {
    const after = field.slice('localizations.'.length);
    const found = languageNamed(languages, after);
    if (found === undefined) {
      delete this.#content['localizations'];
      return field;
    }
    const { tag, rest: own } = found;
    const variant = languages[tag] as Members;
    const written = `localizations.${tag}${own === '' ? '' : `.${own}`}`;
    const [member = ''] = own.split(/[.[]/);
    if (member === '') delete languages[tag];
    else if (member === 'buttons' && own !== member)
      return this.#removeButton(variant, `localizations.${tag}.`, written);
    else delete variant[member];
    return written;
  }

  /** Of a map: the key that begins the rest of the field, or the whole map. */
  #removeKey(map: Members, member: string, field: string): string {
    const after = field.slice(member.length + 1);
    const key = Object.keys(map).find(
      (one) => one === after || after.startsWith(`${one}.`) || after.startsWith(`${one}[`),
    );
    if (key === undefined) delete this.#content[member];
    else delete map[key];
    return field;
  }

  #removeButton(owner: Members, prefix: string, field: string): string {
    const list = owner['buttons'] as unknown[];
    const [, digits = '', rest = ''] = /buttons\[(\d+)\](.*)$/.exec(field) ?? [];
    const index = Number(digits);
    if (digits === '' || index >= list.length) {
      delete owner['buttons'];
      return field;
    }
    const places = this.#places.get(prefix) ?? list.map((_, place) => place);
    const [place = index] = places.splice(index, 1);
    this.#places.set(prefix, places);
    owner['buttons'] = list.filter((_, at) => at !== index);
    return `${prefix}buttons[${place}]${rest}`;
  }
}

/** The language that a fault means, which it names as written or in its canonical form. */
function languageNamed(
  languages: Members,
  text: string,
): { readonly tag: string; readonly rest: string } | undefined {
  for (const tag of Object.keys(languages))
    for (const name of [tag, languageKey(tag)])
      if (text === name || text.startsWith(`${name}.`))
        return { tag, rest: text.slice((name as string).length + 1) };
  return undefined;
}

/** Every text that may use Liquid, in the order of the fields. */
function* textsOf(input: ContentInput): Generator<Text> {
  yield* localizedTexts(input, '');
  for (const key of deliveryOptionKeys) yield* textsIn(input[key], key);
  yield* textsIn(input.data, 'data');
  yield* textsIn(input.payload, 'payload');
  for (const [tag, variant] of Object.entries(input.localizations ?? {}))
    yield* localizedTexts(variant, `localizations.${tag}.`);
}

function* localizedTexts(
  { title, body, image, deepLink, buttons }: LocalizedInput,
  prefix: string,
): Generator<Text> {
  yield* textsIn(title, `${prefix}title`);
  if (body !== undefined && isTemplate(body))
    yield { field: `${prefix}body`, source: body, escaping: isHtml(body) ? 'html' : 'none' };
  yield* textsIn(image, `${prefix}image`);
  yield* textsIn(deepLink, `${prefix}deepLink`);
  yield* textsIn(buttons, `${prefix}buttons`);
}

function* textsIn(value: unknown, field: string, depth = 0): Generator<Text> {
  if (typeof value === 'string') {
    if (isTemplate(value)) yield { field, source: value, escaping: 'none' };
    return;
  }
  if (typeof value !== 'object' || value === null || depth > contentLimits.payloadDepthMax) return;
  for (const [key, item] of Object.entries(value))
    yield* textsIn(item, Array.isArray(value) ? `${field}[${key}]` : `${field}.${key}`, depth + 1);
}

/**
 * Blanks each part that has a problem and looks again, so that the first one does not hide the
 * rest. A block that is not closed, and anything without a place, ends the search.
 */
function issuesOfText(
  { field, source, escaping }: Text,
  person: WarningsFor | undefined,
  search: Search,
): ContentIssue[] {
  const issues: ContentIssue[] = [];
  let text: string | undefined = source;
  let named = false;
  while (text !== undefined && issues.length < issuesOfTextMax) {
    search.charactersLeft -= text.length;
    if (search.charactersLeft < 0) break;
    const template = compile(text, escaping);
    const level = 'problem' in template ? 'error' : 'warning';
    if (!('problem' in template) && !named) {
      named = true;
      for (const name of usedNames(template.nodes)) search.names.add(name);
    }
    const found = 'problem' in template ? template : unknownIn(template, person, search.budget);
    if (found === undefined) break;
    const { problem, place } = found;
    if (place === undefined) {
      issues.push({ level, field, error: problem });
      break;
    }
    const { line, column, said } = place;
    issues.push({ level, field, line, column, error: said });
    text = blanked(text, line, column);
  }
  return issues;
}

/** What a strict render would refuse for this person; a cost beyond the budget is no problem. */
function unknownIn(
  template: Extract<ReturnType<typeof compile>, { readonly nodes: unknown }>,
  person: WarningsFor | undefined,
  budget: RenderBudget,
): LiquidProblem | undefined {
  if (person === undefined) return undefined;
  const result = render(template, person.context, { ...person.options, mode: 'strict', budget });
  if ('text' in result || result.problem.startsWith('runaway template')) return undefined;
  return result;
}

/** The text with blanks for the output or tag at a place; `undefined` for a tag of a block. */
function blanked(text: string, line: number, column: number): string | undefined {
  let at = 0;
  for (let i = 1; i < line; i++) at = text.indexOf('\n', at) + 1;
  at += column - 1;
  const start = Math.max(text.lastIndexOf('{{', at), text.lastIndexOf('{%', at));
  if (start < 0) return undefined;
  const isTag = text[start + 1] === '%';
  if (
    isTag &&
    /^\{%-?\s*(if|unless|for|case|capture|comment|raw|end\w+|els\w+|when)\b/.test(text.slice(start))
  )
    return undefined;
  const end = text.indexOf(isTag ? '%}' : '}}', start + 2);
  if (end < 0) return undefined;
  const part = text.slice(start, end + 2);
  return text.slice(0, start) + part.replace(/[^\n]/g, ' ') + text.slice(end + 2);
}
