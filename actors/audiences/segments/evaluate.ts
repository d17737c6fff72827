// The one compiler of filters: over everyone, as scans of columns, and over one person, as a
// function. Both are exact at the given instant, never sampled or cached. Source: specification,
// "Segment"; contract, section 4.

import type { Bitset } from '../../../engine/base/bitset.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import {
  clear,
  copyIn,
  copyOut,
  countMembers,
  intersect,
  invert,
  type ScratchSet,
  scratchSets,
  unite,
} from '../../../engine/columns/sets.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { type Condition, eachCondition, type Filter } from './filter.ts';
import type { ChannelReach, CountedName, FilterPart } from './protocol.ts';
import type { TraitsReads } from './reads.ts';

/** `Decision.work` of a condition tried on one person. */
export const workOfCondition = 16;

/** Valid for the instant it was made for, until the next entry is folded. */
export type PersonTest = (person: PersonOrdinal) => boolean;

/** Sets for a filter of three levels: one per level, one for a leaf beside it, one to spare. */
const setsNeeded = 6;
const spareSet = setsNeeded - 1;
const aliveSet = setsNeeded;

/** The names that a filter counts, and the largest count of each. */
export function countedNames(filter: Filter): readonly CountedName[] {
  const names = new Map<string, number>();
  eachCondition(filter, (condition) => {
    if (!('withinDays' in condition)) return;
    const { event, atLeast = 1 } = condition;
    if (atLeast > 1) names.set(event, Math.max(atLeast, names.get(event) ?? 0));
  });
  return [...names];
}

/** Counted names whose columns keep too few instants: history must be read first. */
export function uncounted(filter: Filter, traits: TraitsReads): readonly CountedName[] {
  return countedNames(filter).filter(([name, kept]) => kept > (traits.timesOf(name)?.kept ?? 0));
}

/** Everyone who matches now, as a new set. Every counted name must have its column. */
export function audienceOf(filter: Filter, traits: TraitsReads, nowMs: Millis): Bitset {
  return copyOut(select(filter, traits, nowMs));
}

export function countOf(filter: Filter, traits: TraitsReads, nowMs: Millis): number {
  return countMembers(select(filter, traits, nowMs));
}

/** Each part of the filter, groups before their members, with how many people match it alone. */
export function partsOf(filter: Filter, traits: TraitsReads, nowMs: Millis): FilterPart[] {
  const sets = scratchSets();
  sets.begin(traits.next, setsNeeded + 1);
  copyIn(traits.alive, sets.at(aliveSet));
  const parts: FilterPart[] = [];
  const count = (set: ScratchSet) => {
    const among = sets.at(spareSet);
    clear(among);
    unite(among, set);
    intersect(among, sets.at(aliveSet));
    return countMembers(among);
  };
  const visit = (part: Filter, path: string, depth: number) => {
    const place = parts.push({ path, count: 0, left: null }) - 1;
    const into = sets.at(depth);
    if (!('all' in part || 'any' in part)) {
      fillCondition(part, traits, nowMs, into, sets.at(spareSet));
    } else {
      const [name, members] = 'all' in part ? ['all', part.all] : ['any', part.any];
      for (const [nth, member] of members.entries()) {
        const own = visit(member, `${path}.${name}[${nth}]`, nth === 0 ? depth : depth + 1);
        if (nth > 0) (name === 'all' ? intersect : unite)(into, sets.at(depth + 1));
        if (name === 'all') parts[own] = { ...(parts[own] as FilterPart), left: count(into) };
      }
    }
    parts[place] = { path, count: count(into), left: null };
    return place;
  };
  visit(filter, 'filter', 0);
  return parts;
}

/** How many of the matching people each channel reaches. */
export function reachOf(filter: Filter, traits: TraitsReads, nowMs: Millis): ChannelReach[] {
  const found = select(filter, traits, nowMs);
  const among = scratchSets().at(spareSet);
  return channelIds.map((channel: ChannelId) => {
    copyIn(traits.reachOn(channel), among);
    intersect(among, found);
    return { channel, reachable: countMembers(among) };
  });
}

/** False for unknown and erased people. */
export function matches(
  filter: Filter,
  traits: TraitsReads,
  person: PersonOrdinal,
  nowMs: Millis,
): boolean {
  return personTest(filter, traits, nowMs)(person);
}

/** The same for many people: looks up columns and bounds once. */
export function personTest(filter: Filter, traits: TraitsReads, nowMs: Millis): PersonTest {
  const { alive } = traits;
  const test = testOf(filter, traits, nowMs);
  return (person) => alive.test(person) && test(person);
}

/** Each condition's truth for one person, with its path. */
export function explain(
  filter: Filter,
  traits: TraitsReads,
  person: PersonOrdinal,
  nowMs: Millis,
): readonly { readonly path: string; readonly condition: Condition; readonly holds: boolean }[] {
  const truths: { path: string; condition: Condition; holds: boolean }[] = [];
  eachCondition(filter, (condition, path) => {
    truths.push({ path, condition, holds: matches(condition, traits, person, nowMs) });
  });
  return truths;
}

/** The instant up to which an event does not lie within so many days. */
export function cutOf(days: number, nowMs: Millis): Millis {
  return nowMs - days * dayMs;
}

/** The same, where events that are gone do not count. */
export function keptCutOf(
  days: number,
  nowMs: Millis,
  { goneBeforeMs }: Pick<TraitsReads, 'goneBeforeMs'>,
): Millis {
  return Math.max(cutOf(days, nowMs), goneBeforeMs - 1);
}

