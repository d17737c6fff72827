// Decides about followed segments. A change is an entry in the turn of its event, with a message to
// the followers. An event only names people to review; the filter runs after its fold.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { audienceOf, personTest, uncounted } from './evaluate.ts';
import type { MembershipProtocol, SegmentsEntry } from './protocol.ts';
import type { SegmentsMemory, SegmentsView } from './view.ts';
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
      const entries: Change[] = [];
      for (const { segmentId, people } of reviews) {
        const watch = app.watches.get(segmentId);
        const filter = answerable(app, segmentId);
        if (watch === undefined || filter === undefined) continue;
        const isIn = personTest(filter, app.traits, context.nowMs);
        const moved = new Set<PersonOrdinal>();
        for (const person of people)
          if (isIn(person) !== watch.members.test(person)) moved.add(person);
        if (moved.size === 0) continue;
        const entered = [...moved].filter((person) => !watch.members.test(person));
        const left = [...moved].filter((person) => watch.members.test(person));
        entries.push(changeOf(segmentId, entered, left, context));
      }
      return withMembershipTells(entries);
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
      return withMembershipTells([changeOf(segmentId, entered, left, context)]);
    }),
};

type Change = Extract<SegmentsEntry, { kind: 'segment.changed' }>;

function changeOf(
  segmentId: string,
  entered: readonly PersonOrdinal[],
  left: readonly PersonOrdinal[],
  { owner, nowMs }: Context,
): Change {
  return { kind: 'segment.changed', owner, segmentId, entered, left, atMs: nowMs };
}

/** Writes the changes and tells the followers in the same turn. */
function withMembershipTells(entries: readonly Change[]): Decision<null> {
  if (entries.length === 0) return accepted(null);
  const tells = entries.map(({ owner, segmentId, entered, left, atMs }) => ({
    to: owner,
    message: { kind: 'segment.membership', by: -1, segmentId, entered, left, atMs },
  }));
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
