// The filter language as the specification words it, over raw people and events, one after the
// other: what every column and shortcut of the product is held against. Slow and plain on purpose;
// it shares no code with the product but the types.

import type { Condition, Filter, TagScalar } from '../../actors/audiences/segments/filter.ts';
import type { TagValue } from '../../storage/tables/subscriber.ts';

export interface RawPerson {
  readonly createdMs: number;
  readonly tags: Map<string, TagValue>;
  /** Channels with an enabled device whose identity is not suppressed. */
  readonly reach: Set<string>;
  readonly events: { readonly name: string; readonly atMs: number }[];
  erased: boolean;
}

const dayMs = 86_400_000;
const notActivity = new Set([
  'sent',
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'preferences_changed',
  'deferred',
  'unsubscribed',
]);

/** Whether a person matches now, by the book. */
export function oracle(filter: Filter, person: RawPerson, nowMs: number): boolean {
  if (person.erased) return false;
  if ('all' in filter) return filter.all.every((one) => oracle(one, person, nowMs));
  if ('any' in filter) return filter.any.some((one) => oracle(one, person, nowMs));
  return holds(filter, person, nowMs);
}

function holds(condition: Condition, person: RawPerson, nowMs: number): boolean {
  const times = (name: string, days: number) =>
    person.events.filter((event) => event.name === name && event.atMs > nowMs - days * dayMs)
      .length;
  const active = (days: number) =>
    person.events.some(
      ({ name, atMs }) =>
        !notActivity.has(name) && !name.startsWith('journey_') && atMs > nowMs - days * dayMs,
    );
  if ('tag' in condition) {
    const value = person.tags.get(condition.tag);
    const is = (wanted: TagScalar) =>
      Array.isArray(value) ? value.some((one) => one === wanted) : value === wanted;
    if ('eq' in condition) return is(condition.eq);
    if ('ne' in condition) return !is(condition.ne);
    if ('in' in condition) return condition.in.some(is);
    return (value !== undefined) === condition.exists;
  }
  if ('event' in condition) {
    if ('notWithinDays' in condition) return times(condition.event, condition.notWithinDays) === 0;
    return times(condition.event, condition.withinDays) >= (condition.atLeast ?? 1);
  }
  if ('channel' in condition)
    return person.reach.has(condition.channel) === (condition.exists ?? true);
  if ('activeWithinDays' in condition) return active(condition.activeWithinDays);
  return (
    !active(condition.inactiveForDays) &&
    person.createdMs <= nowMs - condition.inactiveForDays * dayMs
  );
}
