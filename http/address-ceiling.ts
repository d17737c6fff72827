// A strict ceiling for each address: in no 60 seconds does more pass than the limit, to the
// millisecond. Like the window of a lane (engine/base/rate-window.ts), but an address holds only
// the seconds in which it called, since nearly all of many addresses call once. The number of
// addresses is bounded: one without a call in the last minute is the same as one never seen and is
// forgotten; when all places are taken, new addresses share one ceiling, so that a flood of them
// cannot lift its own. What a reader would get wrong: what is held counts like what passed, but
// becomes it only when it is let go, so that what was done in between counts from its end and never
// too short.

import { type Millis, minuteMs, type Seconds, secondMs } from '../engine/base/brand.ts';
import type { Hold } from './call-edge.ts';

/** What passed in the last minute. */
interface Passed {
  sum: number;
  /**
   * Pairs, oldest first: the instant of the last call in a second, and how many that second had. At
   * most 61 pairs.
   */
  readonly seconds: number[];
  /** What is held by callers that do not know yet how much of it they use. */
  held: number;
  /** Who waits for what others hold, in order. */
  readonly waiting: { readonly wanted: number; readonly then: (hold: Hold) => void }[];
}

/**
 * Callers that wait for what others hold, an address; those beyond go on at once with what is free.
 */
const waitingMax = 64;

/** Ceilings of many addresses under one limit. */
export class AddressCeiling {
  readonly #limit: number;
  readonly #addressesMax: number;
  readonly #passed = new Map<string, Passed>();
  readonly #shared: Passed = newPassed();
  #nowMs = 0;

  /**
   * `limit` calls a minute and address, at least 1. With 100,000 addresses of one call each it
   * holds some 20 MB.
   */
  constructor(limit: number, addressesMax: number) {
    this.#limit = limit;
    this.#addressesMax = addressesMax;
  }

  /** How many addresses it holds; never more than it may. */
  get addresses(): number {
    return this.#passed.size;
  }

  /**
   * Takes a call, and gives 0; or whole seconds until one would pass, from 1 to 60. Time that runs
   * backwards stands still.
   */
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
   * Holds up to `wanted`, from 1 to the limit, for a call that may use less. When others of the
   * address hold what this one lacks, it is told once they let go, since mostly they give it back;
   * otherwise `then` runs before this returns.
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

  /** What `take` would give, taking nothing. */
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
        // Most hold and use nothing; they leave no trace.
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
      // The calls before it count a little longer: too strict by less than a second, and never too
      // lenient.
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

  /**
   * Looks at the two addresses not looked at longest: two for each that comes keeps the table as
   * small as it can be.
   */
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

/** Whether it is the same as of an address never seen. */
function isRested({ sum, held, waiting }: Passed): boolean {
  return sum === 0 && held === 0 && waiting.length === 0;
}

function secondOf(ms: Millis): Seconds {
  return Math.floor(ms / secondMs);
}
