// A campaign as it is typed: every choice keeps what was filled in, also while another is chosen.
// `bodyOf` makes of it what the API takes. No DOM types here.

import type { Campaign, Channel, Filter, Operations, Schedule } from '../../../api/generated.ts';
import { instantOfWall, wallOf } from '../../../time/wall-clock.ts';
import { percentOf, shareOf } from '../../../ui/percents.ts';
import { type GuardDraft, guardBody, guardDraft } from './guard-draft.ts';

type Recurring = Extract<Schedule, { readonly type: 'recurring' }>;
type Experiment = NonNullable<Campaign['experiment']>;

export interface DraftVariant {
  /** Stays the same while `id` is typed. */
  readonly row: number;
  readonly id: string;
  readonly weight: number | undefined;
  readonly messageId: string | undefined;
}

export interface Draft extends GuardDraft {
  readonly name: string;
  readonly messageId: string | undefined;
  readonly audience: 'everybody' | 'segment' | 'filter';
  readonly segmentId: string | undefined;
  readonly filter: Filter | undefined;
  /** The key of a topic. */
  readonly topic: string | undefined;
  readonly hasChannels: boolean;
  readonly channels: readonly Channel[];
  readonly hasFallback: boolean;
  readonly fallbackChannels: readonly Channel[];
  readonly fallbackAfterMinutes: number | undefined;
  readonly when: Schedule['type'];
  /** Wall clock in `atZone`: "2026-11-24T09:30". */
  readonly at: string;
  readonly atZone: string;
  readonly every: Recurring['every'];
  readonly interval: number | undefined;
  readonly recurringAt: string;
  readonly weekdays: NonNullable<Recurring['weekdays']>;
  readonly dayOfMonth: number | undefined;
  readonly recurringZone: string;
  /** Wall clocks in `recurringZone`; empty for no bound. */
  readonly startAt: string;
  readonly endAt: string;
  readonly delivery: 'together' | 'local' | 'optimal';
  readonly localAt: string;
  readonly hasThrottle: boolean;
  readonly perMinute: number | undefined;
  readonly hasVariants: boolean;
  readonly variants: readonly DraftVariant[];
  readonly hasExperiment: boolean;
  readonly samplePercent: number | undefined;
  readonly winnerMetric: Experiment['winnerMetric'];
  readonly decideAfterMinutes: number | undefined;
  readonly hasHoldout: boolean;
  readonly holdoutPercent: number | undefined;
  readonly hasGoal: boolean;
  readonly goalEvent: string;
  readonly goalHours: number | undefined;
  readonly ifLate: Campaign['ifLate'];
}

export type CampaignBody = Operations['createCampaign']['body'];

export function blankDraft(zone: string, nowMs: number): Draft {
  const hourMs = 3_600_000;
  return {
    name: '',
    messageId: undefined,
    audience: 'everybody',
    segmentId: undefined,
    filter: undefined,
    topic: undefined,
    hasChannels: false,
    channels: [],
    hasFallback: false,
    fallbackChannels: [],
    fallbackAfterMinutes: 120,
    when: 'now',
    at: wallOf(Math.ceil((nowMs + hourMs) / hourMs) * hourMs, zone),
    atZone: zone,
    every: 'week',
    interval: 1,
    recurringAt: '09:00',
    weekdays: [],
    dayOfMonth: 1,
    recurringZone: zone,
    startAt: '',
    endAt: '',
    delivery: 'together',
    localAt: '09:00',
    hasThrottle: false,
    perMinute: 1_000,
    hasVariants: false,
    variants: [],
    hasExperiment: false,
    samplePercent: 20,
    winnerMetric: 'opened',
    decideAfterMinutes: 240,
    hasHoldout: false,
    holdoutPercent: 5,
    hasGoal: false,
    goalEvent: '',
    goalHours: 48,
    ...guardDraft({}),
    ifLate: 'hold',
  };
}

export function draftOf(campaign: Campaign, zone: string, nowMs: number): Draft {
  const { schedule, timezoneDelivery, throttle, experiment, goal, variants } = campaign;
  const audience =
    campaign.segmentId !== null ? 'segment' : campaign.filter !== null ? 'filter' : 'everybody';
  return {
    ...blankDraft(zone, nowMs),
    name: campaign.name,
    messageId: campaign.messageId,
    audience,
    segmentId: campaign.segmentId ?? undefined,
    filter: campaign.filter ?? undefined,
    topic: campaign.topic ?? undefined,
    hasChannels: campaign.channels !== null,
    channels: campaign.channels ?? [],
    ...(campaign.fallbackChannels !== null && {
      hasFallback: true,
      fallbackChannels: campaign.fallbackChannels,
      fallbackAfterMinutes: campaign.fallbackAfterMinutes ?? undefined,
    }),
    ...scheduleDraft(schedule, zone),
    delivery: timezoneDelivery !== null ? 'local' : campaign.optimalTime ? 'optimal' : 'together',
    ...(timezoneDelivery !== null && { localAt: timezoneDelivery.at }),
    ...(throttle !== null && { hasThrottle: true, perMinute: throttle.perMinute }),
    ...(variants !== null && {
      hasVariants: true,
      variants: variants.map(({ id, weight, messageId }, row) => ({ row, id, weight, messageId })),
    }),
    ...(experiment !== null && {
      hasExperiment: true,
      samplePercent: percentOf(experiment.sampleShare),
      winnerMetric: experiment.winnerMetric,
      decideAfterMinutes: experiment.decideAfterMinutes,
    }),
    ...(campaign.holdoutShare > 0 && {
      hasHoldout: true,
      holdoutPercent: percentOf(campaign.holdoutShare),
    }),
    ...(goal !== null && { hasGoal: true, goalEvent: goal.event, goalHours: goal.withinHours }),
    ...guardDraft(campaign.guard),
    ifLate: campaign.ifLate,
  };
}

