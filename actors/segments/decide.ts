// Decisions about segments. A filter is judged against the app's own retention, and answered from the columns at once.

import { accepted, type Context, type Decision, refused } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import { dayMs } from '../../engine/base/brand.ts';
import { newId } from '../../engine/base/id.ts';
import { subscribers } from '../../storage/tables/subscriber.ts';
import { withApp } from '../accounts/decide.ts';
import { viewOf, withPerson } from '../audience/decide.ts';
import type { SubscriberView } from '../audience/protocol.ts';
import { fault, notFound } from '../faults.ts';
import { limits } from '../limits.ts';
import type { AppState, PartitionState } from '../state.ts';
import { audienceOf, explain, matches, uncounted } from './evaluate.ts';
import { EventTimes } from './event-times.ts';
import { type Filter, longestWindowDays } from './filter.ts';
import { parseFilter } from './parse-filter.ts';
import type {
  AskedFilter,
  CountedTimes,
  ExplainedCondition,
  SegmentRecord,
  SegmentsEntry,
  SegmentsProtocol,
} from './protocol.ts';
import type { Traits } from './traits.ts';

export const segmentsDecisions: Decisions<SegmentsProtocol, PartitionState> = {
  'segment.create': (state, { name, filter }, context) =>
    withApp(state, context, (app) => {
      if (app.segments.size >= limits.segmentsMax) {
        return refused(
          fault('conflict', `an app has at most ${limits.segmentsMax} segments`, { field: 'name' }),
        );
      }
      const { owner, nowMs } = context;
      const judged = judge(app, filter);
      if ('fault' in judged) return refused(judged.fault);
      const id = newId('seg', owner, nowMs, context.rng);
      return save({ id, name, filter: judged.filter, createdMs: nowMs, updatedMs: nowMs }, context);
    }),

  'segment.read': (state, { id }, context) =>
    withSegment(state, id, context, (segment) => accepted(segment)),

  'segment.update': (state, { id, name, filter }, context) =>
    withSegment(state, id, context, (segment, app) => {
      const judged = filter === undefined ? segment : judge(app, filter);
      if ('fault' in judged) return refused(judged.fault);
      const changed = { ...segment, name: name ?? segment.name, filter: judged.filter };
      return save({ ...changed, updatedMs: context.nowMs }, context);
    }),

  'segment.delete': (state, { id }, context) =>
    withSegment(state, id, context, () => {
      const entry: SegmentsEntry = { kind: 'segment.deleted', owner: context.owner, id };
      return accepted(null, { entries: [entry] });
    }),

  'segment.list': (state, _message, context) =>
    withApp(state, context, ({ segments }) => accepted([...segments.values()])),

  'segment.uncounted': (state, { asked }, context) =>
    withFilter(state, asked, context, (filter, app) =>
      accepted({
        names: uncounted(filter, app.traits),
        fromMs: context.nowMs - longestWindowDays(filter) * dayMs,
        erased: [...app.people.erased],
        merged: app.people.merged(),
      }),
    ),

  'segment.preview': (state, { asked, sample, times }, context) =>
    withFilter(state, asked, context, (filter, app) => {
      const traits = withTimes(app.traits, times);
      const found = audienceOf(filter, traits, context.nowMs);
      const people: SubscriberView[] = [];
      for (let person = found.nextFrom(0); person >= 0; person = found.nextFrom(person + 1)) {
        if (people.length >= sample) break;
        const row = context.documents.get(subscribers, [person]);
        if (row !== undefined) people.push(viewOf(app, row));
      }
      return accepted({ count: found.count(), total: app.people.count, sample: people });
    }),

  'segment.explain': (state, { asked, ref, times }, context) =>
    withFilter(state, asked, context, (filter) =>
      withPerson(state, ref, context, (app, { person, tags }) => {
        const traits = withTimes(app.traits, times);
        const { nowMs } = context;
        const conditions = explain(filter, traits, person, nowMs).map((one): ExplainedCondition => {
          const { condition } = one;
          if ('tag' in condition) return { ...one, value: tags[condition.tag] ?? null };
          if ('event' in condition) {
            const lastMs = traits.events.get(condition.event)?.at(person) || null;
            if (!('withinDays' in condition) || condition.atLeast === undefined)
              return { ...one, lastMs };
            const cutMs = nowMs - condition.withinDays * dayMs;
            const count = traits.times.get(condition.event)?.countAfter(person, cutMs) ?? 0;
            return { ...one, lastMs, count };
          }
          if ('channel' in condition) return one;
          return { ...one, lastMs: traits.activity.at(person) || null };
        });
        return accepted({ matches: matches(filter, traits, person, nowMs), conditions });
      }),
    ),
};

function save(segment: SegmentRecord, { owner }: Context): Decision<SegmentRecord> {
  const entry: SegmentsEntry = { kind: 'segment.saved', owner, segment };
  return accepted(segment, { entries: [entry] });
}

function judge(app: AppState, filter: unknown) {
  const retentionDays = app.settings.eventsRetentionDays ?? limits.eventsRetentionDays;
  return parseFilter(filter, { retentionDays });
}

function withSegment<R>(
  state: PartitionState,
  id: string,
  context: Context,
  decide: (segment: SegmentRecord, app: AppState) => Decision<R>,
): Decision<R> {
  return withApp(state, context, (app) => {
    const segment = app.segments.get(id);
    return segment === undefined ? refused(notFound('segment')) : decide(segment, app);
  });
}

function withFilter<R>(
  state: PartitionState,
  asked: AskedFilter,
  context: Context,
  decide: (filter: Filter, app: AppState) => Decision<R>,
): Decision<R> {
  if ('id' in asked)
    return withSegment(state, asked.id, context, ({ filter }, app) => decide(filter, app));
  return withApp(state, context, (app) => {
    const judged = judge(app, asked.filter);
    return 'fault' in judged ? refused(judged.fault) : decide(judged.filter, app);
  });
}

/** The columns with what was read for this one question; nothing of it is kept. */
function withTimes(traits: Traits, times: CountedTimes | undefined): Traits {
  if (times === undefined || times.length === 0) return traits;
  const read = times.map(([name, snapshot]) => [name, EventTimes.restore(snapshot)] as const);
  return Object.assign(Object.create(traits), { times: new Map([...traits.times, ...read]) });
}
