// How fast and how often something happens, over all threads: calls a second, and calls of a UTC
// day. Each name that has a bound has a place in shared memory, which another gets once it is of an
// earlier day; past the last place nothing is bounded. In memory only: a process that starts adds
// what its records say of the day.

import { dayMs, type Millis } from '../base/brand.ts';

const places = 4_096;
const words = 3;

/** The size of the memory that the threads share; zero at first. */
export const sharedPacesBytes = 8 * places * words;

/** Behind which the next instant is of a clock that was set back. */
const staleUs = 5_000_000n;

export class SharedPaces {
  /** Of each place: whose it is; when the next call may begin, in µs; day and calls of it. */
  readonly #words: BigInt64Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(sharedPacesBytes)) {
    this.#words = new BigInt64Array(buffer);
  }

  /** 0 if a call may begin now, which counts; otherwise when to ask again, in ms. */
  take(name: string, perSecond: number, nowMs: Millis): Millis {
    const at = this.#placeFor(name, nowMs);
    if (at < 0) return 0;
    const nowUs = BigInt(Math.floor(nowMs * 1_000));
    const stepUs = BigInt(Math.max(1, Math.round(1_000_000 / perSecond)));
    for (;;) {
      const next = Atomics.load(this.#words, at + 1);
      if (next > nowUs && next < nowUs + staleUs + stepUs)
        return Math.max(1, Math.ceil(Number(next - nowUs) / 1_000));
      // A tenth of a second that passed unused may be caught up with.
      const from = next > nowUs ? nowUs : next < nowUs - 100_000n ? nowUs - 100_000n : next;
      if (Atomics.compareExchange(this.#words, at + 1, next, from + stepUs) === next) return 0;
    }
  }

  /** Counts a call of today; false if the day has `perDay` already. */
  takeOfDay(name: string, perDay: number, nowMs: Millis): boolean {
    const at = this.#placeFor(name, nowMs);
    if (at < 0) return true;
    const day = BigInt(Math.floor(nowMs / dayMs));
    for (;;) {
      const word = Atomics.load(this.#words, at + 2);
      const count = word >> 32n === day ? word & 0xffff_ffffn : 0n;
      if (count >= BigInt(perDay)) return false;
      const next = (day << 32n) | (count + 1n);
      if (Atomics.compareExchange(this.#words, at + 2, word, next) === word) return true;
    }
  }

  /** A call that was counted did not begin. */
  giveBackOfDay(name: string, nowMs: Millis): void {
    this.addOfDay(name, Math.floor(nowMs / dayMs), -1);
  }

  /** Calls of a day that others counted: of an earlier process. Of another day it is nothing. */
  addOfDay(name: string, utcDay: number, calls: number): void {
    const at = this.#placeFor(name, utcDay * dayMs);
    if (at < 0) return;
    const day = BigInt(utcDay);
    for (;;) {
      const word = Atomics.load(this.#words, at + 2);
      if (word >> 32n > day) return;
      const count = word >> 32n === day ? word & 0xffff_ffffn : 0n;
      const sum = count + BigInt(calls);
      const next = (day << 32n) | (sum < 0n ? 0n : sum);
      if (Atomics.compareExchange(this.#words, at + 2, word, next) === word) return;
    }
  }

  ofDay(name: string, nowMs: Millis): number {
    const at = this.#placeOf(keyOf(name));
    if (at < 0) return 0;
    const word = Atomics.load(this.#words, at + 2);
    return word >> 32n === BigInt(Math.floor(nowMs / dayMs)) ? Number(word & 0xffff_ffffn) : 0;
  }

  /** The name's place, taken if it has none; -1 if there is none left. */
  #placeFor(name: string, nowMs: Millis): number {
    const key = keyOf(name);
    for (;;) {
      const own = this.#placeOf(key);
      if (own >= 0) return own;
      const at = this.#leftFor(key, nowMs);
      if (at < 0) return -1;
      const before = Atomics.load(this.#words, at);
      // Another thread may take it first, for this name or another.
      if (Atomics.compareExchange(this.#words, at, before, key) === before) return at;
    }
  }

  /** Where the key is; -1 if nowhere. */
  #placeOf(key: bigint): number {
    for (let step = 0; step < places; step++) {
      const at = placeAfter(key, step);
      const known = Atomics.load(this.#words, at);
      if (known === key) return at;
      if (known === 0n) return -1;
    }
    return -1;
  }

  /** The first place that nobody had; otherwise one whose name had no call today. */
  #leftFor(key: bigint, nowMs: Millis): number {
    const day = BigInt(Math.floor(nowMs / dayMs));
    const dayUs = day * BigInt(dayMs) * 1_000n;
    let idle = -1;
    for (let step = 0; step < places; step++) {
      const at = placeAfter(key, step);
      if (Atomics.load(this.#words, at) === 0n) return at;
      const isIdle =
        Atomics.load(this.#words, at + 1) < dayUs && Atomics.load(this.#words, at + 2) >> 32n < day;
      if (idle < 0 && isIdle) idle = at;
    }
    return idle;
  }
}

function placeAfter(key: bigint, step: number): number {
  return ((Number(BigInt.asUintN(32, key)) + step) % places) * words;
}

/** FNV-1a over 64 bits; never 0. */
function keyOf(name: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < name.length; i++)
    hash = BigInt.asUintN(64, (hash ^ BigInt(name.charCodeAt(i))) * 0x100000001b3n);
  return BigInt.asIntN(64, hash) || 1n;
}
