// Which line wins an address that several name: texts before calls, active before inactive, newest,
// later line. Otherwise a former owner's inactive line could take it from the present one.

import type { Endpoint } from './endpoint-line.ts';
import { type TextHash, textHash } from './text-hash.ts';

const lineNumberMax = 0xffff_ffff;
/** Above every `Date`. */
const dateRange = 2 ** 53 / 4;

/** Whether to register a line's device. */
export interface Winners {
  has(line: number): boolean;
}

/** Flat arrays, 20 bytes a slot: about 40 MB per million addresses, as 64-bit hashes. */
export class AddressWinners {
  #low = new Uint32Array(1024);
  #high = new Uint32Array(1024);
  #line = new Uint32Array(1024); // 0 is an empty slot
  #rank = new Float64Array(1024);
  #count = 0;
  #lastLine = 0;

  /** Lines come in order. */
  enter(line: number, endpoint: Endpoint): void {
    if (line > lineNumberMax) throw new Error('the file has more than 4,294,967,295 lines.');
    const { channel, address } = endpoint;
    if (address === undefined) return;
    const key = channel === 'email' ? address.toLowerCase() : address;
    this.#lastLine = line;
    this.#put(textHash(`${channel} ${key}`), line, rankOf(endpoint));
    if (this.#count * 3 > this.#line.length * 2) this.#grow();
  }

  /** One bit per line; the table is no longer needed. */
  winners(): Winners {
    const bits = new Uint8Array((this.#lastLine >>> 3) + 1);
    for (const line of this.#line)
      if (line > 0) bits[line >>> 3] = (bits[line >>> 3] ?? 0) | (1 << (line & 7));
    return { has: (line) => ((bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0 };
  }

  #put({ low, high }: TextHash, line: number, rank: number): void {
    const mask = this.#line.length - 1;
    let at = low & mask;
    while (this.#line[at] !== 0 && (this.#low[at] !== low || this.#high[at] !== high))
      at = (at + 1) & mask;
    const isNew = this.#line[at] === 0;
    if (!isNew && (this.#rank[at] as number) > rank) return;
    if (isNew) this.#count++;
    this.#low[at] = low;
    this.#high[at] = high;
    this.#line[at] = line;
    this.#rank[at] = rank;
  }

  #grow(): void {
    const [lows, highs, lines, ranks] = [this.#low, this.#high, this.#line, this.#rank];
    const size = lines.length * 2;
    this.#low = new Uint32Array(size);
    this.#high = new Uint32Array(size);
    this.#line = new Uint32Array(size);
    this.#rank = new Float64Array(size);
    this.#count = 0;
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] as number;
      if (line === 0) continue;
      const hash = { low: lows[i] as number, high: highs[i] as number };
      this.#put(hash, line, ranks[i] as number);
    }
  }
}

function rankOf({ wasVoice, isActive, atMs }: Endpoint): number {
  return (
    (wasVoice ? 0 : 2 * dateRange) + (isActive ? dateRange : 0) + Math.min(atMs, dateRange - 1)
  );
}
