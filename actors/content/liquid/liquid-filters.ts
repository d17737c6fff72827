// The allowed filters, each behind one meter. Absent on purpose: `sample` (random), `raw`
// (unescaped HTML), the `_exp` filters (they parse at render time), the file-system tags. liquidjs
// charges only some filters, so every call is charged here before it runs.

import { type FilterImplOptions, filters as stock, toValue } from 'liquidjs';
import { assert } from '../../../engine/base/assert.ts';
import { contentLimits } from '../shape/content-limits.ts';
import { meteredContext, noDate, notFinite, printable, unprintable } from './liquid-context.ts';
import { formatDate } from './liquid-date.ts';
import { type RenderBudget, tooManyItems } from './render-budget.ts';

type Handler = Extract<FilterImplOptions, (...args: never) => unknown>;

/** Whether values are escaped for HTML. The text between the tags never is. */
export type Escape = 'none' | 'html';

/** A filter's cost beside one step for itself and one per argument. */
type Cost =
  /** Converts its input to text: charges its length, refuses an object. */
  | 'text'
  /** Searches text for a pattern: also charges the search's worst case. */
  | 'search'
  /** Reads every item of a list. */
  | 'list'
  /** Compares items with each other: a step per eight comparisons. */
  | 'sort'
  /** Takes the same time for any input. */
  | 'constant';

const allowed: Readonly<Record<string, Cost>> = {
  append: 'text',
  capitalize: 'text',
  downcase: 'text',
  escape: 'text',
  escape_once: 'text',
  lstrip: 'text',
  newline_to_br: 'text',
  prepend: 'text',
  rstrip: 'text',
  slice: 'text',
  squish: 'text',
  strip: 'text',
  strip_html: 'text',
  strip_newlines: 'text',
  truncate: 'text',
  truncatewords: 'text',
  upcase: 'text',
  url_decode: 'text',
  url_encode: 'text',
  remove: 'search',
  remove_first: 'search',
  remove_last: 'search',
  replace: 'search',
  replace_first: 'search',
  replace_last: 'search',
  split: 'search',
  abs: 'text',
  at_least: 'text',
  at_most: 'text',
  ceil: 'text',
  divided_by: 'text',
  floor: 'text',
  minus: 'text',
  modulo: 'text',
  plus: 'text',
  round: 'text',
  times: 'text',
  array_to_sentence_string: 'text',
  join: 'text',
  compact: 'list',
  concat: 'list',
  map: 'list',
  reverse: 'list',
  sum: 'list',
  uniq: 'list',
  where: 'list',
  sort: 'sort',
  sort_natural: 'sort',
  date: 'text',
  default: 'constant',
  first: 'constant',
  json: 'constant',
  last: 'constant',
  size: 'constant',
};

const own: Readonly<Record<string, Handler>> = {
  date(value, format, zone) {
    const { moment, budget, strictVariables } = meteredContext(this.context);
    const date = formatDate(value, format, zone, moment, budget);
    if (date !== undefined) return date;
    // Nothing prints nothing; other text stays as it is where a mistake must not stop a campaign.
    if (strictVariables && text(value) !== '') throw noDate(value);
    return value;
  },
  // The limit stops a long text from becoming a long list before it can be counted.
  split(value, separator) {
    const parts = text(value).split(text(separator), contentLimits.itemsMax + 1);
    while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop();
    return parts;
  },
  // liquidjs charges the requested length, however short the text is.
  slice(value, begin, length = 1) {
    const size = Array.isArray(value) ? value.length : text(value).length;
    return handlerOf('slice').call(
      this,
      value,
      Number(begin) || 0,
      Math.min(Number(length) || 0, size),
    );
  },
  // liquidjs parses the property as an expression at render time, beyond the limits on templates.
  where(list, property, expected) {
    const items: unknown[] = Array.isArray(list) ? list : [list];
    return items.filter((item) => {
      if (typeof item !== 'object' || item === null || !Object.hasOwn(item, text(property)))
        return false;
      const value: unknown = Reflect.get(item, text(property));
      return expected === undefined ? value !== false && value !== null : value === expected;
    });
  },
};

