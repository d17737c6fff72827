// Calls per channel and (send, device), to test that nobody gets a message twice. Accepted twice is
// a duplicate; called twice, accepted once is a retry.

import type { CallOutcome, ReceivedMessage } from './message.ts';

/** When full, the oldest is dropped, and `pairsForgotten` counts it. */
const pairsCountedMax = 200_000;

interface ChannelCounts {
  readonly calls: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
}

interface PairCounts extends ChannelCounts {
  readonly sendId: string;
  readonly deviceId: string;
}

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

export class CallCounts {
  readonly #channels = new Map<string, Mutable<ChannelCounts>>();
  readonly #pairs = new Map<string, Mutable<PairCounts>>();
  /** The same pairs by send, and those that were called or accepted again. */
  readonly #bySend = new Map<string, Mutable<PairCounts>[]>();
  readonly #calledAgain = new Set<PairCounts>();
  readonly #acceptedAgain = new Set<PairCounts>();
  #pairsForgotten = 0;

  /** Without `withPair` (recording is off) it skips send and device. */
  add(
    message: Pick<ReceivedMessage, 'channel' | 'outcome' | 'sendId' | 'deviceId'>,
    withPair: boolean,
  ): void {
    this.addCall(message.channel, message.outcome);
    if (!withPair || message.sendId === undefined) return;
    const deviceId = message.deviceId ?? '';
    const key = `${message.sendId} ${deviceId}`;
    let pair = this.#pairs.get(key);
    if (!pair) {
      if (this.#pairs.size >= pairsCountedMax) this.#forgetOldest();
      pair = { sendId: message.sendId, deviceId, ...noCalls };
      this.#pairs.set(key, pair);
      const ofSend = this.#bySend.get(pair.sendId);
      if (ofSend === undefined) this.#bySend.set(pair.sendId, [pair]);
      else ofSend.push(pair);
    }
    count(pair, message.outcome);
    if (pair.calls > 1) this.#calledAgain.add(pair);
    if (pair.accepted > 1) this.#acceptedAgain.add(pair);
  }

  /** A call without recipient, such as to the token endpoint. */
  addCall(channel: string, outcome: CallOutcome): void {
    let counts = this.#channels.get(channel);
    if (!counts) {
      counts = { ...noCalls };
      this.#channels.set(channel, counts);
    }
    count(counts, outcome);
  }

  /** In order of first call. */
  channels(): Record<string, ChannelCounts> {
    return Object.fromEntries(
      [...this.#channels].map(([channel, counts]) => [channel, { ...counts }]),
    );
  }

  /** In order of first call. */
  pairsOf(sendId: string): PairCounts[] {
    return [...(this.#bySend.get(sendId) ?? [])];
  }

  /**
   * Pairs seen, called repeatedly, accepted repeatedly, and up to `limit` of the last. A lower
   * bound if `pairsForgotten` is above zero.
   */
  repeats(limit = 100): {
    pairs: number;
    calledAgain: number;
    acceptedAgain: number;
    pairsForgotten: number;
    duplicates: PairCounts[];
  } {
    const duplicates: PairCounts[] = [];
    for (const pair of this.#acceptedAgain) {
      if (duplicates.length === limit) break;
      duplicates.push({ ...pair });
    }
    return {
      pairs: this.#pairs.size,
      calledAgain: this.#calledAgain.size,
      acceptedAgain: this.#acceptedAgain.size,
      pairsForgotten: this.#pairsForgotten,
      duplicates,
    };
  }

  clear(): void {
    this.#channels.clear();
    this.#pairs.clear();
    this.#bySend.clear();
    this.#calledAgain.clear();
    this.#acceptedAgain.clear();
    this.#pairsForgotten = 0;
  }

  #forgetOldest(): void {
    for (const [key, pair] of this.#pairs) {
      this.#pairs.delete(key);
      this.#calledAgain.delete(pair);
      this.#acceptedAgain.delete(pair);
      const rest = (this.#bySend.get(pair.sendId) ?? []).filter((one) => one !== pair);
      if (rest.length === 0) this.#bySend.delete(pair.sendId);
      else this.#bySend.set(pair.sendId, rest);
      this.#pairsForgotten++;
      return;
    }
  }
}

const noCalls: ChannelCounts = { calls: 0, accepted: 0, refused: 0, unanswered: 0 };

function count(counts: Mutable<ChannelCounts>, outcome: CallOutcome): void {
  counts.calls++;
  counts[outcome]++;
}