function scheduleDraft(schedule: Schedule, zone: string): Partial<Draft> {
  if (schedule.type === 'now') return { when: 'now' };
  if (schedule.type === 'at')
    return { when: 'at', at: wallOf(Date.parse(schedule.at), zone), atZone: zone };
  const { every, interval = 1, at, weekdays = [], dayOfMonth = 1, timezone } = schedule;
  const bound = (time: string | undefined) =>
    time === undefined ? '' : wallOf(Date.parse(time), timezone);
  return {
    when: 'recurring',
    every,
    interval,
    recurringAt: at,
    weekdays,
    dayOfMonth,
    recurringZone: timezone,
    startAt: bound(schedule.startAt),
    endAt: bound(schedule.endAt),
  };
}

/** What the API takes; `null` removes what the campaign had. Half-filled parts are left out. */
export function bodyOf(draft: Draft): Omit<CampaignBody, 'messageId'> & { messageId?: string } {
  const { messageId, delivery } = draft;
  return {
    ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
    ...(messageId !== undefined && { messageId }),
    segmentId: draft.audience === 'segment' ? (draft.segmentId ?? null) : null,
    filter: draft.audience === 'filter' ? (draft.filter ?? null) : null,
    topic: draft.topic ?? null,
    channels: draft.hasChannels && draft.channels.length > 0 ? draft.channels : null,
    ...fallbackOf(draft),
    schedule: scheduleOf(draft),
    timezoneDelivery: delivery === 'local' ? { at: draft.localAt } : null,
    optimalTime: delivery === 'optimal',
    throttle:
      draft.hasThrottle && draft.perMinute !== undefined ? { perMinute: draft.perMinute } : null,
    ...variantsOf(draft),
    holdoutShare: draft.hasHoldout ? shareOf(draft.holdoutPercent ?? 0) : 0,
    goal:
      draft.hasGoal && draft.goalEvent.trim() !== ''
        ? { event: draft.goalEvent.trim(), withinHours: draft.goalHours ?? 48 }
        : null,
    guard: guardBody(draft),
    ifLate: draft.ifLate,
  };
}

function fallbackOf({ hasFallback, fallbackChannels, fallbackAfterMinutes }: Draft) {
  const isWhole = hasFallback && fallbackChannels.length > 0 && fallbackAfterMinutes !== undefined;
  return isWhole
    ? { fallbackChannels, fallbackAfterMinutes }
    : { fallbackChannels: null, fallbackAfterMinutes: null };
}

function variantsOf(draft: Draft) {
  const whole = draft.variants.flatMap(({ id, weight, messageId }) =>
    weight === undefined || messageId === undefined || id.trim() === ''
      ? []
      : [{ id: id.trim(), weight, messageId }],
  );
  if (!draft.hasVariants || whole.length < 2 || whole.length < draft.variants.length)
    return { variants: null, experiment: null };
  const { hasExperiment, samplePercent, decideAfterMinutes, winnerMetric } = draft;
  return {
    variants: whole,
    experiment:
      hasExperiment && samplePercent !== undefined && decideAfterMinutes !== undefined
        ? { sampleShare: shareOf(samplePercent), winnerMetric, decideAfterMinutes }
        : null,
  };
}

export function scheduleOf(draft: Draft): Schedule {
  if (draft.when === 'at') {
    const at = instantOfWall(draft.at, draft.atZone);
    return at === undefined ? { type: 'now' } : { type: 'at', at: new Date(at.atMs).toISOString() };
  }
  if (draft.when === 'now') return { type: 'now' };
  const { every, interval, weekdays, dayOfMonth, recurringZone: timezone } = draft;
  const bound = (wall: string) => {
    const found = instantOfWall(wall, timezone);
    return found === undefined ? undefined : new Date(found.atMs).toISOString();
  };
  const [startAt, endAt] = [bound(draft.startAt), bound(draft.endAt)];
  return {
    type: 'recurring',
    every,
    interval: interval ?? 1,
    at: draft.recurringAt,
    ...(every === 'week' && weekdays.length > 0 && { weekdays }),
    ...(every === 'month' && dayOfMonth !== undefined && { dayOfMonth }),
    timezone,
    ...(startAt !== undefined && { startAt }),
    ...(endAt !== undefined && { endAt }),
  };
}
