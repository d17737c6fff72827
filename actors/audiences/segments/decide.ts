// Decides about segments. The app's retention bounds a filter's windows; columns answer it.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { newId } from '../../../engine/base/id.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { copiedName } from '../../copied-name.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { readPerson, withPerson } from '../../people/audience/find-person.ts';
import { takesMarketing } from '../../people/audience/identity.ts';
import { pageOfPeople, viewOf } from '../../people/audience/people-page.ts';
import type { SubscriberView } from '../../people/audience/protocol.ts';
import { keptFromMs } from '../../tenants/accounts/records.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import {
  audienceOf,
  countedNames,
  countOf,
  cutOf,
  explain,
  keptCutOf,
  matches,
  partsOf,
  reachOf,
  uncounted,
  workOfCondition,
} from './evaluate.ts';
import { eachCondition, type Filter, longestWindowDays } from './filter.ts';
import { validateFilter, withSegment } from './find-segment.ts';
import type { SegmentsMemory, SegmentsView } from './memory.ts';
import type {
  ExplainedCondition,
  ExplainedDevice,
  PersonInSegment,
  SegmentRecord,
  SegmentsEntry,
  SegmentsProtocol,
  SegmentUse,
} from './protocol.ts';
import { isOptedOut } from './trait-changes.ts';
import { nothingUncounted, stillUncounted, uncountedTimes } from './uncounted-times.ts';
import { withFilter, withTimes, withTraits } from './with-traits.ts';

export const segmentsDecisions: Decisions<SegmentsProtocol, SegmentsMemory> = {
  'segment.create': (state, { name, filter }, context) =>
    withApp(state, context, (app) => create(app, name, filter, context)),

  'segment.duplicate': (state, { id, name }, context) =>
    withSegment(state, id, context, (segment, app) =>
      create(app, name ?? copiedName(segment.name), segment.filter, context),
    ),

  'segment.read': (state, { id }, context) =>
    withSegment(state, id, context, (segment) => accepted(segment)),

  'segment.update': (state, { id, name, filter }, context) =>
    withSegment(state, id, context, (segment, app) => {
      const validated = filter === undefined ? segment : validateFilter(app, filter);
      if ('fault' in validated) return refused(validated.fault);
      const changed = { ...segment, name: name ?? segment.name, filter: validated.filter };
      return save({ ...changed, updatedMs: context.nowMs }, context);
    }),

  'segment.delete': (state, { id }, context) =>
    withSegment(state, id, context, (_segment, app) => {
      const journey = app.journeys.userOfSegment(id);
      if (journey !== undefined)
        return refused(
          fault('in_use', `${journey} uses this segment as its trigger; delete the journey first`),
        );
      const followers = [...(app.watches.get(id)?.followers ?? [])];
      if (followers.length > 0)
        return refused(fault('in_use', `this segment is in use by ${followers.join(', ')}`));
      const [campaign] = app.campaigns.usersOfSegment(id);
      if (campaign !== undefined)
        return refused(
          fault(
            'in_use',
            `${campaign.what} uses this segment; cancel or delete the campaign first`,
          ),
        );
      const entry: SegmentsEntry = { kind: 'segment.deleted', owner: context.owner, id };
      return accepted(null, { entries: [entry] });
    }),

  'segment.uses': (state, { id }, context) =>
    withSegment(state, id, context, (_segment, { campaigns, journeys }) => {
      const uses: SegmentUse[] = [];
      for (const { record } of campaigns.usersOfSegment(id)) {
        const { id, name, state } = record;
        uses.push({ kind: 'campaign', id, name, state });
      }
      for (const { id: journey, name, active } of journeys.recordsOfSegment(id))
        uses.push({ kind: 'journey', id: journey, name, state: active ? 'active' : 'inactive' });
      return accepted({ items: uses.slice(0, limits.usesListed), total: uses.length });
    }),

  'segment.list': (state, _message, context) =>
    withApp(state, context, ({ segments }) => accepted([...segments.values()])),

  'segments.uncounted_of': (state, { ref }, context) =>
    withPerson(state, ref, context, (app, { person }) =>
      accepted(uncountedTimes(filtersOf(app), app, person, context.nowMs)),
    ),

  'segments.of_person': (state, { ref, times }, context) =>
    withPerson(state, ref, context, (app, { person }) => {
      const traits = withTimes(app.traits, times);
      const waiting = stillUncounted(filtersOf(app), traits);
      if (waiting !== undefined) return refused(waiting);
      const items: PersonInSegment[] = [];
      let work = 0;
      for (const { id, name, filter } of app.segments.values()) {
        items.push({ id, name, matches: matches(filter, traits, person, context.nowMs) });
        eachCondition(filter, () => {
          work += workOfCondition;
        });
      }
      return accepted(items, { work });
    }),

  'segment.uncounted': (state, { asked, ref }, context) =>
    withFilter(state, asked, context, (filter, app) => {
      const { people, traits } = app;
      const fromMs = cutOf(longestWindowDays(filter), context.nowMs);
      if (ref === undefined) {
        const names = uncounted(filter, traits);
        if (names.length === 0) return accepted(nothingUncounted);
        return accepted({ names, fromMs, erased: [...people.erased], merged: people.merged() });
      }
      // One person's events are counted to the maximum, whatever the columns keep, so that an
      // explanation shows how often.
      const names = countedNames(filter).map(([name]) => [name, limits.filterAtLeastMax] as const);
      if (names.length === 0) return accepted(nothingUncounted);
      const row = readPerson(app, ref, context);
      if (row === undefined) return refused(notFound('subscriber'));
      const { person } = row;
      return accepted({ names, person, fromMs, erased: [], merged: people.mergedInto(person) });
    }),

  'segment.preview': (state, { asked, sample, parts, reach, times }, context) =>
    withTraits(state, asked, times, context, (filter, traits, app) => {
      const { nowMs } = context;
      const total = app.people.count;
      const more = {
        ...(parts === true && { parts: partsOf(filter, traits, nowMs) }),
        ...(reach === true && { reach: reachOf(filter, traits, nowMs) }),
      };
      if (sample === 0)
        return accepted({ count: countOf(filter, traits, nowMs), total, sample: [], ...more });
      const found = audienceOf(filter, traits, context.nowMs);
      const people: SubscriberView[] = [];
      for (let person = found.nextFrom(0); person >= 0; person = found.nextFrom(person + 1)) {
        if (people.length >= sample) break;
        const row = context.documents.get(subscribers, [person]);
        if (row !== undefined) people.push(viewOf(app, row, context));
      }
      return accepted({ count: found.count(), total, sample: people, ...more });
    }),

  'segment.members': (state, message, context) =>
    withTraits(state, message.asked, message.times, context, (filter, traits, app) =>
      pageOfPeople(app, audienceOf(filter, traits, context.nowMs), message, context),
    ),

  'segment.explain': (state, { asked, ref, times }, context) =>
    withTraits(state, asked, times, context, (filter, traits) =>
      withPerson(state, ref, context, (app, row) => {
        const { person, tags } = row;
        const { nowMs, ages } = context;
        const keptMs = keptFromMs(app.settings, ages, nowMs);
        const conditions = explain(filter, traits, person, nowMs).map((one): ExplainedCondition => {
          const { condition } = one;
          if ('tag' in condition) {
            const { tag } = condition;
            return { ...one, value: Object.hasOwn(tags, tag) ? (tags[tag] ?? null) : null };
          }
          if ('event' in condition) {
            const lastMs = keptTime(keptMs, traits.events.get(condition.event)?.at(person));
            if (!('withinDays' in condition) || condition.atLeast === undefined)
              return { ...one, lastMs };
            const cutMs = keptCutOf(condition.withinDays, nowMs, traits);
            const count = traits.timesOf(condition.event)?.countAfter(person, cutMs) ?? 0;
            return { ...one, lastMs, count };
          }
          if ('channel' in condition)
            return { ...one, devices: devicesOf(app, row, condition.channel) };
          const lastMs = keptTime(keptMs, traits.activity.at(person));
          // A new person is not inactive yet.
          if ('inactiveForDays' in condition)
            return { ...one, lastMs, createdMs: traits.created.at(person) };
          return { ...one, lastMs };
        });
        return accepted({ matches: matches(filter, traits, person, nowMs), conditions });
      }),
    ),
};

