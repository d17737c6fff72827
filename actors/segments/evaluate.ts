// The one compiler of filters: the same conditions over everybody, as a bitset, and over one person, as a boolean. Exact at
// the instant it is given; nothing is sampled or cached. Source: specification, "Segment"; contract, section 4.

import { Bitset } from '../../engine/base/bitset.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../engine/base/brand.ts';
import { channelIds } from '../channels/catalog.ts';
import { type Condition, eachCondition, type Filter } from './filter.ts';
import type { Traits } from './traits.ts';

/** Names whose times a filter counts and that no column has: they have to be read from history first. */
export function uncounted(filter: Filter, traits: Traits): readonly string[] {
  const names = new Set<string>();
  eachCondition(filter, (condition) => {
    if (!('withinDays' in condition) || (condition.atLeast ?? 1) < 2) return;
    if (!traits.times.has(condition.event)) names.add(condition.event);
  });
  return [...names];
}

/** Everybody who matches now. A new set, the caller's. Every counted name must have its column. */
export function audienceOf(filter: Filter, traits: Traits, nowMs: Millis): Bitset {
  if ('all' in filter) {
    const [first, ...rest] = filter.all;
    const result = audienceOf(first as Filter, traits, nowMs);
    for (const member of rest) result.and(audienceOf(member, traits, nowMs));
    return result;
  }
  if ('any' in filter) {
    const [first, ...rest] = filter.any;
    const result = audienceOf(first as Filter, traits, nowMs);
    for (const member of rest) result.or(audienceOf(member, traits, nowMs));
    return result;
  }
  return conditionAudience(filter, traits, nowMs);
}

/** Whether one person matches now; false for nobody and for who was erased. */
export function matches(
  filter: Filter,
  traits: Traits,
  person: PersonOrdinal,
  nowMs: Millis,
): boolean {
  if ('all' in filter) {
    for (const member of filter.all) if (!matches(member, traits, person, nowMs)) return false;
    return true;
  }
  if ('any' in filter) {
    for (const member of filter.any) if (matches(member, traits, person, nowMs)) return true;
    return false;
  }
  return traits.alive.test(person) && conditionHolds(filter, traits, person, nowMs);
}

/** The truth of each condition for one person, with its path: why somebody is in, or is not. */
export function explain(
  filter: Filter,
  traits: Traits,
  person: PersonOrdinal,
  nowMs: Millis,
): readonly { readonly path: string; readonly condition: Condition; readonly holds: boolean }[] {
  const truths: { path: string; condition: Condition; holds: boolean }[] = [];
  eachCondition(filter, (condition, path) => {
    truths.push({ path, condition, holds: matches(condition, traits, person, nowMs) });
  });
  return truths;
}

function conditionAudience(condition: Condition, traits: Traits, nowMs: Millis): Bitset {
  const { next } = traits;
  const found = new Bitset(next);
  let isNegated = false;
  if ('tag' in condition) {
    const column = traits.tags.get(condition.tag);
    if ('eq' in condition) column?.addEqual([condition.eq], found, next);
    else if ('in' in condition) column?.addEqual(condition.in, found, next);
    else if ('ne' in condition) {
      column?.addEqual([condition.ne], found, next);
      isNegated = true;
    } else {
      column?.addHaving(found, next);
      isNegated = !condition.exists;
    }
  } else if ('event' in condition) {
    if ('notWithinDays' in condition) {
      traits.events.get(condition.event)?.addAfter(cutOf(condition.notWithinDays, nowMs), found);
      isNegated = true;
    } else {
      const cutMs = cutOf(condition.withinDays, nowMs);
      const atLeast = condition.atLeast ?? 1;
      if (atLeast === 1) traits.events.get(condition.event)?.addAfter(cutMs, found);
      else traits.times.get(condition.event)?.addAtLeast(atLeast, cutMs, found);
    }
  } else if ('channel' in condition) {
    found.or(traits.reach[channelIds.indexOf(condition.channel)] as Bitset);
    isNegated = condition.exists === false;
  } else if ('activeWithinDays' in condition) {
    traits.activity.addAfter(cutOf(condition.activeWithinDays, nowMs), found);
  } else {
    // Neither active nor made since the cut.
    const cutMs = cutOf(condition.inactiveForDays, nowMs);
    traits.activity.addAfter(cutMs, found);
    traits.created.addAfter(cutMs, found);
    isNegated = true;
  }
  return isNegated ? traits.alive.clone().andNot(found) : found.and(traits.alive);
}

function conditionHolds(
  condition: Condition,
  traits: Traits,
  person: PersonOrdinal,
  nowMs: Millis,
): boolean {
  if ('tag' in condition) {
    const column = traits.tags.get(condition.tag);
    if ('eq' in condition) return column?.equals(person, condition.eq) ?? false;
    if ('ne' in condition) return !(column?.equals(person, condition.ne) ?? false);
    if ('in' in condition)
      return column !== undefined && condition.in.some((value) => column.equals(person, value));
    return (column?.has(person) ?? false) === condition.exists;
  }
  if ('event' in condition) {
    const lastMs = traits.events.get(condition.event)?.at(person) ?? 0;
    if ('notWithinDays' in condition) return lastMs <= cutOf(condition.notWithinDays, nowMs);
    const cutMs = cutOf(condition.withinDays, nowMs);
    const atLeast = condition.atLeast ?? 1;
    if (atLeast === 1) return lastMs > cutMs;
    return (traits.times.get(condition.event)?.countAfter(person, cutMs) ?? 0) >= atLeast;
  }
  if ('channel' in condition) {
    const isReached = (traits.reach[channelIds.indexOf(condition.channel)] as Bitset).test(person);
    return isReached === (condition.exists ?? true);
  }
  if ('activeWithinDays' in condition)
    return traits.activity.at(person) > cutOf(condition.activeWithinDays, nowMs);
  const cutMs = cutOf(condition.inactiveForDays, nowMs);
  return traits.activity.at(person) <= cutMs && traits.created.at(person) <= cutMs;
}

function cutOf(days: number, nowMs: Millis): Millis {
  return nowMs - days * dayMs;
}