/** The matching people; the thread's next question overwrites the set. */
function select(filter: Filter, traits: TraitsReads, nowMs: Millis): ScratchSet {
  const sets = scratchSets();
  sets.begin(traits.next, setsNeeded);
  fill(filter, traits, nowMs, 0);
  const found = sets.at(0);
  const spare = sets.at(spareSet);
  copyIn(traits.alive, spare);
  intersect(found, spare);
  return found;
}

/** Fills set `depth` with matches, deleted people among them. */
function fill(filter: Filter, traits: TraitsReads, nowMs: Millis, depth: number): void {
  const sets = scratchSets();
  const into = sets.at(depth);
  if (!('all' in filter || 'any' in filter)) {
    fillCondition(filter, traits, nowMs, into, sets.at(spareSet));
    return;
  }
  const join = 'all' in filter ? intersect : unite;
  const [first, ...rest] = 'all' in filter ? filter.all : filter.any;
  fill(first as Filter, traits, nowMs, depth);
  for (const member of rest) {
    fill(member, traits, nowMs, depth + 1);
    join(into, sets.at(depth + 1));
  }
}

function fillCondition(
  condition: Condition,
  traits: TraitsReads,
  nowMs: Millis,
  into: ScratchSet,
  spare: ScratchSet,
): void {
  clear(into);
  let isNegated = false;
  if ('tag' in condition) {
    const column = traits.tags.get(condition.tag);
    if ('eq' in condition) column?.addEqual([condition.eq], into);
    else if ('in' in condition) column?.addEqual(condition.in, into);
    else if ('ne' in condition) {
      column?.addEqual([condition.ne], into);
      isNegated = true;
    } else {
      column?.addHaving(into);
      isNegated = !condition.exists;
    }
  } else if ('event' in condition) {
    const seen = traits.events.get(condition.event);
    if ('notWithinDays' in condition) {
      seen?.addAfter(keptCutOf(condition.notWithinDays, nowMs, traits), into, spare);
      isNegated = true;
    } else {
      const cutMs = keptCutOf(condition.withinDays, nowMs, traits);
      const { atLeast = 1 } = condition;
      if (atLeast === 1) seen?.addAfter(cutMs, into, spare);
      else traits.timesOf(condition.event)?.addAtLeast(atLeast, cutMs, into, spare);
    }
  } else if ('channel' in condition) {
    copyIn(traits.reachOn(condition.channel), into);
    isNegated = condition.exists === false;
  } else if ('activeWithinDays' in condition) {
    traits.activity.addAfter(keptCutOf(condition.activeWithinDays, nowMs, traits), into, spare);
  } else {
    // Neither active nor created since the cut.
    const days = condition.inactiveForDays;
    traits.activity.addAfter(keptCutOf(days, nowMs, traits), into, spare);
    traits.created.addAfter(cutOf(days, nowMs), into, spare);
    isNegated = true;
  }
  if (isNegated) invert(into);
}

function testOf(filter: Filter, traits: TraitsReads, nowMs: Millis): PersonTest {
  if ('all' in filter) {
    const tests = filter.all.map((member) => testOf(member, traits, nowMs));
    return (person) => {
      for (const test of tests) if (!test(person)) return false;
      return true;
    };
  }
  if ('any' in filter) {
    const tests = filter.any.map((member) => testOf(member, traits, nowMs));
    return (person) => {
      for (const test of tests) if (test(person)) return true;
      return false;
    };
  }
  return conditionTest(filter, traits, nowMs);
}

const never: PersonTest = () => false;
const always: PersonTest = () => true;

function conditionTest(condition: Condition, traits: TraitsReads, nowMs: Millis): PersonTest {
  if ('tag' in condition) {
    const column = traits.tags.get(condition.tag);
    if (column === undefined)
      return 'ne' in condition || ('exists' in condition && !condition.exists) ? always : never;
    if ('eq' in condition) return (person) => column.equals(person, condition.eq);
    if ('ne' in condition) return (person) => !column.equals(person, condition.ne);
    if ('in' in condition)
      return (person) => condition.in.some((value) => column.equals(person, value));
    return (person) => column.has(person) === condition.exists;
  }
  if ('event' in condition) {
    const seen = traits.events.get(condition.event);
    if ('notWithinDays' in condition) {
      const cutMs = keptCutOf(condition.notWithinDays, nowMs, traits);
      return seen === undefined ? always : (person) => seen.at(person) <= cutMs;
    }
    const cutMs = keptCutOf(condition.withinDays, nowMs, traits);
    const { atLeast = 1 } = condition;
    if (atLeast === 1) return seen === undefined ? never : (person) => seen.at(person) > cutMs;
    const times = traits.timesOf(condition.event);
    return times === undefined ? never : (person) => times.at(person, atLeast) > cutMs;
  }
  if ('channel' in condition) {
    const reached = traits.reachOn(condition.channel);
    const isWanted = condition.exists ?? true;
    return (person) => reached.test(person) === isWanted;
  }
  const { activity, created } = traits;
  if ('activeWithinDays' in condition) {
    const cutMs = keptCutOf(condition.activeWithinDays, nowMs, traits);
    return (person) => activity.at(person) > cutMs;
  }
  const cutMs = keptCutOf(condition.inactiveForDays, nowMs, traits);
  const oldMs = cutOf(condition.inactiveForDays, nowMs);
  return (person) => activity.at(person) <= cutMs && created.at(person) <= oldMs;
}
