// The filter language as validated data: groups of conditions of exactly one kind each, in
// segments, campaigns, journeys, flags and in-app messages. Source: specification, "Segment".

import type { ChannelId } from '../../channels/channel-ids.ts';

/** Types are never coerced: `1` is not `"1"`. */
export type TagScalar = string | number | boolean;

/** Of a tag's value. */
export type TagType = 'string' | 'number' | 'boolean' | 'list';

type TagCondition =
  /** Holds for an array when any element equals. */
  | { readonly tag: string; readonly eq: TagScalar }
  /** The negation of `eq`: also for people without the tag. */
  | { readonly tag: string; readonly ne: TagScalar }
  | { readonly tag: string; readonly exists: boolean }
  | { readonly tag: string; readonly in: readonly TagScalar[] };

/** Windows are whole days of 86,400 seconds before now: `at > now − days`. */
type EventCondition =
  | { readonly event: string; readonly withinDays: number; readonly atLeast?: number }
  /** Holds also for people who never did it. */
  | { readonly event: string; readonly notWithinDays: number };

type ActivityCondition =
  | { readonly activeWithinDays: number }
  /** Not active for so long, and created at least as long ago. */
  | { readonly inactiveForDays: number };

/** Reachable: an enabled device on the channel whose identity is not suppressed. */
interface ChannelCondition {
  readonly channel: ChannelId;
  readonly exists?: boolean;
}

export type Condition = TagCondition | EventCondition | ActivityCondition | ChannelCondition;

type Group = { readonly all: readonly Filter[] } | { readonly any: readonly Filter[] };

export type Filter = Group | Condition;

/** Visits the conditions in order, with their paths (`filter.any[1]`). */
export function eachCondition(
  filter: Filter,
  visit: (condition: Condition, path: string) => void,
  path = 'filter',
): void {
  if (!('all' in filter || 'any' in filter)) {
    visit(filter, path);
    return;
  }
  const name = 'all' in filter ? 'all' : 'any';
  const members = 'all' in filter ? filter.all : filter.any;
  for (let i = 0; i < members.length; i++)
    eachCondition(members[i] as Filter, visit, `${path}.${name}[${i}]`);
}

/** What trying a filter on a person costs. */
export function conditionCount(filter: Filter | undefined): number {
  let count = 0;
  if (filter !== undefined)
    eachCondition(filter, () => {
      count++;
    });
  return count;
}

/** The window of a condition in days, or undefined for one without. */
export function windowDaysOf(condition: Condition): number | undefined {
  if ('withinDays' in condition) return condition.withinDays;
  if ('notWithinDays' in condition) return condition.notWithinDays;
  if ('activeWithinDays' in condition) return condition.activeWithinDays;
  return 'inactiveForDays' in condition ? condition.inactiveForDays : undefined;
}

/** In days; 0 without a window. Retention may not be shortened below it. */
export function longestWindowDays(filter: Filter): number {
  let longest = 0;
  eachCondition(filter, (condition) => {
    longest = Math.max(longest, windowDaysOf(condition) ?? 0);
  });
  return longest;
}
