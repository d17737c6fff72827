// A strict rate limit per address: no window (60 seconds, or 60 minutes) exceeds it, to the
// millisecond. Like a lane's window (engine/base/rate-window.ts), but an address stores only the
// slots in which it called. It is forgotten after a window without a call; when the table is
// full, new ones share counters, so a flood cannot raise its limit. A hold counts like a call; what
// was used counts from its release.

import {
  hourMs,
  type Millis,
  minuteMs,
  type Seconds,
  secondMs,
} from '../../../engine/base/brand.ts';
import type { Hold } from '../call-edge.ts';
import { SharedCounters } from './shared-counters.ts';

interface Passed {
  sum: number;
  /** At most 61 pairs, oldest first: the last call of a slot, and how many units it had. */
  readonly slots: number[];
  /** Held by callers that do not know yet how much they will use. */
  held: number;
  /** Callers waiting for what others hold, in order. */
  readonly waiting: { readonly wanted: number; readonly then: (hold: Hold) => void }[];
}

/** Waiting callers per address. Further ones proceed at once with what is free. */
const waitingMax = 64;

/** A window has 60 slots, in which calls count as one. */
const slotsOfWindow = 60;

export class AddressCeiling {
  readonly #limit: number;
  readonly #windowMs: Millis;
  readonly #addressesMax: number;
  readonly #passed = new Map<string, Passed>();
  readonly #onPlaces: ((address: string, by: 1 | -1) => void) | undefined;
  #shared: SharedCounters | undefined;
  #nowMs = 0;
  /** Calls that found the table full. */
  overflows = 0;

  /**
   * `limit`: per window and address, from 1. 100,000 addresses with one call take about 20 MB.
   * `onPlaces` hears of each address that gets a place in the table, or leaves it.
   */
  constructor(
    limit: number,
    addressesMax: number,
    window: 'minute' | 'hour' = 'minute',
    onPlaces?: (address: string, by: 1 | -1) => void,
  ) {
    this.#limit = limit;
    this.#addressesMax = addressesMax;
    this.#windowMs = window === 'minute' ? minuteMs : hourMs;
    this.#onPlaces = onPlaces;
  }

  has(address: string): boolean {
    return this.#passed.has(address);
  }

  get addresses(): number {
    return this.#passed.size;
  }

