// The gate for one lane: first the campaign's own waits (experiment, local time, optimal time),
// then the rules of `sending/gate/gate.ts`. Fan-out and dry runs both use it, so they agree.

import type { Context } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { Phase, Turn } from '../../sending/dispatch/entries.ts';
import { type Ahead, Gate } from '../../sending/gate/gate.ts';
import { LocalTimes } from '../../sending/gate/local-times.ts';
import type { OrgRoom } from '../../sending/gate/org-room.ts';
import type { Verdict } from '../../sending/gate/verdict.ts';
import { isInSample } from './bucketing.ts';
import { noChannel } from './lane.ts';
import type { CampaignsView } from './memory.ts';
import type { Occurrence } from './occurrence.ts';
import { OptimalTimes } from './optimal-times.ts';
import { experimentEndsMs } from './pace.ts';
import type { CampaignPlan } from './records.ts';

/** `send`: allowed. `undecided`: the experiment is over, but its winner is not yet chosen. */
type LaneVerdict = Turn | 'send' | 'undecided';

/** A dry run passes an occurrence that has not started. */
type GatedOccurrence = Pick<Occurrence, 'startedMs' | 'aheadMs' | 'winner' | 'appHour'>;

const gone: Turn = { turn: 'gone' };

export class LaneGate {
  readonly #app: CampaignsView;
  readonly #campaign: CampaignPlan;
  readonly #phase: Phase;
  readonly #nowMs: Millis;
  /** Local times go by the wall clock. */
  readonly #behindMs: Millis;
  readonly #endsMs: Millis;
  readonly #isMail: boolean;
  readonly #gate: Gate | undefined;
  readonly #local: LocalTimes | undefined;
  readonly #optimal: OptimalTimes | undefined;
  readonly #room: OrgRoom;
  /** Until when people outside the sample wait; `undefined` without a pending experiment. */
  readonly #experimentMs: Millis | undefined;

  /** `channel`: index in the catalog, or `noChannel`. */
  constructor(
    app: CampaignsView,
    campaign: CampaignPlan,
    occurrence: GatedOccurrence,
    { phase, channel }: { readonly phase: Phase; readonly channel: number },
    { nowMs, wallMs }: Pick<Context, 'nowMs' | 'wallMs'>,
    isConfigured: boolean,
    room: OrgRoom,
  ) {
    this.#app = app;
    this.#campaign = campaign;
    this.#phase = phase;
    this.#nowMs = nowMs;
    const behindMs = nowMs - wallMs;
    this.#behindMs = behindMs;
    this.#room = room;
    const id = channel === noChannel ? undefined : (channelIds[channel] as ChannelId);
    const { timezoneDelivery, experiment, ttlMs, topic } = campaign;
    const startedMs = occurrence.startedMs - occurrence.aheadMs - behindMs;
    this.#endsMs = nowMs + (ttlMs ?? Number.POSITIVE_INFINITY);
    this.#isMail = id === 'email';
    this.#gate =
      id === undefined
        ? undefined
        : new Gate(app, id, nowMs, { ttlMs, isConfigured, topic, behindMs });
    this.#local =
      timezoneDelivery === undefined || phase === 'fallback'
        ? undefined
        : new LocalTimes(app, timezoneDelivery.at, startedMs);
    this.#optimal =
      campaign.optimalTime && phase === 'primary'
        ? new OptimalTimes(app, startedMs, occurrence.appHour ?? undefined)
        : undefined;
    const waits = experiment !== undefined && occurrence.winner === null && phase === 'primary';
    this.#experimentMs = waits ? experimentEndsMs(campaign, occurrence) : undefined;
  }

  /**
   * `isFirst`: the person has not been sent this message on another channel. `ahead`: sends that a
   * dry run supposes.
   */
  ask(person: PersonOrdinal, isFirst: boolean, ahead?: Ahead): LaneVerdict {
    if (!this.#app.traits.alive.test(person)) return gone;
    if (this.#experimentMs !== undefined && !isInSample(this.#campaign, person)) {
      if (this.#experimentMs <= this.#nowMs) return 'undecided';
      return { turn: 'hold', reason: 'experiment', untilMs: this.#experimentMs };
    }
    const local = this.#local?.of(person);
    if (local !== undefined && local.atMs + this.#behindMs > this.#nowMs)
      return {
        turn: 'hold',
        reason: 'local_time',
        untilMs: local.atMs + this.#behindMs,
        ...(local.isNextDay ? { isNextDay: true as const } : {}),
      };
    const optimalMs = (this.#optimal?.of(person) ?? 0) + this.#behindMs;
    if (optimalMs > this.#nowMs)
      return { turn: 'hold', reason: 'optimal_time', untilMs: optimalMs };
    if (this.#gate === undefined) return suppressTurn(this.#whyUnreached(person));
    return turnOf(this.#gate.ask(person, isFirst, ahead));
  }

  /** The last rules: the org's remaining sends and emails. */
  askRoom(isFirst: boolean): Turn | 'send' {
    const day = isFirst ? turnOf(this.#room.askDay(this.#endsMs)) : 'send';
    return day === 'send' && this.#isMail ? turnOf(this.#room.askEmail()) : day;
  }

  /** Uses up room: each device gets an email. */
  takeRoom(isFirst: boolean, devices: number): void {
    if (isFirst) this.#room.takeDay();
    if (this.#isMail) this.#room.takeEmail(devices);
  }

  #whyUnreached(person: PersonOrdinal): string {
    const { channels, fallbackChannels } = this.#campaign;
    const targeted =
      this.#phase === 'primary' ? (channels ?? channelIds) : (fallbackChannels ?? []);
    return targeted.some((channel) =>
      this.#app.contact.hasOptedOut(person, channelIds.indexOf(channel)),
    )
      ? 'opt_out'
      : 'no_device';
  }
}

function turnOf(verdict: Verdict): Turn | 'send' {
  if (verdict.answer === 'send') return 'send';
  if (verdict.answer === 'suppress') return suppressTurn(verdict.reason);
  return { turn: 'hold', reason: verdict.reason, untilMs: verdict.untilMs };
}

export function suppressTurn(reason: string): Turn {
  return { turn: 'suppress', reason };
}
