// Decides about followed segments. A change is an entry in the turn of its event, with a message to
// the followers. An event only names people to review; the filter runs after its fold. Where calls
// without proof start no journeys, such a call puts people into a segment, but followers hear of
// them only once something proven says so.

import { accepted, type Context, type Decision, type Tell } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { audienceOf, personTest, uncounted } from './evaluate.ts';
import type { SegmentsMemory, SegmentsView } from './memory.ts';
import type { MembershipProtocol, Review, SegmentsEntry } from './protocol.ts';
import type { Watch } from './watches.ts';
import { withTraits } from './with-traits.ts';

/** Changes per reconciliation; the next turn makes the rest. */
export const changesPerTurn = 10_000;

/** The followers answer `segment.membership`. */
export const membershipDecisions: Decisions<
  Omit<MembershipProtocol, 'segment.membership'>,
  SegmentsMemory
> = {
  'segment.watch': (state, { asked, follower, times }, context) =>
    withTraits(state, asked, times, context, (filter, traits, app) => {
      const { owner, nowMs } = context;
      const { segmentId } = asked;
      const entry: SegmentsEntry = {
        kind: 'segment.watched',
        owner,
        segmentId,
        follower,
        ...(!app.watches.has(segmentId) && {
          members: audienceOf(filter, traits, nowMs).snapshot(),
        }),
      };
      return accepted(null, { entries: [entry] });
    }),

  'segment.unwatch': (state, { segmentId, follower }, context) =>
    withApp(state, context, (app) => {
      if (!app.watches.get(segmentId)?.followers.has(follower)) return accepted(null);
      const { owner } = context;
      const entry: SegmentsEntry = { kind: 'segment.unwatched', owner, segmentId, follower };
      return accepted(null, { entries: [entry] });
    }),

  'segment.review': (state, { reviews }, context) =>
    withApp(state, context, (app) => {
      const changes: Change[] = [];
      for (const review of reviews) {
        const { segmentId } = review;
        const watch = app.watches.get(segmentId);
        const segment = app.segments.get(segmentId);
        if (watch === undefined || segment === undefined) continue;
        const filter = answerable(app, segmentId);
        const change =
          filter === undefined
            ? laterChange(watch, review)
            : changeOf(watch, review, personTest(filter, app.traits, context.nowMs));
        if (change !== undefined) changes.push(change);
      }
      return withMembershipTells(changes, context);
    }),

  'segment.reconcile': (state, { segmentId }, context) =>
    withApp(state, context, (app) => {
      const watch = app.watches.get(segmentId);
      const filter = answerable(app, segmentId);
      if (watch === undefined || filter === undefined) return accepted(null);
      const found = audienceOf(filter, app.traits, context.nowMs);
      const entered = first(found.clone().andNot(watch.members), changesPerTurn);
      const left = first(watch.members.clone().andNot(found), changesPerTurn - entered.length);
      if (entered.length + left.length === 0) return accepted(null);
      const told = entered.filter((person) => !watch.unproven.test(person));
      return withMembershipTells([{ segmentId, entered, left, told }], context);
    }),
};

/** Who enters, who leaves, and which of those who enter are reported to followers. */
interface Change {
  readonly segmentId: string;
  readonly entered: readonly PersonOrdinal[];
  readonly left: readonly PersonOrdinal[];
  readonly told: readonly PersonOrdinal[];
  /** Held back from now on, and no longer. */
  readonly unproven?: readonly PersonOrdinal[];
  readonly proven?: readonly PersonOrdinal[];
}

function changeOf(
  { members, unproven: held }: Watch,
  { segmentId, people, unproven = [], proven = [] }: Review,
  isIn: (person: PersonOrdinal) => boolean,
): Change | undefined {
  const entered = new Set<PersonOrdinal>();
  const left = new Set<PersonOrdinal>();
  for (const person of people) {
    if (isIn(person) === members.test(person)) continue;
    (members.test(person) ? left : entered).add(person);
  }
  const isHeld = new Set(unproven);
  const heldBack = [...entered].filter((person) => isHeld.has(person));
  const freed = [...new Set(proven)].filter((person) => held.test(person));
  if (entered.size + left.size + freed.length === 0) return undefined;
  const isFree = new Set(freed);
  const told = [...entered].filter(
    (person) => !isHeld.has(person) && (isFree.has(person) || !held.test(person)),
  );
  return {
    segmentId,
    entered: [...entered],
    left: [...left],
    told: [...told, ...freed.filter((person) => members.test(person) && !left.has(person))],
    ...(heldBack.length > 0 && { unproven: heldBack }),
    ...(freed.length > 0 && { proven: freed }),
  };
}

/**
 * While the filter waits for columns: who is not to be told of once it can be answered. Someone who
 * was held back and is proven now leaves, so that the review of everyone lets them enter.
 */
function laterChange(
  { members, unproven: held }: Watch,
  { segmentId, unproven = [], proven = [] }: Review,
): Change | undefined {
  const some = [...new Set(unproven)].filter((one) => !members.test(one) && !held.test(one));
  const freed = [...new Set(proven)].filter((one) => held.test(one));
  if (some.length + freed.length === 0) return undefined;
  const left = freed.filter((one) => members.test(one));
  return { segmentId, entered: [], left, told: [], unproven: some, proven: freed };
}

/** Writes the changes and tells the followers in the same turn. */
function withMembershipTells(
  changes: readonly Change[],
  { owner, nowMs: atMs }: Context,
): Decision<null> {
  if (changes.length === 0) return accepted(null);
  const entries: SegmentsEntry[] = [];
  const tells: Tell[] = [];
  for (const { told, ...change } of changes) {
    entries.push({ kind: 'segment.changed', owner, atMs, ...change });
    const { segmentId, left } = change;
    const message = { kind: 'segment.membership', by: -1, segmentId, entered: told, left, atMs };
    if (told.length + left.length > 0) tells.push({ to: owner, message });
  }
  return accepted(null, { entries, tells });
}

/** The segment's filter; undefined while it counts what no column has, so that membership waits. */
function answerable(app: SegmentsView, segmentId: string) {
  const filter = app.segments.get(segmentId)?.filter;
  return filter === undefined || uncounted(filter, app.traits).length > 0 ? undefined : filter;
}

function first(set: { nextFrom(value: number): number }, count: number): PersonOrdinal[] {
  const people: PersonOrdinal[] = [];
  for (
    let next = set.nextFrom(0);
    next >= 0 && people.length < count;
    next = set.nextFrom(next + 1)
  )
    people.push(next);
  return people;
}
