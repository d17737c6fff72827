// What policy answers to a step that sends, for one person at one instant: the answers of its
// channels taken together. The one place for live runs and for those that are simulated; a live one
// then finds the devices (`live-run.ts`). What a reader would get wrong: where one channel may send
// now, those that are held go along. They are queued, and the pump holds each until its own hour,
// and asks no cap, so one that is over its cap at that hour stays behind; only where all are held
// does the run wait.

import { hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/catalog.ts';
import { Judge, type Verdict } from '../../sending/policy/judge.ts';
import type { SuppressReason } from '../../sending/policy/reasons.ts';
import type { CredentialRules } from '../../sending/transactional/open-credentials.ts';
import type { AppState } from '../../state.ts';
import type { FrequencyCap } from '../../tenants/accounts/records.ts';
import { isConfigured } from '../campaigns/begin.ts';
import type { SendAnswer } from './advance.ts';
import type { SendOperation } from './program.ts';

/** `sent` names the channels, in the catalogue's order. */
export type PolicyAnswer =
  | { readonly kind: 'sent'; readonly channels: readonly ChannelId[] }
  | Exclude<SendAnswer, { readonly kind: 'sent' }>;

/** A send that is decided and that memory does not count yet. */
export interface AheadSend {
  readonly atMs: Millis;
  readonly channels: readonly ChannelId[];
}

/**
 * Why nothing leaves, the nearest to having left first: said of a step whose channels give
 * different reasons.
 */
const nearest: readonly SuppressReason[] = [
  'frequency_cap',
  'channel_preference',
  'expired',
  'not_configured',
  'opt_out',
  'no_device',
];

const noLimit = Number.POSITIVE_INFINITY;

/** See the head of this file. Good for one instant, and until the next entry is folded. */
export class SendPolicy {
  readonly #app: AppState;
  readonly #nowMs: Millis;
  readonly #judges = new Map<string, Judge>();
  readonly #configured: ReadonlySet<ChannelId>;

  constructor(app: AppState, rules: CredentialRules, nowMs: Millis) {
    this.#app = app;
    this.#nowMs = nowMs;
    this.#configured = new Set(channelIds.filter((id) => isConfigured(app, rules, id)));
  }

  /**
   * `ahead`: what the person is sent in this same walk, or was on the way here in a simulated one.
   */
  ask(
    person: PersonOrdinal,
    { channels = channelIds }: Pick<SendOperation, 'channels'>,
    ttlMs: Millis = noLimit,
    ahead: readonly AheadSend[] = [],
  ): PolicyAnswer {
    return this.#taken(person, channels, ahead, (channel, isFirst) =>
      this.#judge(channel, ttlMs).judge(person, isFirst, this.#counting(ahead, this.#nowMs)),
    );
  }

  /**
   * The same for nobody in particular: somebody whom every channel reaches, without a zone or a
   * choice of their own.
   */
  askForAnybody(
    { channels = channelIds }: Pick<SendOperation, 'channels'>,
    ttlMs: Millis = noLimit,
    ahead: readonly AheadSend[] = [],
  ): PolicyAnswer {
    const nobody = this.#app.traits.next;
    return this.#taken(nobody, channels, ahead, (channel, isFirst) => {
      const verdict = this.#judge(channel, ttlMs).again(nobody);
      return verdict.answer === 'send' &&
        this.#isCapped(nobody, channel, this.#nowMs, isFirst, ahead)
        ? { answer: 'suppress', reason: 'frequency_cap' }
        : verdict;
    });
  }

  #taken(
    person: PersonOrdinal,
    channels: readonly ChannelId[],
    ahead: readonly AheadSend[],
    verdictOn: (channel: ChannelId, isFirst: boolean) => Verdict,
  ): PolicyAnswer {
    return together(
      channels,
      this.#configured,
      verdictOn,
      (channel, atMs) => !this.#isCapped(person, channel, atMs, false, ahead),
    );
  }

  #isCapped(
    person: PersonOrdinal,
    channel: ChannelId,
    atMs: Millis,
    isFirst: boolean,
    ahead: readonly AheadSend[],
  ): boolean {
    const { caps, settings } = this.#app;
    const count = this.#counting(ahead, atMs);
    return caps.isReached(settings.caps, person, channel, atMs, isFirst, count);
  }

  #judge(channel: ChannelId, ttlMs: Millis): Judge {
    const key = `${channel}/${ttlMs}`;
    let judge = this.#judges.get(key);
    if (judge === undefined) {
      judge = new Judge(this.#app, channel, this.#nowMs, ttlMs);
      this.#judges.set(key, judge);
    }
    return judge;
  }

  #counting(
    ahead: readonly AheadSend[],
    atMs: Millis,
  ): ((cap: FrequencyCap) => number) | undefined {
    return ahead.length === 0 ? undefined : (cap) => countedBy(cap, ahead, atMs);
  }
}

/**
 * The verdicts of a step's channels as one answer. `isFirst`: no channel before lets it through.
 * `mayLeaveAt`: whether caps let the second send of a message through on a channel at the instant
 * until which it is held.
 */
export function together(
  channels: readonly ChannelId[],
  configured: ReadonlySet<ChannelId>,
  verdictOn: (channel: ChannelId, isFirst: boolean) => Verdict,
  mayLeaveAt: (channel: ChannelId, atMs: Millis) => boolean,
): PolicyAnswer {
  const open: ChannelId[] = [];
  const held: (readonly [ChannelId, untilMs: Millis])[] = [];
  let until: Extract<Verdict, { answer: 'hold' }> | undefined;
  const reasons = new Set<SuppressReason>();
  for (const channel of channels) {
    const verdict = verdictOn(channel, open.length === 0);
    // A channel that does not reach them says so, whether it is set up or not.
    const isUnreached = verdict.answer === 'suppress' && isAboutReach(verdict.reason);
    if (!isUnreached && !configured.has(channel)) reasons.add('not_configured');
    else if (verdict.answer === 'send') open.push(channel);
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

function isAboutReach(reason: SuppressReason): boolean {
  return reason === 'no_device' || reason === 'opt_out';
}
