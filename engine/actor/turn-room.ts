// Room for entry bytes until the turn's block is packed: one buffer, reused by each turn.

import type { Bytes } from '../base/brand.ts';

const firstBytes: Bytes = 4 * 1024;
const largestBytes: Bytes = 2 * 1024 * 1024;

export class TurnRoom {
  #buffer = Buffer.allocUnsafeSlow(firstBytes);
  #used = 0;

  /** Uninitialized, valid until the turn's block is packed. */
  take(bytes: Bytes): Buffer {
    const from = this.#used;
    this.#used += bytes;
    return this.#used > this.#buffer.length
      ? Buffer.allocUnsafe(bytes)
      : this.#buffer.subarray(from, this.#used);
  }

  /** Ends the turn. If it had too little room, the next gets more. */
  clear(): void {
    if (this.#used > this.#buffer.length && this.#buffer.length < largestBytes) {
      const bytes = 2 ** Math.ceil(Math.log2(this.#used));
      this.#buffer = Buffer.allocUnsafeSlow(Math.min(bytes, largestBytes));
    }
    this.#used = 0;
  }
}
