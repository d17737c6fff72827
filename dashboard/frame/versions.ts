// Two versions of something, as the fields that differ, in words. A list of steps or buttons is
// read item by item, because a change is seldom of all.

import { isMembers, isSame, type Members } from '../api/same.ts';
import type { Conflict } from '../api/saves.ts';
import { conflictText } from './conflict-words.ts';

export interface Difference {
  /** "Quiet hours › Start". */
  readonly field: string;
  /** `undefined` for nothing. */
  readonly left: string | undefined;
  readonly right: string | undefined;
}

const rowsMax = 60;
const between = ' › ';
/** What the API adds to an answer, and nobody edits. */
const notEdited = new Set(['etag', 'updatedAt', 'createdAt', 'warnings', 'id']);

/**
 * Theirs and mine; of a deletion what was seen and what is there now. Empty if that is not known.
 */
export function bothOf({
  base,
  theirs,
  mine,
  isDelete,
  hasSecrets,
}: Conflict): readonly Difference[] {
  if (theirs === undefined) return [];
  const names = Object.keys(isDelete ? base : mine).filter((name) => !notEdited.has(name));
  const shown = hasSecrets ? (hidden(mine, theirs, base) as Members) : mine;
  const [one, other] = isDelete ? [base, theirs] : [theirs, shown];
  return names
    .filter((name) => !isSame(one[name], other[name]))
    .flatMap((name) => differences(nameOf(name), one[name], other[name]))
    .slice(0, rowsMax);
}

/** Of what was typed, the parts that neither answer has: for all that can be told, secrets. */
function hidden(mine: unknown, theirs: unknown, base: unknown): unknown {
  if (!isMembers(mine)) return mine;
  const [now, was] = [isMembers(theirs) ? theirs : {}, isMembers(base) ? base : {}];
  return Object.fromEntries(
    Object.entries(mine).map(([name, value]) => {
      const isKnown = name in now || name in was;
      return [name, isKnown ? hidden(value, now[name], was[name]) : conflictText.secret];
    }),
  );
}

function differences(field: string, left: unknown, right: unknown): readonly Difference[] {
  if (isSame(left, right)) return [];
  const [one, other] = [partsOf(left), partsOf(right)];
  if (one === undefined && other === undefined)
    return [{ field, left: textOf(left), right: textOf(right) }];
  if (!isOpen(left) || !isOpen(right))
    return [{ field, left: wholeText(left), right: wholeText(right) }];
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  return names.flatMap((name) =>
    differences(`${field}${between}${name}`, one?.[name], other?.[name]),
  );
}

/** Whether it can be read part by part beside another. */
function isOpen(value: unknown): boolean {
  return partsOf(value) !== undefined;
}

/** Members of an object by their words, items of a list by their ids, or else by their number. */
function partsOf(value: unknown): Members | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [nameOf(name), part]));
  if (value.every((item) => typeof item !== 'object')) return undefined;
  const ids = value.map((item) => (item as { readonly id?: unknown } | null)?.id);
  const haveIds = ids.every((id) => typeof id === 'string') && new Set(ids).size === ids.length;
  return Object.fromEntries(
    value.map((item, index) => [haveIds ? `“${ids[index]}”` : String(index + 1), item]),
  );
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'boolean') return value ? conflictText.yes : conflictText.no;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(textOf).join(', ');
  return String(value);
}

/** In one text, line by line: what only one of the two versions has. */
function wholeText(value: unknown, under = ''): string | undefined {
  const parts = partsOf(value);
  if (parts === undefined) return textOf(value);
  const lines = Object.entries(parts).flatMap(([name, part]) => {
    const place = under === '' ? name : `${under}${between}${name}`;
    const inner = partsOf(part) === undefined ? textOf(part) : wholeText(part, place);
    if (inner === undefined) return [];
    return partsOf(part) === undefined ? [`${place}: ${inner}`] : [inner];
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** `rolloutPercent` is "Rollout percent", where no better word is known. */
function nameOf(name: string): string {
  const known: Readonly<Record<string, string>> = conflictText.fields;
  if (Object.hasOwn(known, name)) return known[name] ?? name;
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  const [first = '', ...rest] = spaced.split(' ');
  const lower = rest.map((word) => word.toLowerCase());
  return [first.slice(0, 1).toUpperCase() + first.slice(1), ...lower].join(' ');
}
