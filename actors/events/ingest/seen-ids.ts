// Ids of the current request: open addressing over stamped cells; a new stamp empties it. A busy
// thread uses 32 bits of stamps in days; the wrap clears the cells.

import { assert } from '../../../engine/base/assert.ts';

/** 64-bit hashes. Never full: a request has fewer ids than cells. */
export class SeenIds {
  readonly #stamps: Uint32Array;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #mask: number;
  #stamp: number;

  /** `cells`: a power of two above a request's ids. `stamp`: for tests. */
  constructor(cells: number, stamp = 0) {
    assert((cells & (cells - 1)) === 0, 'seen ids: the number of cells is a power of two');
    this.#stamps = new Uint32Array(cells);
    this.#high = new Uint32Array(cells);
    this.#low = new Uint32Array(cells);
    this.#mask = cells - 1;
    this.#stamp = stamp;
  }

  /** Call before each request. */
  clear(): void {
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (this.#stamp !== 0) return;
    this.#stamps.fill(0);
    this.#stamp = 1;
  }

  /** Whether it was added since `clear`; adds it if not. */
  addOrHas(high: number, low: number): boolean {
    const stamps = this.#stamps;
    let cell = low & this.#mask;
    while (stamps[cell] === this.#stamp) {
      if (this.#high[cell] === high && this.#low[cell] === low) return true;
      cell = (cell + 1) & this.#mask;
    }
    stamps[cell] = this.#stamp;
    this.#high[cell] = high;
    this.#low[cell] = low;
    return false;
  }
}