  /**
   * Counts `units`, at most the limit, and returns 0; or returns the seconds to wait, from 1 to the
   * window's. Time never goes back.
   */
  take(address: string, nowMs: Millis, units = 1): Seconds {
    const own = this.#of(address, nowMs);
    if (own === undefined) {
      this.#forgetRested();
      if (this.#isFull()) return this.#overflow().take(address, this.#nowMs, units);
      const fresh = newPassed();
      this.#charge(fresh, units);
      this.#place(address, fresh);
      return 0;
    }
    const wait = this.#wait(own, units);
    if (wait === 0) this.#charge(own, units);
    return wait;
  }

  /** What is free now, and the seconds until more is. */
  free(address: string, nowMs: Millis): { readonly count: number; readonly waitSeconds: Seconds } {
    const own = this.#of(address, nowMs);
    if (own === undefined)
      return this.#isFull()
        ? this.#beyond().free(address, this.#nowMs)
        : { count: this.#limit, waitSeconds: 1 };
    const count = this.#free(own);
    return { count, waitSeconds: this.#untilFree(own, count + 1) };
  }

  /** Counts what is known only afterwards, even above the limit: later calls wait for it. */
  count(address: string, nowMs: Millis, units: number): void {
    if (units === 0) return;
    const own = this.#of(address, nowMs);
    if (own === undefined) this.#forgetRested();
    if (own === undefined && this.#isFull()) {
      this.#overflow().count(address, this.#nowMs, units);
      return;
    }
    const passed = own ?? newPassed();
    this.#charge(passed, units);
    if (own === undefined) this.#place(address, passed);
  }

  /**
   * Holds up to `wanted`, from 1 to the limit, for a call that may use less. If other calls hold
   * what is missing, `then` runs on their release, since most give it back; otherwise before this
   * returns.
   */
  hold(address: string, wanted: number, nowMs: Millis, then: (hold: Hold) => void): void {
    let passed = this.#of(address, nowMs);
    if (passed === undefined) {
      this.#forgetRested();
      if (this.#isFull()) {
        then(this.#overflow().hold(address, this.#nowMs, wanted));
        return;
      }
      passed = newPassed();
      this.#place(address, passed);
    }
    const isLate = this.#free(passed) < wanted && passed.held > 0;
    if ((isLate || passed.waiting.length > 0) && passed.waiting.length < waitingMax)
      passed.waiting.push({ wanted, then });
    else then(this.#held(address, passed, wanted));
  }

  /** What `take` would return, without counting a call. */
  waitSeconds(address: string, nowMs: Millis, units = 1): Seconds {
    const own = this.#of(address, nowMs);
    if (own !== undefined) return this.#wait(own, units);
    if (!this.#isFull()) return 0;
    return this.#beyond().waitSeconds(address, this.#nowMs, units);
  }

  #isFull(): boolean {
    return this.#passed.size >= this.#addressesMax;
  }

  #place(address: string, passed: Passed): void {
    this.#passed.set(address, passed);
    this.#onPlaces?.(address, 1);
  }

  #overflow(): SharedCounters {
    this.overflows++;
    return this.#beyond();
  }

  #beyond(): SharedCounters {
    this.#shared ??= new SharedCounters(this.#limit, this.#windowMs);
    return this.#shared;
  }

  #of(address: string, nowMs: Millis): Passed | undefined {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
    const passed = this.#passed.get(address);
    return passed && this.#expired(passed);
  }

  #held(address: string, passed: Passed, wanted: number): Hold {
    const count = Math.min(wanted, this.#free(passed));
    const waitSeconds = count < wanted ? this.#untilFree(passed, count + 1) : 0;
    passed.held += count;
    return {
      count,
      used: passed.sum,
      waitSeconds,
      release: (used, nowMs) => {
        if (nowMs > this.#nowMs) this.#nowMs = nowMs;
        passed.held -= count;
        this.#expired(passed);
        if (used > 0) this.#charge(passed, Math.min(used, count));
        this.#wakeWaiting(address, passed);
        // Most holds use nothing and leave no trace.
        if (isRested(passed) && this.#passed.get(address) === passed) this.#forget(address);
      },
    };
  }

  #wakeWaiting(address: string, passed: Passed): void {
    for (;;) {
      const [next] = passed.waiting;
      if (next === undefined) return;
      if (this.#free(passed) < next.wanted && passed.held > 0) return;
      passed.waiting.shift();
      next.then(this.#held(address, passed, next.wanted));
    }
  }

  #free({ sum, held }: Passed): number {
    return Math.max(0, this.#limit - sum - held);
  }

  #wait(passed: Passed, units: number): Seconds {
    return passed.sum + passed.held + units <= this.#limit ? 0 : this.#untilFree(passed, units);
  }

  /** Until `units` are free if nothing more passes; held units may come back sooner. */
  #untilFree({ slots, sum, held }: Passed, units: number): Seconds {
    let left = sum + held + units - this.#limit;
    let freeMs = 0;
    for (let at = 0; at < slots.length && left > 0; at += 2) {
      left -= slots[at + 1] as number;
      freeMs = (slots[at] as number) + this.#windowMs;
    }
    return Math.max(1, Math.ceil((freeMs - this.#nowMs) / secondMs));
  }

  #charge(passed: Passed, n: number): void {
    const { slots } = passed;
    const last = slots.length - 2;
    passed.sum += n;
    if (last >= 0 && this.#slotOf(slots[last] as number) === this.#slotOf(this.#nowMs)) {
      // Earlier calls of this slot count longer: too strict by under a slot, never too lenient.
      slots[last] = this.#nowMs;
      slots[last + 1] = (slots[last + 1] as number) + n;
    } else slots.push(this.#nowMs, n);
  }

  /** Drops the slots whose last call is a window old. */
  #expired(passed: Passed): Passed {
    const { slots } = passed;
    let gone = 0;
    while (gone < slots.length && (slots[gone] as number) + this.#windowMs <= this.#nowMs) {
      passed.sum -= slots[gone + 1] as number;
      gone += 2;
    }
    if (gone > 0) slots.splice(0, gone);
    return passed;
  }

  #slotOf(ms: Millis): number {
    return Math.floor((ms * slotsOfWindow) / this.#windowMs);
  }

  /** Checks the two addresses checked longest ago. Two per new address keep the table minimal. */
  #forgetRested(): void {
    for (let looked = 0; looked < 2; looked++) {
      const first = this.#passed.entries().next().value;
      if (first === undefined) return;
      const [address, passed] = first;
      this.#passed.delete(address);
      if (!isRested(this.#expired(passed))) this.#passed.set(address, passed);
      else this.#onPlaces?.(address, -1);
    }
  }

  #forget(address: string): void {
    this.#passed.delete(address);
    this.#onPlaces?.(address, -1);
  }
}

function newPassed(): Passed {
  return { sum: 0, slots: [], held: 0, waiting: [] };
}

/** Whether it equals a new address. */
function isRested({ sum, held, waiting }: Passed): boolean {
  return sum === 0 && held === 0 && waiting.length === 0;
}
