// The filters of the fast path. Each writes exactly what liquidjs's filter writes for a string, a
// number, a boolean or nothing, or returns `doubt`. Lists and objects never come here.

import { type FilterImplOptions, filters as stock } from 'liquidjs';

/** A value that is printed as it is. */
export type Plain = string | number | boolean;

/** A value within an output; `undefined` is an unknown name, `doubt` ends the fast path. */
export type Value = Plain | undefined | typeof doubt;

/** Returned where only liquidjs is sure. */
export const doubt = Symbol('doubt');

export type Apply = (value: Plain | undefined, args: readonly Plain[]) => Value;

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

type Handler = Extract<FilterImplOptions, (...args: never) => unknown>;

interface PlainFilter {
  readonly arity: readonly [number, number];
  readonly apply: Apply;
}

function text(value: Plain | undefined): string {
  return value === undefined ? '' : String(value);
}

function number(value: Plain | undefined): number {
  return value === undefined ? 0 : +value || 0;
}

// The arithmetic of liquidjs uses neither context nor state.
function stockNumber(name: string): Apply {
  const handler = stock[name] as Handler;
  return (value, args) => {
    const result: unknown = Reflect.apply(handler, undefined, [value, ...args]);
    return isPlain(result) ? result : doubt;
  };
}

const noArgument = [0, 0] as const;
const oneArgument = [1, 1] as const;

export const plainFilters: ReadonlyMap<string, PlainFilter> = new Map<string, PlainFilter>([
  [
    'default',
    {
      arity: oneArgument,
      apply: (value, [other]) =>
        value === undefined || value === false || value === '' ? other : value,
    },
  ],
  ['upcase', { arity: noArgument, apply: (value) => text(value).toUpperCase() }],
  ['downcase', { arity: noArgument, apply: (value) => text(value).toLowerCase() }],
  [
    'capitalize',
    {
      arity: noArgument,
      apply: (value) => text(value).charAt(0).toUpperCase() + text(value).slice(1).toLowerCase(),
    },
  ],
  ['append', { arity: oneArgument, apply: (value, [other]) => text(value) + text(other) }],
  ['prepend', { arity: oneArgument, apply: (value, [other]) => text(other) + text(value) }],
  ['strip', { arity: noArgument, apply: (value) => text(value).trim() }],
  ['lstrip', { arity: noArgument, apply: (value) => text(value).trimStart() }],
  ['rstrip', { arity: noArgument, apply: (value) => text(value).trimEnd() }],
  ['escape', { arity: noArgument, apply: (value) => escapeHtml(text(value)) }],
  ['truncate', { arity: [1, 2], apply: truncate }],
  ['plus', { arity: oneArgument, apply: (value, [other]) => number(value) + number(other) }],
  ['minus', { arity: oneArgument, apply: (value, [other]) => number(value) - number(other) }],
  ['times', { arity: oneArgument, apply: (value, [other]) => number(value) * number(other) }],
  ['divided_by', { arity: oneArgument, apply: stockNumber('divided_by') }],
  ['modulo', { arity: oneArgument, apply: stockNumber('modulo') }],
  ['round', { arity: [0, 1], apply: stockNumber('round') }],
  ['ceil', { arity: noArgument, apply: stockNumber('ceil') }],
  ['floor', { arity: noArgument, apply: stockNumber('floor') }],
  ['abs', { arity: noArgument, apply: stockNumber('abs') }],
]);

// liquidjs counts code points; where those differ from code units, it counts.
function truncate(value: Plain | undefined, [length, ending = '...']: readonly Plain[]): Value {
  const long = text(value);
  const end = text(ending);
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0) return doubt;
  if (long.length <= length) return value;
  if (/[\ud800-\udfff]/.test(long) || /[\ud800-\udfff]/.test(end)) return doubt;
  return long.slice(0, Math.max(length - end.length, 0)) + end;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Escapes for HTML text and quoted attributes, as liquidjs's `escape` does. */
export function escapeHtml(value: string): string {
  return /[&<>"']/.test(value)
    ? value.replace(/[&<>"']/g, (char) => entities[char] ?? char)
    : value;
}
