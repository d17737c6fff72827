// Bounds what the calls of a dispatch thread hold of mails. A call to a service holds a whole
// encoded mail until its answer, so that a few large files to a slow service would fill the memory.
// Each relay has a share, so that a slow one leaves room for the others.

import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import type { Clock } from '../../../engine/time/clock.ts';

interface BytesInFlightLimits {
  readonly bytesMax: Bytes;
  /** Of one relay. A larger mail is its only one. */
  readonly shareMax: Bytes;
  /** How long a mail waits for room; one that waited longer gives up when the next call ends. */
  readonly waitMs: Millis;
}

type Room = 'free' | 'share_full' | 'all_full';

interface Waiting {
  readonly relay: string;
  readonly bytes: Bytes;
  readonly sinceMs: Millis;
  readonly end: (hasRoom: boolean) => void;
}

export class BytesInFlight {
  readonly #limits: BytesInFlightLimits;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #shares = new Map<string, Bytes>();
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>();
  #bytes: Bytes = 0;

  constructor(limits: BytesInFlightLimits, clock: Pick<Clock, 'monotonic'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Begins at once if there is room, otherwise later; `'full'`: there was none in time. */
  async run<Result>(
    relay: string,
    bytes: Bytes,
    task: () => Promise<Result>,
  ): Promise<Result | 'full'> {
    if (this.#waiting.size > 0 || this.#room(relay, bytes) !== 'free') {
      if (!(await this.#wait(relay, bytes))) return 'full';
    } else this.#take(relay, bytes);
    try {
      return await task();
    } finally {
      this.#take(relay, -bytes);
      this.#beginWaiting();
    }
  }

  /** Whether there is room, which is taken then. */
  #wait(relay: string, bytes: Bytes): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.add({ relay, bytes, sinceMs: this.#clock.monotonic(), end: resolve });
      this.#beginWaiting();
    });
  }

  /** Nobody overtakes a mail of the same relay, or one that waits for room in all. */
  #beginWaiting(): void {
    const lateMs = this.#clock.monotonic() - this.#limits.waitMs;
    const full = new Set<string>();
    let isAllFull = false;
    for (const one of this.#waiting) {
      const { relay, bytes, sinceMs, end } = one;
      const room: Room | 'overtakes' =
        isAllFull || full.has(relay) ? 'overtakes' : this.#room(relay, bytes);
      if (room === 'free') this.#take(relay, bytes);
      else if (sinceMs > lateMs) {
        isAllFull ||= room === 'all_full';
        full.add(relay);
        continue;
      }
      this.#waiting.delete(one);
      end(room === 'free');
    }
  }

  #room(relay: string, bytes: Bytes): Room {
    const { bytesMax, shareMax } = this.#limits;
    const share = this.#shares.get(relay) ?? 0;
    if (share > 0 && share + bytes > shareMax) return 'share_full';
    return this.#bytes > 0 && this.#bytes + bytes > bytesMax ? 'all_full' : 'free';
  }

  #take(relay: string, bytes: Bytes): void {
    this.#bytes += bytes;
    const share = (this.#shares.get(relay) ?? 0) + bytes;
    if (share === 0) this.#shares.delete(relay);
    else this.#shares.set(relay, share);
  }
}