/** The filters of an escaping. In HTML, `escape` and its like return `raw`, to escape only once. */
export function filterTable(escaping: Escape): ReadonlyMap<string, FilterImplOptions> {
  const table = new Map<string, FilterImplOptions>();
  for (const [name, cost] of Object.entries(allowed))
    table.set(name, metered(name, own[name] ?? handlerOf(name), cost));
  if (escaping === 'html') {
    const escapeOnce = handlerOf('escape_once');
    const lineBreaks = handlerOf('newline_to_br');
    table.set('escape', { raw: true, handler: metered('escape', handlerOf('escape'), 'text') });
    table.set('escape_once', { raw: true, handler: metered('escape_once', escapeOnce, 'text') });
    table.set('newline_to_br', {
      raw: true,
      handler: metered(
        'newline_to_br',
        function (value) {
          return lineBreaks.call(this, escapeOnce.call(this, value));
        },
        'text',
      ),
    });
  }
  return table;
}

/** The last step of every output of an HTML template. */
export const escapeOutput: Handler = metered('escape', handlerOf('escape'), 'text');

function metered(name: string, handler: Handler, cost: Cost): Handler {
  return function (value: unknown, ...args: unknown[]) {
    const { budget, strictVariables } = meteredContext(this.context);
    budget.spend(1 + args.length);
    if (cost !== 'constant') budget.charge(value);
    for (const arg of args) budget.charge(arg);
    let input = value;
    if (cost === 'text' || cost === 'search') {
      for (const part of [value, ...args]) {
        if (printable(part)) continue;
        if (strictVariables) throw unprintable();
        input = '';
      }
    }
    if (cost === 'search') chargeSearch(budget, value, args[0]);
    if (cost === 'sort' && Array.isArray(value)) {
      budget.spend((value.length * Math.ceil(Math.log2(value.length + 1))) >> 3);
    }
    const result: unknown = handler.call(this, input, ...args);
    if (Array.isArray(result) && result.length > contentLimits.itemsMax) throw tooManyItems();
    // liquidjs runs a filter that is a generator itself.
    const by: Call = { name, argument: args[0], strict: strictVariables };
    return isGenerator(result) ? finiteLater(result, by) : finite(result, by);
  };
}

interface Call {
  readonly name: string;
  readonly argument: unknown;
  readonly strict: boolean;
}

// No message should show "Infinity" or "NaN": it is a fault, or prints nothing.
function finite(result: unknown, { name, argument, strict }: Call): unknown {
  if (typeof result !== 'number' || Number.isFinite(result)) return result;
  if (strict) throw notFinite(name, argument);
  return undefined;
}

function* finiteLater(result: Generator<unknown, unknown, unknown>, by: Call) {
  return finite(yield* result, by);
}

function isGenerator(result: unknown): result is Generator<unknown, unknown, unknown> {
  return typeof result === 'object' && result !== null && 'next' in result && 'throw' in result;
}

/** A step per 1,024 comparisons of the worst text and pattern of these lengths. */
export function chargeSearch(budget: RenderBudget, haystack: unknown, needle: unknown): void {
  budget.spend(Math.floor((textLength(haystack) * textLength(needle)) / 1_024));
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 0;
  let length = 0;
  for (const item of value) length += textLength(item);
  return length;
}

function text(value: unknown): string {
  const plain: unknown = toValue(value);
  if (typeof plain === 'string') return plain;
  if (plain === undefined || plain === null) return '';
  if (Array.isArray(plain)) return plain.map(text).join('');
  return typeof plain === 'object' ? '' : String(plain);
}

function handlerOf(name: string): Handler {
  const filter = stock[name];
  assert(typeof filter === 'function', `liquidjs has no plain filter ${name}`);
  return filter;
}
