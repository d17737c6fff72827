// A strict ceiling for each address: in no 60 seconds does more pass than the limit, to the millisecond. Like the window
// of a lane (engine/base/rate-window.ts), but an address holds only the seconds in which it called, since nearly all of
// many addresses call once. The number of addresses is bounded: one without a call in the last minute is the same as one
// never seen and is forgotten; when all places are taken, new addresses share one ceiling, so that a flood of them
// cannot lift its own.

import { type Millis, minuteMs, type Seconds, secondMs } from '../engine/base/brand.ts';

/** What passed in the last minute. */
interface Passed {
  sum: number;
  /** Pairs, oldest first: the instant of the last call in a second, and how many that second had. At most 61 pairs. */
  readonly seconds: number[];
}

/** Ceilings of many addresses under one limit. */
export class AddressCeiling {
  readonly #limit: number;
  readonly #addressesMax: number;
  readonly #passed = new Map<string, Passed>();
  readonly #shared: Passed = { sum: 0, seconds: [] };
  #nowMs = 0;

  /** `limit` calls a minute and address, at least 1. With 100,000 addresses of one call each it holds some 20 MB. */
  constructor(limit: number, addressesMax: number) {
    this.#limit = limit;
    this.#addressesMax = addressesMax;
  }

  /** How many addresses it holds; never more than it may. */
  get addresses(): number {
    return this.#passed.size;
  }

  /** Takes a call, and gives 0; or whole seconds until one would pass, from 1 to 60. Time that runs backwards stands still. */
  take(address: string, nowMs: Millis): Seconds {
    const own = this.#of(address, nowMs);
    if (own === undefined) this.#forgetRested();
    const isShared = own === undefined && this.#passed.size >= this.#addressesMax;
    const passed = own ?? (isShared ? this.#expired(this.#shared) : undefined);
    if (passed === undefined) {
      this.#passed.set(address, { sum: 1, seconds: [this.#nowMs, 1] });
      return 0;
    }
    const wait = this.#wait(passed);
    if (wait === 0) this.#charge(passed);
    return wait;
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

  #wait({ sum, seconds }: Passed): Seconds {
    if (sum < this.#limit) return 0;
    const freeMs = (seconds[0] ?? 0) + minuteMs;
    return Math.max(1, Math.ceil((freeMs - this.#nowMs) / secondMs));
  }

  #charge(passed: Passed): void {
    const { seconds } = passed;
    const last = seconds.length - 2;
    passed.sum++;
    if (last >= 0 && secondOf(seconds[last] as number) === secondOf(this.#nowMs)) {
      // The calls before it count a little longer: too strict by less than a second, and never too lenient.
      seconds[last] = this.#nowMs;
      seconds[last + 1] = (seconds[last + 1] as number) + 1;
    } else seconds.push(this.#nowMs, 1);
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

  /** Looks at the two addresses not looked at longest: two for each that comes keeps the table as small as it can be. */
  #forgetRested(): void {
    for (let looked = 0; looked < 2; looked++) {
      const first = this.#passed.entries().next().value;
      if (first === undefined) return;
      const [address, passed] = first;
      this.#passed.delete(address);
      if (this.#expired(passed).sum > 0) this.#passed.set(address, passed);
    }
  }
}

function secondOf(ms: Millis): Seconds {
  return Math.floor(ms / secondMs);
}
