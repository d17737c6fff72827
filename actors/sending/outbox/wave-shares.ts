// Which dispatch threads call for an app's channel. Single sends have one, which keeps their pace.
// People of push campaigns may be shared by several, by a hash of the person, so that one person's
// rows stay in order. The account's calls are bounded as with one thread: each has its share of
// them, and sharing begins only when so few single sends are out that all shares fit.

import type { Effect, Message } from '../../../engine/actor/message.ts';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { hash32 } from '../../../engine/base/hash.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';

export interface DispatchThreads {
  readonly dispatchers: number;
  /** How many of them share a campaign's people on a channel; absent: one. */
  readonly campaignDispatchers?: number;
}

/** The thread that makes the calls of single sends. */
export function homeOf(
  owner: Ordinal,
  channel: ChannelId,
  { dispatchers }: Pick<DispatchThreads, 'dispatchers'>,
): number {
  return hash32(`${owner}|${channel}`) % dispatchers;
}

/** Which of `ways` shares a person is in: even for any run of ordinals, and odd ones alone. */
export function shareOf(person: PersonOrdinal, ways: number): number {
  return ways === 1 ? 0 : Math.floor(((Math.imul(person, 0x9e3779b1) >>> 0) / 2 ** 32) * ways);
}

/** A grant or a wave; only waves have people. */
interface Leaving extends Message {
  readonly app: Ordinal;
  readonly channel: ChannelId;
  readonly attempts: readonly unknown[];
  readonly people?: Uint32Array;
}

/** What is with dispatch, of one app's channel. */
interface Out {
  singles: number;
  rows: number;
  isShared: boolean;
}

/** Memory of one life of the process: dispatch threads end with it, too. */
export class WaveShares {
  readonly #ways: number;
  /** By owner and channel. */
  readonly #out = new Map<string, Out>();
  /** Calls of one thread to an account whose campaigns are shared. */
  readonly callsMax: number;

  constructor({ dispatchers, campaignDispatchers = 1 }: DispatchThreads) {
    this.#ways = Math.max(1, Math.min(campaignDispatchers, dispatchers));
    const { bulkInFlightMax, inFlightPerAccountMax } = limits;
    const rowsMax = Math.floor(bulkInFlightMax / this.#ways);
    this.callsMax = rowsMax + inFlightPerAccountMax - bulkInFlightMax;
  }

  /**
   * How many threads take the next wave. It changes only while no row is out, so one person's rows
   * never wait in two threads.
   */
  waysOn(owner: Ordinal, channel: ChannelId): number {
    if (!this.#mayShare(channel)) return 1;
    const out = this.#outOf(owner, channel);
    if (out.rows === 0) out.isShared = out.singles < this.callsMax;
    return out.isShared ? this.#ways : 1;
  }

  /**
   * How many more single sends may start. With none, a shared campaign has to wait, too: then its
   * rows come back, and single sends get all of the account.
   */
  singlesRoomOn(owner: Ordinal, channel: ChannelId): number {
    const out = this.#out.get(`${owner}|${channel}`);
    return out?.isShared === true && out.rows > 0
      ? Math.max(0, this.callsMax - out.singles)
      : Number.POSITIVE_INFINITY;
  }

  /** Notes what leaves with this turn, and adds how many calls a thread may make. */
  leaving(effects: readonly Effect[]): readonly Effect[] {
    if (this.#ways === 1) return effects;
    return effects.map((effect) => {
      const message = effect.message as Leaving;
      const { app, channel, people } = message;
      if (!this.#mayShare(channel)) return effect;
      const out = this.#outOf(app, channel);
      if (people === undefined) out.singles += message.attempts.length;
      else out.rows += people.length;
      if (!out.isShared || out.rows === 0) return effect;
      return { ...effect, message: { ...message, callsMax: this.callsMax } as Message };
    });
  }

  /** Every grant comes back once, whatever has become of its send. */
  singlesBack(owner: Ordinal, channel: ChannelId, count: number): void {
    const out = this.#out.get(`${owner}|${channel}`);
    if (out === undefined) return;
    out.singles = Math.max(0, out.singles - count);
    this.#forgetIfNone(owner, channel, out);
  }

  rowsBack(owner: Ordinal, channel: ChannelId, count: number): void {
    const out = this.#out.get(`${owner}|${channel}`);
    if (out === undefined) return;
    out.rows = Math.max(0, out.rows - count);
    this.#forgetIfNone(owner, channel, out);
  }

  #mayShare(channel: ChannelId): boolean {
    // Elsewhere a second thread would mean a second pool of connections, or a second copy of a
    // credential that changes with its use.
    return this.#ways > 1 && catalog[channel].price === 'push';
  }

  #outOf(owner: Ordinal, channel: ChannelId): Out {
    const key = `${owner}|${channel}`;
    let out = this.#out.get(key);
    if (out === undefined) {
      out = { singles: 0, rows: 0, isShared: false };
      this.#out.set(key, out);
    }
    return out;
  }

  #forgetIfNone(owner: Ordinal, channel: ChannelId, { singles, rows }: Out): void {
    if (singles + rows === 0) this.#out.delete(`${owner}|${channel}`);
  }
}
