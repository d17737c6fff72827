// The facts of an insight: everything that its answer needs from memory, in one small turn. It also
// decides whether the answer can be exact, since only the app knows how long it keeps events.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { dayMs, hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { audienceOf } from '../../audiences/segments/evaluate.ts';
import { withTraits } from '../../audiences/segments/with-traits.ts';
import { notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { InsightsMemory, InsightsView } from './memory.ts';
import {
  type Facts,
  growthDaysMax,
  growthHourDaysMax,
  type InsightsProtocol,
  type Period,
  type Question,
  type SeriesInterval,
  seriesBucketsMax,
} from './protocol.ts';

/** The default days and periods, where the app keeps events that long. */
const daysDefault = 30;
const periodsDefault: Readonly<Record<Period, number>> = { day: 14, week: 8, month: 6 };
/** The longest period in days: an app must keep events for all of them. */
const periodDays: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 31 };

/** The messages of this area. The queries themselves are answered by the host, with these facts. */
export const insightsDecisions: Pick<
  Decisions<InsightsProtocol, InsightsMemory>,
  'insight.facts'
> = {
  'insight.facts': (state, { question, times }, context) => {
    if (question.kind !== 'insight.funnel' || question.filter === undefined)
      return withApp(state, context, (app) => factsOf(question, app, context));
    return withTraits(state, { filter: question.filter }, times, context, (filter, traits, app) =>
      factsOf(question, app, context, {
        audience: audienceOf(filter, traits, context.nowMs).snapshot(),
      }),
    );
  },
};

function factsOf(
  question: Question,
  app: InsightsView,
  { nowMs }: Context,
  more: Pick<Facts, 'audience'> = {},
): Decision<Facts> {
  if (question.kind === 'insight.campaign_series') return seriesFacts(question, app, nowMs);
  const span = spanOf(question, app.settings.eventsRetentionDays ?? limits.eventsRetentionDays);
  if (typeof span !== 'number') return refused(span);
  const needsCreated = question.kind === 'insight.growth' || question.kind === 'insight.retention';
  const { next, created } = app.traits;
  const { goneBeforeMs } = app.settings;
  return accepted({
    nowMs,
    timezone: app.record.timezone,
    span,
    ...(goneBeforeMs === undefined ? {} : { goneBeforeMs }),
    erased: [...app.people.erased],
    merged: app.people.merged(),
    ...(question.kind === 'insight.heatmap' ? { zones: app.contact.zonesOfPeople() } : {}),
    ...(needsCreated ? { created: { next, column: created.snapshot() } } : {}),
    ...more,
  });
}

/** A campaign's range: from its start, or from the oldest events that are kept. */
function seriesFacts(
  { campaignId, interval, fromMs: fromAsked, toMs: toAsked }: SeriesQuestion,
  { campaigns, sending, settings, record, people }: InsightsView,
  nowMs: Millis,
): Decision<Facts> {
  if (campaigns.get(campaignId) === undefined) return refused(notFound('campaign'));
  const keptDays = settings.eventsRetentionDays ?? limits.eventsRetentionDays;
  const { goneBeforeMs = 0 } = settings;
  const starts = [...sending.past(campaignId), ...sending.of(campaignId)];
  const begunMs = Math.min(...starts.map(({ startedMs }) => startedMs));
  const sinceMs = Math.max(begunMs, nowMs - keptDays * dayMs, goneBeforeMs);
  const fromMs = Math.max(fromAsked ?? 0, sinceMs);
  const mostMs = bucketMs[interval] * (seriesBucketsMax - 1);
  const toMs = Math.min(toAsked ?? fromMs + mostMs, nowMs);
  if (toAsked !== undefined && toAsked <= (fromAsked ?? 0))
    return refused(fieldFault('to', 'expected an instant after `from`'));
  if (toMs - fromMs > mostMs)
    return refused(
      fieldFault('interval', `a series has at most ${seriesBucketsMax} ${interval}s; narrow it`),
    );
  const isEmpty = starts.length === 0 || toMs < fromMs;
  return accepted({
    nowMs,
    timezone: record.timezone,
    span: 0,
    ...(goneBeforeMs === 0 ? {} : { goneBeforeMs }),
    erased: [...people.erased],
    merged: people.merged(),
    ...(isEmpty ? {} : { series: { fromMs, toMs, sinceMs } }),
  });
}

type SeriesQuestion = Extract<Question, { kind: 'insight.campaign_series' }>;

const bucketMs: Readonly<Record<SeriesInterval, Millis>> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
};

/** The number of days or periods of a query, or why it cannot be answered exactly. */
function spanOf(question: Exclude<Question, SeriesQuestion>, keptDays: number): number | Fault {
  const kept = `this app keeps events for ${keptDays} days`;
  if (question.kind === 'insight.retention') {
    const { interval, periods } = question;
    const most = Math.floor(keptDays / periodDays[interval]);
    if (most === 0) return fieldFault('interval', `${kept}, less than a ${interval}`);
    if (periods === undefined) return Math.min(periodsDefault[interval], most);
    if (periods <= most) return periods;
    return fieldFault('periods', `${kept}; expected 1 to ${most} ${interval}s`);
  }
  const { days } = question;
  if (question.kind === 'insight.growth') {
    if (days === undefined) return daysDefault;
    if (days > growthDaysMax) return fieldFault('days', `expected 1 to ${growthDaysMax}`);
    if (question.interval !== 'hour' || days <= growthHourDaysMax) return days;
    return fieldFault('interval', `hourly buckets cover at most ${growthHourDaysMax} days`);
  }
  if (days === undefined) return Math.min(daysDefault, keptDays);
  if (days <= keptDays) return days;
  return fieldFault('days', `${kept}; expected 1 to ${keptDays}`);
}
