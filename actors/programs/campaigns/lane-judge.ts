// What becomes of a person on one channel of an occurrence, before anything is taken of what is
// scarce: the campaign's own rules first (experiment, local hour), then policy. Slices and dry runs
// both ask here, so that what is previewed is what is sent.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/catalog.ts';
import type { Phase, Turn } from '../../sending/dispatch/entries.ts';
import { Judge } from '../../sending/policy/judge.ts';
import { LocalTimes } from '../../sending/policy/local-times.ts';
import type { AppState } from '../../state.ts';
import { noChannel } from './lane.ts';
import type { Occurrence } from './occurrence.ts';
import { OptimalTimes } from './optimal-times.ts';
import { experimentEndsMs } from './pace.ts';
import type { CampaignRecord } from './records.ts';
import { isInSample } from './share.ts';

/**
 * A turn, that somebody may be sent to, or that their turn has to wait for the experiment to be
 * decided.
 */
export type Judged = Turn | 'send' | 'undecided';

/** What of an occurrence matters; a dry run has one that has not begun. */
export type JudgedOccurrence = Pick<Occurrence, 'startedMs' | 'winner' | 'appHour'>;

const gone: Turn = { turn: 'gone' };

export class LaneJudge {
  readonly #app: AppState;
  readonly #campaign: CampaignRecord;
  readonly #phase: Phase;
  readonly #nowMs: Millis;
  readonly #judge: Judge | undefined;
  readonly #local: LocalTimes | undefined;
  readonly #optimal: OptimalTimes | undefined;
  readonly #isConfigured: boolean;
  /** Until when whoever is not in the sample waits; `undefined` where nobody does. */
  readonly #experimentMs: Millis | undefined;

  /** `channel`: in the catalogue's order, or `noChannel`. */
  constructor(
    app: AppState,
    campaign: CampaignRecord,
    occurrence: JudgedOccurrence,
    { phase, channel }: { readonly phase: Phase; readonly channel: number },
    nowMs: Millis,
    isConfigured: boolean,
  ) {
    this.#app = app;
    this.#campaign = campaign;
    this.#phase = phase;
    this.#nowMs = nowMs;
    this.#isConfigured = isConfigured;
    const id = channel === noChannel ? undefined : (channelIds[channel] as ChannelId);
    this.#judge = id === undefined ? undefined : new Judge(app, id, nowMs, campaign.ttlMs);
    const { timezoneDelivery, experiment } = campaign;
    this.#local =
      timezoneDelivery === undefined || phase === 'fallback'
        ? undefined
        : new LocalTimes(app, timezoneDelivery.at, occurrence.startedMs);
    this.#optimal =
      campaign.optimalTime && phase === 'primary'
        ? new OptimalTimes(app, occurrence.startedMs, occurrence.appHour ?? undefined)
        : undefined;
    const waits = experiment !== undefined && occurrence.winner === null && phase === 'primary';
    this.#experimentMs = waits ? experimentEndsMs(campaign, occurrence) : undefined;
  }

  /** `isFirst`: nothing of the message was sent to the person yet on another channel. */
  judge(person: PersonOrdinal, isFirst: boolean): Judged {
    if (!this.#app.traits.alive.test(person)) return gone;
    if (this.#experimentMs !== undefined && !isInSample(this.#campaign, person)) {
      if (this.#experimentMs <= this.#nowMs) return 'undecided';
      return { turn: 'hold', reason: 'experiment', untilMs: this.#experimentMs };
    }
    const local = this.#local?.of(person);
    if (local !== undefined && local.atMs > this.#nowMs)
      return {
        turn: 'hold',
        reason: 'local_time',
        untilMs: local.atMs,
        ...(local.isNextDay ? { isNextDay: true as const } : {}),
      };
    const optimalMs = this.#optimal?.of(person) ?? 0;
    if (optimalMs > this.#nowMs)
      return { turn: 'hold', reason: 'optimal_time', untilMs: optimalMs };
    if (this.#judge === undefined) return suppress(this.#whyUnreached(person));
    if (!this.#isConfigured) return suppress('not_configured');
    const verdict = this.#judge.judge(person, isFirst);
    if (verdict.answer === 'suppress') return suppress(verdict.reason);
    if (verdict.answer === 'send') return 'send';
    const { reason, untilMs } = verdict;
    return { turn: 'hold', reason, untilMs };
  }

  /** Why no channel of the campaign reaches somebody. */
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

export function suppress(reason: string): Turn {
  return { turn: 'suppress', reason };
}
