// A filter as it is edited: the API's own JSON, read and changed by place. A place is the list of
// member numbers from the outermost group; the root is the empty list.

import type { Filter } from '../api/generated.ts';

export type Join = 'all' | 'any';
type Group = Extract<Filter, { readonly all: unknown } | { readonly any: unknown }>;
export type Condition = Exclude<Filter, Group>;
export type Place = readonly number[];

/** Groups within groups, the outermost counted. */
export const levelsMax = 3;
export const conditionsMax = 100;

export function isGroup(filter: Filter): filter is Group {
  return 'all' in filter || 'any' in filter;
}

export function joinOf(group: Group): Join {
  return 'all' in group ? 'all' : 'any';
}

export function membersOf(group: Group): readonly Filter[] {
  return 'all' in group ? group.all : group.any;
}

export function groupOf(join: Join, members: readonly Filter[]): Group {
  return join === 'all' ? { all: members } : { any: members };
}

/** As the API names a place: `filter.all[0].any[1]`. */
export function pathOf(filter: Filter, place: Place): string {
  let path = 'filter';
  let at: Filter | undefined = filter;
  for (const index of place) {
    if (at === undefined || !isGroup(at)) break;
    path += `.${joinOf(at)}[${index}]`;
    at = membersOf(at)[index];
  }
  return path;
}

/** Conditions in order, with their paths. */
export function eachCondition(
  filter: Filter,
  visit: (condition: Condition, path: string) => void,
  path = 'filter',
): void {
  if (!isGroup(filter)) {
    visit(filter, path);
    return;
  }
  membersOf(filter).forEach((member, index) => {
    eachCondition(member, visit, `${path}.${joinOf(filter)}[${index}]`);
  });
}

export function conditionCount(filter: Filter | undefined): number {
  let count = 0;
  if (filter !== undefined) eachCondition(filter, () => count++);
  return count;
}

/**
 * What stands at a place is replaced; `undefined` removes it, and each group that is left empty.
 */
export function replaceAt(
  filter: Filter,
  place: Place,
  next: Filter | undefined,
): Filter | undefined {
  const [index, ...rest] = place;
  if (index === undefined) return next;
  if (!isGroup(filter)) return filter;
  const members = membersOf(filter).flatMap((member, at) => {
    if (at !== index) return [member];
    const changed = replaceAt(member, rest, next);
    return changed === undefined ? [] : [changed];
  });
  return members.length === 0 ? undefined : groupOf(joinOf(filter), members);
}

/** A member at the end of the group at a place. A lone condition becomes a group of `all` first. */
export function addAt(filter: Filter | undefined, place: Place, member: Filter): Filter {
  if (filter === undefined) return isGroup(member) ? member : { all: [member] };
  const [index, ...rest] = place;
  if (index === undefined)
    return isGroup(filter)
      ? groupOf(joinOf(filter), [...membersOf(filter), member])
      : { all: [filter, member] };
  if (!isGroup(filter)) return filter;
  return groupOf(
    joinOf(filter),
    membersOf(filter).map((one, at) => (at === index ? addAt(one, rest, member) : one)),
  );
}

interface Completed {
  /** `undefined` if no condition is complete. */
  readonly filter: Filter | undefined;
  /** From a path in `filter` to the path in the whole. */
  readonly wholePathOf: ReadonlyMap<string, string>;
  /** Paths in the whole of what was left out. */
  readonly left: readonly string[];
}

/**
 * The filter without the conditions that are not filled in yet, so that the rest can be counted.
 */
export function completed(
  filter: Filter,
  isComplete: (condition: Condition) => boolean,
): Completed {
  const wholePathOf = new Map<string, string>();
  const left: string[] = [];
  const keep = (one: Filter, path: string, wholePath: string): Filter | undefined => {
    if (!isGroup(one)) {
      if (!isComplete(one)) {
        left.push(wholePath);
        return undefined;
      }
      wholePathOf.set(path, wholePath);
      return one;
    }
    const join = joinOf(one);
    const kept: Filter[] = [];
    membersOf(one).forEach((member, index) => {
      const below = `${wholePath}.${join}[${index}]`;
      const next = keep(member, `${path}.${join}[${kept.length}]`, below);
      if (next !== undefined) kept.push(next);
    });
    if (kept.length === 0) return undefined;
    wholePathOf.set(path, wholePath);
    return groupOf(join, kept);
  };
  return { filter: keep(filter, 'filter', 'filter'), wholePathOf, left };
}

/** Reads typed JSON. Only the form of an object is checked here; the rest is the server's word. */
export function parseFilterText(
  text: string,
): { readonly filter: Filter | undefined } | { readonly problem: string } {
  if (text.trim() === '') return { filter: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const problem = problemOf(value, 'filter');
  return problem === undefined ? { filter: value as Filter } : { problem };
}

export function filterText(filter: Filter | undefined): string {
  return filter === undefined ? '' : JSON.stringify(filter, null, 2);
}

/** What the builder could not draw. */
function problemOf(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${path}: expected an object, a group or a condition`;
  const { all, any } = value as { readonly all?: unknown; readonly any?: unknown };
  if (all === undefined && any === undefined) return undefined;
  if (all !== undefined && any !== undefined) return `${path}: has both all and any`;
  const join = all === undefined ? 'any' : 'all';
  const members = all ?? any;
  if (!Array.isArray(members) || members.length === 0)
    return `${path}.${join}: expected a list of at least one condition`;
  return members.reduce<string | undefined>(
    (found, member, index) => found ?? problemOf(member, `${path}.${join}[${index}]`),
    undefined,
  );
}
