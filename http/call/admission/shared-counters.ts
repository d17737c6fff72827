// What addresses beyond a full table count against: 65,536 counters, one for each by a secret hash,
// so that a flood fills few of those that others get. A counter adds up two whole windows, and so
// is too strict by up to a window, never too lenient. 1.3 MB, made with the first such address.

import { randomBytes } from 'node:crypto';
import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import { secondMs } from '../../../engine/base/brand.ts';
import { hash32Keyed } from '../../../engine/base/hash.ts';
import type { Hold } from '../call-edge.ts';

const countersMax = 65_536;

export class SharedCounters {
  readonly #limit: number;
  readonly #windowMs: Millis;
  readonly #mask: number;
  readonly #key = { low: randomBytes(4).readUInt32LE(), high: randomBytes(4).readUInt32LE() };
  /** The number of the window that `#current` counts. */
  readonly #window: Float64Array;
  readonly #current: Uint32Array;
  readonly #previous: Uint32Array;
  readonly #held: Uint32Array;

  /** `counters`: a power of two. */
  constructor(limit: number, windowMs: Millis, counters = countersMax) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#mask = counters - 1;
    this.#window = new Float64Array(counters);
    this.#current = new Uint32Array(counters);
    this.#previous = new Uint32Array(counters);
    this.#held = new Uint32Array(counters);
  }

  /** As `AddressCeiling.take`. */
  take(address: string, nowMs: Millis, units: number): Seconds {
    const at = this.#at(address, nowMs);
    const wait = this.#wait(at, nowMs, units);
    if (wait === 0) this.#charge(at, units);
    return wait;
  }

  waitSeconds(address: string, nowMs: Millis, units: number): Seconds {
    return this.#wait(this.#at(address, nowMs), nowMs, units);
  }

  free(address: string, nowMs: Millis): { readonly count: number; readonly waitSeconds: Seconds } {
    const at = this.#at(address, nowMs);
    return { count: this.#free(at), waitSeconds: Math.max(1, this.#untilNext(nowMs)) };
  }

  count(address: string, nowMs: Millis, units: number): void {
    this.#charge(this.#at(address, nowMs), units);
  }

  /** Nobody waits for what others hold: it takes what is free. */
  hold(address: string, nowMs: Millis, wanted: number): Hold {
    const at = this.#at(address, nowMs);
    const count = Math.min(wanted, this.#free(at));
    const used = this.#sum(at);
    this.#held[at] = this.#n(this.#held, at) + count;
    return {
      count,
      used,
      waitSeconds: count < wanted ? this.#untilNext(nowMs) : 0,
      release: (used, releasedMs) => {
        const now = this.#at(address, Math.max(nowMs, releasedMs));
        this.#held[now] = this.#n(this.#held, now) - count;
        this.#charge(now, Math.min(used, count));
      },
    };
  }

  /** The place of an address's counter, turned to the window of `nowMs`. */
  #at(address: string, nowMs: Millis): number {
    const bytes = Buffer.from(address);
    const at = hash32Keyed(this.#key, bytes, 0, bytes.length) & this.#mask;
    const window = Math.floor(nowMs / this.#windowMs);
    const since = window - this.#n(this.#window, at);
    if (since <= 0) return at;
    this.#previous[at] = since === 1 ? this.#n(this.#current, at) : 0;
    this.#current[at] = 0;
    this.#window[at] = window;
    return at;
  }

  #wait(at: number, nowMs: Millis, units: number): Seconds {
    return units <= this.#limit - this.#sum(at) - this.#n(this.#held, at)
      ? 0
      : this.#untilNext(nowMs);
  }

  #untilNext(nowMs: Millis): Seconds {
    return Math.max(1, Math.ceil((this.#windowMs - (nowMs % this.#windowMs)) / secondMs));
  }

  #free(at: number): number {
    return Math.max(0, this.#limit - this.#sum(at) - this.#n(this.#held, at));
  }

  #sum(at: number): number {
    return this.#n(this.#current, at) + this.#n(this.#previous, at);
  }

  #charge(at: number, units: number): void {
    this.#current[at] = this.#n(this.#current, at) + units;
  }

  #n(counts: Uint32Array | Float64Array, at: number): number {
    return counts[at] ?? 0;
  }
}
