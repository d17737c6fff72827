// A strict rate limit per address: no 60 seconds exceed it, to the millisecond. Like a lane's
// window (engine/base/rate-window.ts), but an address stores only the seconds in which it called.
// It is forgotten after a minute without a call; when the table is full, new ones share one limit,
// so a flood cannot raise it. A hold counts like a call; what was used counts from its release.

import { type Millis, minuteMs, type Seconds, secondMs } from '../engine/base/brand.ts';
import type { Hold } from './call-edge.ts';

interface Passed {
  sum: number;
  /** At most 61 pairs, oldest first: a second's last call, and how many calls it had. */
  readonly seconds: number[];
  /** Held by callers that do not know yet how much they will use. */
  held: number;
  /** Callers waiting for what others hold, in order. */
  readonly waiting: { readonly wanted: number; readonly then: (hold: Hold) => void }[];
}

/** Waiting callers per address. Further ones proceed at once with what is free. */
const waitingMax = 64;

export class AddressCeiling {
  readonly #limit: number;
  readonly #addressesMax: number;
  readonly #passed = new Map<string, Passed>();
  readonly #shared: Passed = newPassed();
  #nowMs = 0;

  /** `limit`: per minute and address, from 1. 100,000 addresses with one call take about 20 MB. */
  constructor(limit: number, addressesMax: number) {
    this.#limit = limit;
    this.#addressesMax = addressesMax;
  }

  get addresses(): number {
    return this.#passed.size;
  }

  /** Counts a call and returns 0, or returns the seconds to wait, 1 to 60. Time never goes back. */
  take(address: string, nowMs: Millis): Seconds {
    const own = this.#of(address, nowMs);
    if (own === undefined) this.#forgetRested();
    const isShared = own === undefined && this.#passed.size >= this.#addressesMax;
    const passed = own ?? (isShared ? this.#expired(this.#shared) : undefined);
    if (passed === undefined) {
      const fresh = newPassed();
      this.#charge(fresh, 1);
      this.#passed.set(address, fresh);
      return 0;
    }
    const wait = this.#wait(passed);
    if (wait === 0) this.#charge(passed, 1);
    return wait;
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
      if (this.#passed.size >= this.#addressesMax) passed = this.#expired(this.#shared);
      else {
        passed = newPassed();
        this.#passed.set(address, passed);
      }
    }
    const isLate = this.#free(passed) < wanted && passed.held > 0;
    if ((isLate || passed.waiting.length > 0) && passed.waiting.length < waitingMax)
      passed.waiting.push({ wanted, then });
    else then(this.#held(address, passed, wanted));
  }

  /** What `take` would return, without counting a call. */
  waitSeconds(address: string, nowMs: Millis): Seconds {
    const own = this.#of(address, nowMs);
    if (own !== undefined) return this.#wait(own);
    return this.#passed.size < this.#addressesMax ? 0 : this.#wait(this.#expired(this.#shared));
  }

  #of(address: string, nowMs: Millis): Passed | undefined {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
    const passed = this.#passed.get(address);
    return passed && this.#expired(passed);
  }

  #held(address: string, passed: Passed, wanted: number): Hold {
    const count = Math.min(wanted, this.#free(passed));
    const waitSeconds = count < wanted ? this.#untilMore(passed) : 0;
    passed.held += count;
    return {
      count,
      waitSeconds,
      release: (used, nowMs) => {
        if (nowMs > this.#nowMs) this.#nowMs = nowMs;
        passed.held -= count;
        this.#expired(passed);
        if (used > 0) this.#charge(passed, Math.min(used, count));
        this.#wakeWaiting(address, passed);
        // Most holds use nothing and leave no trace.
        if (isRested(passed) && this.#passed.get(address) === passed) this.#passed.delete(address);
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

  #wait(passed: Passed): Seconds {
    return passed.sum + passed.held < this.#limit ? 0 : this.#untilMore(passed);
  }

  #untilMore({ seconds }: Passed): Seconds {
    const freeMs = (seconds[0] ?? 0) + minuteMs;
    return Math.max(1, Math.ceil((freeMs - this.#nowMs) / secondMs));
  }

  #charge(passed: Passed, n: number): void {
    const { seconds } = passed;
    const last = seconds.length - 2;
    passed.sum += n;
    if (last >= 0 && secondOf(seconds[last] as number) === secondOf(this.#nowMs)) {
      // Earlier calls of this second count longer: too strict by under a second, never too lenient.
      seconds[last] = this.#nowMs;
      seconds[last + 1] = (seconds[last + 1] as number) + n;
    } else seconds.push(this.#nowMs, n);
  }

  /** Drops the seconds whose last call is a minute old. */
  #expired(passed: Passed): Passed {
    const { seconds } = passed;
    let gone = 0;
    while (gone < seconds.length && (seconds[gone] as number) + minuteMs <= this.#nowMs) {
      passed.sum -= seconds[gone + 1] as number;
      gone += 2;
    }
    if (gone > 0) seconds.splice(0, gone);
    return passed;
  }

  /** Checks the two addresses checked longest ago. Two per new address keep the table minimal. */
  #forgetRested(): void {
    for (let looked = 0; looked < 2; looked++) {
      const first = this.#passed.entries().next().value;
      if (first === undefined) return;
      const [address, passed] = first;
      this.#passed.delete(address);
      if (!isRested(this.#expired(passed))) this.#passed.set(address, passed);
    }
  }
}

function newPassed(): Passed {
  return { sum: 0, seconds: [], held: 0, waiting: [] };
}

/** Whether it equals a new address. */
function isRested({ sum, held, waiting }: Passed): boolean {
  return sum === 0 && held === 0 && waiting.length === 0;
}

function secondOf(ms: Millis): Seconds {
  return Math.floor(ms / secondMs);
}
