// A window over the latest results of an occurrence, a byte each, the good ones as 0. While all are
// good it is a number. A result that turns bad later counts for the newest good one, so the share
// of bad ones is right however late the news comes.

import { guardWindow } from '../../tenants/accounts/campaign-guard.ts';

/** Oldest first; `codes` is absent while all are good. */
export interface LatestResultsSnapshot {
  readonly length: number;
  readonly codes?: Uint8Array;
}

export class LatestResults {
  /** Where the next one goes; a ring once it is full. */
  #at = 0;
  #codes: Uint8Array | undefined;
  readonly #counts = [0, 0, 0];
  length = 0;

  /** How many have this code: 1 or 2. */
  count(code: 1 | 2): number {
    return this.#counts[code] as number;
  }

  push(code: 0 | 1 | 2): void {
    if (this.length < guardWindow) this.length++;
    if (this.#codes !== undefined || code !== 0) this.#put(this.#at, code);
    this.#at = this.#at + 1 === guardWindow ? 0 : this.#at + 1;
  }

  /** False if no result is good. */
  turn(code: 1 | 2): boolean {
    for (let back = 1; back <= this.length; back++) {
      const place = (this.#at - back + guardWindow) % guardWindow;
      if ((this.#codes?.[place] ?? 0) !== 0) continue;
      this.#put(place, code);
      return true;
    }
    return false;
  }

  clear(): void {
    this.#at = 0;
    this.#codes = undefined;
    this.#counts.fill(0);
    this.length = 0;
  }

  snapshot(): LatestResultsSnapshot {
    const { length } = this;
    if (this.#codes === undefined || this.count(1) + this.count(2) === 0) return { length };
    const first = (this.#at - length + guardWindow) % guardWindow;
    const codes = Uint8Array.from(
      { length },
      (_, i) => this.#codes?.[(first + i) % guardWindow] ?? 0,
    );
    return { length, codes };
  }

  static restore({ length, codes }: LatestResultsSnapshot): LatestResults {
    const results = new LatestResults();
    for (let i = 0; i < length; i++) results.push((codes?.[i] ?? 0) as 0 | 1 | 2);
    return results;
  }

  #put(place: number, code: 0 | 1 | 2): void {
    this.#codes ??= new Uint8Array(guardWindow);
    const before = this.#codes[place] as number;
    this.#codes[place] = code;
    this.#counts[before] = (this.#counts[before] as number) - 1;
    this.#counts[code] = (this.#counts[code] as number) + 1;
  }
}