function* filtersOf({ segments }: Pick<SegmentsView, 'segments'>): Generator<Filter> {
  for (const { filter } of segments.values()) yield filter;
}

/** `null` for none, or one that is hidden. */
function keptTime(fromMs: Millis, atMs = 0): Millis | null {
  return atMs < fromMs || atMs === 0 ? null : atMs;
}

/** A person's devices on a channel, with what decides whether it reaches them. */
function devicesOf(
  app: SegmentsView,
  { devices }: SubscriberRow,
  channel: ChannelId,
): readonly ExplainedDevice[] {
  return devices
    .filter((device) => device.channel === channel)
    .map((device) => ({
      id: device.id,
      enabled: device.enabled,
      ...(device.disabledReason === undefined ? {} : { disabledReason: device.disabledReason }),
      optedOut: isOptedOut(device, (identity) => !takesMarketing(app, identity)),
    }));
}

function create(
  app: SegmentsView,
  name: string,
  filter: unknown,
  context: Context,
): Decision<SegmentRecord> {
  if (app.segments.size >= limits.segmentsMax)
    return refused(
      fault('limit_reached', `an app has at most ${limits.segmentsMax} segments`, {
        field: 'name',
      }),
    );
  const { owner, nowMs } = context;
  const validated = validateFilter(app, filter);
  if ('fault' in validated) return refused(validated.fault);
  const id = newId('seg', owner, nowMs, context.rng);
  return save({ id, name, filter: validated.filter, createdMs: nowMs, updatedMs: nowMs }, context);
}

function save(segment: SegmentRecord, { owner }: Context): Decision<SegmentRecord> {
  const entry: SegmentsEntry = { kind: 'segment.saved', owner, segment };
  return accepted(segment, { entries: [entry] });
}
