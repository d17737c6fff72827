// The gate for a step: combines the verdicts of its channels for one person at one instant. Live
// runs, simulations and forecasts share it. If one channel may send now, held ones are queued too,
// and the pump holds each until its time. The pump checks no caps, so a channel that would be
// capped by then is dropped. The run waits only if all channels are held.

import { hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { type Ahead, Gate } from '../../sending/gate/gate.ts';
import type { GateFacts } from '../../sending/gate/gate-facts.ts';
import type { SuppressReason } from '../../sending/gate/reasons.ts';
import type { Verdict } from '../../sending/gate/verdict.ts';
import type { FrequencyCap } from '../../tenants/accounts/records.ts';
import type { SendAnswer } from './advance.ts';
import type { SendOperation } from './program.ts';

/** `channels` in the catalog's order. */
type PolicyAnswer =
  | { readonly kind: 'sent'; readonly channels: readonly ChannelId[] }
  | Exclude<SendAnswer, { readonly kind: 'sent' }>;

/** A send that is decided but not yet counted in memory. */
export interface AheadSend {
  readonly atMs: Millis;
  readonly channels: readonly ChannelId[];
}

/** If channels differ, the reason of the one closest to sending. */
const nearest: readonly SuppressReason[] = [
  'frequency_cap',
  'channel_preference',
  'topic_opt_out',
  'resting',
  'expired',
  'not_configured',
  'opt_out',
  'no_device',
];

type Step = Pick<SendOperation, 'channels' | 'topic'>;

/** Valid for one instant, until the next entry is folded. */
export class SendPolicy {
  readonly #facts: GateFacts;
  readonly #configured: ReadonlySet<ChannelId>;
  readonly #nowMs: Millis;
  readonly #behindMs: Millis;
  readonly #gates = new Map<string, Gate>();

  constructor(facts: GateFacts, configured: ReadonlySet<ChannelId>, nowMs: Millis, behindMs = 0) {
    this.#facts = facts;
    this.#configured = configured;
    this.#nowMs = nowMs;
    this.#behindMs = behindMs;
  }

  /**
   * `ahead`: earlier sends of the same walk. `isAnybody`: all channels reach this `person`, who is
   * in every topic.
   */
  ask(
    person: PersonOrdinal,
    { channels = channelIds, topic }: Step,
    ttlMs: Millis | undefined,
    ahead: readonly AheadSend[],
    isAnybody = false,
  ): PolicyAnswer {
    return combineVerdicts(
      channels,
      (channel, isFirst) => {
        const gate = this.#gate(channel, isAnybody ? undefined : topic, ttlMs);
        const counted = counting(ahead, this.#nowMs);
        return isAnybody
          ? gate.askReached(person, isFirst, counted)
          : gate.ask(person, isFirst, counted);
      },
      (channel, atMs) =>
        !this.#gate(channel, topic).isCapped(person, false, counting(ahead, atMs), atMs),
    );
  }

  #gate(channel: ChannelId, topic: string | undefined, ttlMs?: Millis): Gate {
    const key = `${channel}/${ttlMs}/${topic}`;
    let gate = this.#gates.get(key);
    if (gate === undefined) {
      const isConfigured = this.#configured.has(channel);
      gate = new Gate(this.#facts, channel, this.#nowMs, {
        ttlMs,
        isConfigured,
        topic,
        behindMs: this.#behindMs,
      });
      this.#gates.set(key, gate);
    }
    return gate;
  }
}

/**
 * `isFirst`: no earlier channel sends. `mayLeaveAt`: whether caps allow a channel to send later.
 */
export function combineVerdicts(
  channels: readonly ChannelId[],
  verdictOn: (channel: ChannelId, isFirst: boolean) => Verdict,
  mayLeaveAt: (channel: ChannelId, atMs: Millis) => boolean,
): PolicyAnswer {
  const open: ChannelId[] = [];
  const held: (readonly [ChannelId, untilMs: Millis])[] = [];
  let until: Extract<Verdict, { answer: 'hold' }> | undefined;
  const reasons = new Set<SuppressReason>();
  for (const channel of channels) {
    const verdict = verdictOn(channel, open.length === 0);
    if (verdict.answer === 'send') open.push(channel);
    else if (verdict.answer === 'suppress') reasons.add(verdict.reason);
    else {
      held.push([channel, verdict.untilMs]);
      if (until === undefined || verdict.untilMs < until.untilMs) until = verdict;
    }
  }
  if (open.length > 0) {
    const both = new Set(open);
    for (const [channel, untilMs] of held) if (mayLeaveAt(channel, untilMs)) both.add(channel);
    return { kind: 'sent', channels: channels.filter((channel) => both.has(channel)) };
  }
  if (until !== undefined) return { kind: 'held', untilMs: until.untilMs, reason: until.reason };
  const reason = nearest.find((one) => reasons.has(one)) ?? 'no_device';
  return { kind: 'suppressed', reason };
}

function counting(ahead: readonly AheadSend[], atMs: Millis): Ahead | undefined {
  return ahead.length === 0 ? undefined : (cap) => countedBy(cap, ahead, atMs);
}

/** How many of these sends a cap counts at an instant. */
export function countedBy(
  { channel, perHours }: FrequencyCap,
  sends: readonly AheadSend[],
  nowMs: Millis,
): number {
  return sends.filter(
    ({ atMs, channels }) =>
      atMs > nowMs - perHours * hourMs && (channel === undefined || channels.includes(channel)),
  ).length;
}
