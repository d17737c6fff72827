// Decides whether a message may be sent now: send, hold until an instant, or suppress, and why. All
// senders and previews ask these rules; nothing else says no. Pure. The first rule that says no
// answers:
//
//   over        the campaign or activity is over, the journey is off      `single-send-gate.ts`
//   device      there is an enabled device
//   expiry      the message has not expired                               `single-send-gate.ts`
//   opt-out     the address did not opt out
//   rest        the address does not rest after soft bounces              marketing
//   credential  the channel is configured
//   topic       the person is in the topic of the message                 marketing
//   preference  the person wants this channel                             marketing
//   quiet hours of the app, and the night of the provider: hold           marketing
//   caps        the app's frequency caps leave room                       marketing, once
//   day         the org's daily cap leaves room: hold                     `org-room.ts`
//   content     it is still stored, and fits the channel                  `single-send-gate.ts`
//   allowance   the org's email allowance leaves room                     `org-room.ts`
//
// A hold that would outlive the message suppresses it: `expired`. Caps come after quiet hours, so
// that they apply at the instant of the send. A campaign checks its own windows before
// (`programs/campaigns/lane-gate.ts`). Single sends ask through
// `sending/outbox/single-send-gate.ts`, journeys through `programs/journeys/send-policy.ts`.
// Paused and restored sends are in no queue.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagColumn } from '../../audiences/segments/tag-column.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { choiceTag } from '../../people/topics/choice-tag.ts';
import type { FrequencyCap } from '../../tenants/accounts/records.ts';
import type { GateFacts } from './gate-facts.ts';
import { marketingNightUntil } from './marketing-night.ts';
import { QuietClock } from './quiet-hours.ts';
import { hold, send, suppress, type Verdict } from './verdict.ts';

interface GatedMessage {
  /** Its time to live from now on; absent: no end. */
  readonly ttlMs?: Millis | undefined;
  /** Whether the channel has credentials. */
  readonly isConfigured: boolean;
  /** The key of the topic that it is about. */
  readonly topic?: string | undefined;
  /** How far the wall clock is behind the instant: quiet hours go by that clock. */
  readonly behindMs?: Millis;
}

/** Sends to the person that are decided but not folded yet. */
export type Ahead = (cap: FrequencyCap) => number;

/** The column of choices is absent while nobody has made one. */
interface TopicGate {
  readonly choices: Pick<TagColumn, 'equals' | 'has'> | undefined;
  readonly isInByDefault: boolean;
}

/** A topic that is gone takes only those who chose it. */
function topicGate({ traits, topics }: GateFacts, key: string): TopicGate {
  return {
    choices: traits.tags.get(choiceTag(key)),
    isInByDefault: topics.get(key)?.default === 'in',
  };
}

/** As preferences read it: whatever a person has that is not `in` keeps the message back. */
function isIn({ choices, isInByDefault }: TopicGate, person: PersonOrdinal): boolean {
  if (choices === undefined || !choices.has(person)) return isInByDefault;
  return choices.equals(person, 'in');
}

/** One channel of an app at one instant. Computes once what does not depend on people. */
export class Gate {
  readonly #facts: GateFacts;
  readonly #channel: ChannelId;
  readonly #index: number;
  readonly #nowMs: Millis;
  readonly #endsMs: Millis;
  readonly #behindMs: Millis;
  readonly #isConfigured: boolean;
  /** The choices of the message's topic, if it has one. */
  readonly #topic: TopicGate | undefined;
  readonly #quiet: QuietClock | undefined;
  /** While the channel's provider accepts no marketing. */
  readonly #night: Verdict | undefined;
  /** By zone code; filled on demand. */
  readonly #inZone: (Verdict | undefined)[] = [];

  constructor(facts: GateFacts, channel: ChannelId, nowMs: Millis, message: GatedMessage) {
    this.#facts = facts;
    this.#channel = channel;
    this.#index = channelIds.indexOf(channel);
    this.#nowMs = nowMs;
    this.#endsMs = nowMs + (message.ttlMs ?? Number.POSITIVE_INFINITY);
    this.#isConfigured = message.isConfigured;
    this.#topic = message.topic === undefined ? undefined : topicGate(facts, message.topic);
    const { quietHours } = facts.settings;
    const isAsked = quietHours !== null && (quietHours.channels?.includes(channel) ?? true);
    this.#behindMs = message.behindMs ?? 0;
    const wallMs = nowMs - this.#behindMs;
    this.#quiet = isAsked ? new QuietClock(quietHours, wallMs) : undefined;
    this.#night = this.#holdUntil(marketingNightUntil(channel, wallMs));
  }

  /** All rules about a person. `isFirst`: no other channel sent them this message yet. */
  ask(person: PersonOrdinal, isFirst: boolean, ahead?: Ahead): Verdict {
    const { traits, contact } = this.#facts;
    if (traits.reach[this.#index]?.test(person) === true)
      return this.#rests(person) ? suppress('resting') : this.askReached(person, isFirst, ahead);
    return contact.hasOptedOut(person, this.#index) ? suppress('opt_out') : suppress('no_device');
  }

  /** Of several addresses each is asked about alone, when it is its turn. */
  #rests(person: PersonOrdinal): boolean {
    const { resting, contact } = this.#facts;
    if (resting.isEmpty || this.#channel !== 'email') return false;
    return (
      resting.untilOf(person, this.#nowMs) !== undefined && !contact.hasSeveral(person, this.#index)
    );
  }

  /** Without the rules on devices and addresses: the channel reaches the person. */
  askReached(person: PersonOrdinal, isFirst: boolean, ahead?: Ahead): Verdict {
    const verdict = this.askAgain(person);
    return verdict === send && this.isCapped(person, isFirst, ahead)
      ? suppress('frequency_cap')
      : verdict;
  }

  /** Without caps too: a send that is tried again is already counted. */
  askAgain(person: PersonOrdinal): Verdict {
    if (!this.#isConfigured) return suppress('not_configured');
    const topic = this.#topic;
    if (topic !== undefined && !isIn(topic, person)) return suppress('topic_opt_out');
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

  /** `wallMs`: the end of quiet hours. */
  #holdUntil(wallMs: Millis | undefined): Verdict | undefined {
    if (wallMs === undefined) return undefined;
    return hold('quiet_hours', wallMs + this.#behindMs, this.#endsMs);
  }

  #askZone(code: number, quiet: QuietClock): Verdict {
    const { contact, record, settings } = this.#facts;
    const own = settings.quietHours?.timezone;
    const zone =
      own === 'subscriber' ? (contact.zoneName(code) ?? record.timezone) : (own ?? 'UTC');
    const verdict = this.#holdUntil(quiet.untilIn(zone)) ?? send;
    while (this.#inZone.length < code) this.#inZone.push(undefined);
    this.#inZone[code] = verdict;
    return verdict;
  }
}
