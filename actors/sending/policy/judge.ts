// May this marketing send leave now? The one place that answers: send, hold until an instant, or
// suppress, and why. Asked for every marketing send in the turn that would start it, and again when
// one that was held is released. Pure over the app's state and the instant. The order matters: what
// would never leave is not held first, and a cap is asked at the instant the send would leave, not
// hours before. Source: specification, "Campaign" and "Journey"; contract, sections 3 and 6.

import { dayMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/catalog.ts';
import type { AppState, OrgState } from '../../state.ts';
import type { FrequencyCap } from '../../tenants/accounts/records.ts';
import { marketingNightUntil } from './marketing-night.ts';
import { QuietClock } from './quiet-hours.ts';
import type { HoldReason, SuppressReason } from './reasons.ts';

export type Verdict =
  | { readonly answer: 'send' }
  | { readonly answer: 'hold'; readonly reason: HoldReason; readonly untilMs: Millis }
  | { readonly answer: 'suppress'; readonly reason: SuppressReason };

const send: Verdict = { answer: 'send' };
const suppressed = {
  no_device: { answer: 'suppress', reason: 'no_device' },
  opt_out: { answer: 'suppress', reason: 'opt_out' },
  channel_preference: { answer: 'suppress', reason: 'channel_preference' },
  frequency_cap: { answer: 'suppress', reason: 'frequency_cap' },
  expired: { answer: 'suppress', reason: 'expired' },
} as const satisfies Record<string, Verdict>;

/**
 * Judges sends of one app on one channel at one instant: what does not depend on the person is
 * looked up once.
 */
export class Judge {
  readonly #app: AppState;
  readonly #channel: ChannelId;
  readonly #index: number;
  readonly #nowMs: Millis;
  readonly #ttlMs: Millis;
  readonly #quiet: QuietClock | undefined;
  /** While the channel's provider takes no marketing. */
  readonly #night: Verdict | undefined;
  /**
   * By the code of a zone; `null` where nothing holds, `undefined` where it is not looked up yet.
   */
  readonly #held: (Verdict | null | undefined)[] = [];

  /** `ttlMs`: how long the message lives; a hold that would outlive it is none. */
  constructor(app: AppState, channel: ChannelId, nowMs: Millis, ttlMs = Number.POSITIVE_INFINITY) {
    this.#app = app;
    this.#channel = channel;
    this.#index = channelIds.indexOf(channel);
    this.#nowMs = nowMs;
    this.#ttlMs = ttlMs;
    const { quietHours } = app.settings;
    const isAsked =
      quietHours !== null && (quietHours.channels?.includes(channel) ?? true) ? quietHours : null;
    this.#quiet = isAsked === null ? undefined : new QuietClock(isAsked, nowMs);
    const untilMs = marketingNightUntil(channel, nowMs);
    this.#night = untilMs === undefined ? undefined : this.#heldUntil(untilMs);
  }

  /**
   * `isFirst`: nothing of this message was sent to the person yet on another channel. `ahead`:
   * sends to this person that are decided and not folded yet, by cap.
   */
  judge(person: PersonOrdinal, isFirst: boolean, ahead?: (cap: FrequencyCap) => number): Verdict {
    const { traits, contact, settings, caps } = this.#app;
    const index = this.#index;
    if (!(traits.reach[index]?.test(person) ?? false))
      return contact.hasOptedOut(person, index) ? suppressed.opt_out : suppressed.no_device;
    const verdict = this.again(person);
    if (verdict !== send) return verdict;
    if (
      settings.caps.length > 0 &&
      caps.isReached(settings.caps, person, this.#channel, this.#nowMs, isFirst, ahead)
    )
      return suppressed.frequency_cap;
    return send;
  }

  /**
   * The same of one that was let through and counted before, and has to be tried again: what may
   * have changed since.
   */
  again(person: PersonOrdinal): Verdict {
    const { contact } = this.#app;
    const preferred = contact.preferred(person);
    if (preferred !== 0 && (preferred & (1 << this.#index)) === 0)
      return suppressed.channel_preference;
    if (this.#night !== undefined) return this.#night;
    if (this.#quiet === undefined) return send;
    return this.#heldIn(contact.zoneCode(person), this.#quiet) ?? send;
  }

  #heldIn(code: number, quiet: QuietClock): Verdict | undefined {
    const known = this.#held[code];
    if (known !== undefined) return known ?? undefined;
    const { contact, record, settings } = this.#app;
    const own = settings.quietHours?.timezone;
    const zone =
      own === 'subscriber' ? (contact.zoneName(code) ?? record.timezone) : (own ?? 'UTC');
    const untilMs = quiet.untilIn(zone);
    const verdict = untilMs === undefined ? null : this.#heldUntil(untilMs);
    while (this.#held.length < code) this.#held.push(undefined);
    this.#held[code] = verdict;
    return verdict ?? undefined;
  }

  #heldUntil(untilMs: Millis): Verdict {
    if (untilMs - this.#nowMs >= this.#ttlMs) return suppressed.expired;
    return { answer: 'hold', reason: 'quiet_hours', untilMs };
  }
}

/** What is left of an org's sends of the UTC day, for one turn: each that is taken counts. */
export class DailyRoom {
  #left: number;
  /** When there is room again. */
  readonly untilMs: Millis;

  constructor(org: OrgState | undefined, nowMs: Millis) {
    const day = Math.floor(nowMs / dayMs);
    const cap = org?.record.dailySendCap ?? null;
    const used = org?.sendsDay === day ? org.sendsToday : 0;
    this.#left = cap === null ? Number.POSITIVE_INFINITY : cap - used;
    this.untilMs = (day + 1) * dayMs;
  }

  /** How many sends there is room for. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Takes room for one send; false when there is none. */
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left--;
    return true;
  }
}
