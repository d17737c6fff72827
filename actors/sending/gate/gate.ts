// Decides whether a message may leave now: send, hold until an instant, or suppress, and why.
// Everything that sends or previews asks here, and nothing else says no. Pure. The rules, in the
// order in which they are asked (the first that says no answers):
//
//   over        the campaign is canceled, the Live Activity is over       `single-send-gate.ts`
//   device      there is an enabled device
//   expiry      the message still lives                                   `single-send-gate.ts`
//   opt-out     the address did not opt out
//   credential  the channel is configured
//   preference  the person wants this channel                             marketing
//   quiet hours of the app, and the night of the provider: hold           marketing
//   caps        the app's frequency caps leave room                       marketing, once
//   day         the org's daily cap leaves room: hold                     `org-room.ts`
//   content     its words are still stored, and fit the channel           `single-send-gate.ts`
//   allowance   the org's email allowance leaves room                     `org-room.ts`
//
// A hold that would outlive the message suppresses it, `expired`. Caps come after quiet hours, so
// that they are asked at the instant of the send. Before all of these, a campaign asks for its own
// windows (`programs/campaigns/lane-gate.ts`). What is paused or held by a restore is in no line,
// so nothing asks for it.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { FrequencyCap } from '../../tenants/accounts/records.ts';
import type { GateFacts } from './gate-facts.ts';
import { marketingNightUntil } from './marketing-night.ts';
import { QuietClock } from './quiet-hours.ts';
import { hold, send, suppress, type Verdict } from './verdict.ts';

/** What the rules have to know of a message. */
export interface OfMessage {
  /** How long it lives from now on; absent: without an end. */
  readonly ttlMs?: Millis | undefined;
  /** Whether there is something to send with on the channel. */
  readonly isConfigured: boolean;
}

/** Sends to the person that are decided and not folded yet, as a cap counts them. */
export type Ahead = (cap: FrequencyCap) => number;

/**
 * The gate of one channel of an app at one instant. What does not depend on the person is worked
 * out once.
 */
export class Gate {
  readonly #facts: GateFacts;
  readonly #channel: ChannelId;
  readonly #index: number;
  readonly #nowMs: Millis;
  readonly #endsMs: Millis;
  readonly #isConfigured: boolean;
  readonly #quiet: QuietClock | undefined;
  /** While the channel's provider takes no marketing. */
  readonly #night: Verdict | undefined;
  /** By the code of a zone; `undefined` where it is not worked out yet. */
  readonly #inZone: (Verdict | undefined)[] = [];

  constructor(facts: GateFacts, channel: ChannelId, nowMs: Millis, message: OfMessage) {
    this.#facts = facts;
    this.#channel = channel;
    this.#index = channelIds.indexOf(channel);
    this.#nowMs = nowMs;
    this.#endsMs = nowMs + (message.ttlMs ?? Number.POSITIVE_INFINITY);
    this.#isConfigured = message.isConfigured;
    const { quietHours } = facts.settings;
    const isAsked = quietHours !== null && (quietHours.channels?.includes(channel) ?? true);
    this.#quiet = isAsked ? new QuietClock(quietHours, nowMs) : undefined;
    const untilMs = marketingNightUntil(channel, nowMs);
    this.#night = untilMs === undefined ? undefined : hold('quiet_hours', untilMs, this.#endsMs);
  }

  /** All rules about a person. `isFirst`: no other channel sent them this message yet. */
  ask(person: PersonOrdinal, isFirst: boolean, ahead?: Ahead): Verdict {
    const { traits, contact } = this.#facts;
    if (traits.reach[this.#index]?.test(person) === true)
      return this.askReached(person, isFirst, ahead);
    return contact.hasOptedOut(person, this.#index) ? suppress('opt_out') : suppress('no_device');
  }

  /** The same of somebody whom the channel reaches. */
  askReached(person: PersonOrdinal, isFirst: boolean, ahead?: Ahead): Verdict {
    const verdict = this.askAgain(person);
    return verdict === send && this.isCapped(person, isFirst, ahead)
      ? suppress('frequency_cap')
      : verdict;
  }

  /** The same of a send that caps have counted already: one that is tried again. */
  askAgain(person: PersonOrdinal): Verdict {
    if (!this.#isConfigured) return suppress('not_configured');
    const { contact } = this.#facts;
    const preferred = contact.preferred(person);
    if (preferred !== 0 && (preferred & (1 << this.#index)) === 0)
      return suppress('channel_preference');
    if (this.#night !== undefined) return this.#night;
    if (this.#quiet === undefined) return send;
    const code = contact.zoneCode(person);
    return this.#inZone[code] ?? this.#askZone(code, this.#quiet);
  }

  /** Whether a frequency cap leaves no room; `atMs`: at another instant than the gate's. */
  isCapped(person: PersonOrdinal, isFirst: boolean, ahead?: Ahead, atMs = this.#nowMs): boolean {
    const { settings, caps } = this.#facts;
    if (settings.caps.length === 0) return false;
    return caps.isReached(settings.caps, person, this.#channel, atMs, isFirst, ahead);
  }

  #askZone(code: number, quiet: QuietClock): Verdict {
    const { contact, record, settings } = this.#facts;
    const own = settings.quietHours?.timezone;
    const zone =
      own === 'subscriber' ? (contact.zoneName(code) ?? record.timezone) : (own ?? 'UTC');
    const untilMs = quiet.untilIn(zone);
    const verdict = untilMs === undefined ? send : hold('quiet_hours', untilMs, this.#endsMs);
    while (this.#inZone.length < code) this.#inZone.push(undefined);
    this.#inZone[code] = verdict;
    return verdict;
  }
}
