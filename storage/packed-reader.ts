// A MessagePack cursor that reads parts of a record and skips the rest. The library decodes all but
// texts, small numbers and booleans, and is the reference in test/storage/packed-reader.test.ts.

import '../engine/base/plain-msgpack.ts';
import { Unpackr } from 'msgpackr';

const unpackr = new Unpackr({ useRecords: false, moreTypes: true, copyBuffers: false });

/** For longer texts the decoder is cheaper than a scan for non-ASCII bytes. */
const shortText = 32;

/** An undocumented Buffer method: `toString` without encoding look-up, in a third of its time. */
interface SlicedBuffer extends Buffer {
  latin1Slice(from: number, end: number): string;
  utf8Slice(from: number, end: number): string;
}

export class PackedReader {
  readonly #bytes: SlicedBuffer;
  #at: number;

  /** `at` is where the next value begins. `bytes` must be checked: nothing here detects damage. */
  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes as SlicedBuffer;
    this.#at = at;
  }

  /** Enters a list: its length; −1 if the next value is no list, which stays next. */
  list(): number {
    return this.#enter(0x90, 0xdc);
  }

  /** Enters a map: its pairs; −1 if the next value is no map, which stays next. */
  map(): number {
    return this.#enter(0x80, 0xde);
  }

  /** Reads a text: its index in `known` (UTF-8), or −1. Tries `likely` first. */
  keyAmong(known: readonly Uint8Array[], likely = 0): number {
    const bytes = this.#bytes;
    const start = this.#at;
    const first = bytes[start] as number;
    let from = start + 1;
    let length = first & 0x1f;
    if (first >= 0xa0 && first <= 0xbf) this.#at = from + length;
    else {
      this.skip();
      from = start + (first <= 0xbf ? 1 : first === 0xd9 ? 2 : first === 0xda ? 3 : 5);
      length = this.#at - from;
    }
    const guess = known[likely];
    if (guess?.length === length && isAt(bytes, from, guess)) return likely;
    for (let i = 0; i < known.length; i++) {
      const key = known[i] as Uint8Array;
      if (key.length === length && isAt(bytes, from, key)) return i;
    }
    return -1;
  }

  get place(): number {
    return this.#at;
  }

  /** An earlier value. */
  valueAt(place: number): unknown {
    const at = this.#at;
    this.#at = place;
    const value = this.value();
    this.#at = at;
    return value;
  }

  value(): unknown {
    const bytes = this.#bytes;
    const start = this.#at;
    const first = bytes[start] as number;
    if (first <= 0x7f) return this.#after(1, first);
    if (first >= 0xa0 && first <= 0xbf) return this.#text(start + 1, first & 0x1f);
    switch (first) {
      case 0xc0:
        return this.#after(1, null);
      case 0xc2:
        return this.#after(1, false);
      case 0xc3:
        return this.#after(1, true);
      case 0xcb:
        return this.#after(9, bytes.readDoubleBE(start + 1));
      case 0xcc:
        return this.#after(2, bytes[start + 1]);
      case 0xcd:
        return this.#after(3, bytes.readUInt16BE(start + 1));
      case 0xce:
        return this.#after(5, bytes.readUInt32BE(start + 1));
      case 0xd9:
        return this.#text(start + 2, bytes[start + 1] as number);
      case 0xda:
        return this.#text(start + 3, bytes.readUInt16BE(start + 1));
      default:
        this.skip();
        return unpackr.unpack(bytes.subarray(start, this.#at));
    }
  }

  skip(): void {
    const bytes = this.#bytes;
    let left = 1;
    let at = this.#at;
    while (left > 0) {
      left--;
      const first = bytes[at++] as number;
      if (first <= 0x7f || first >= 0xe0) continue;
      if (first <= 0x8f) left += 2 * (first & 0x0f);
      else if (first <= 0x9f) left += first & 0x0f;
      else if (first <= 0xbf) at += first & 0x1f;
      else if (first <= 0xc3) continue;
      else if (first <= 0xdb) {
        const width = lengthWidths[first - 0xc4] as number;
        const length =
          width === 0 ? 0 : width === 1 ? (bytes[at] as number) : bytes.readUIntBE(at, width);
        at += width + length + (fixedBytes[first - 0xc4] as number);
      } else {
        const width = first % 2 === 0 ? 2 : 4;
        const count = bytes.readUIntBE(at, width);
        at += width;
        left += first <= 0xdd ? count : 2 * count;
      }
    }
    this.#at = at;
  }

  #after<T>(bytes: number, value: T): T {
    this.#at += bytes;
    return value;
  }

  #text(from: number, length: number): string {
    const bytes = this.#bytes;
    const end = from + length;
    this.#at = end;
    if (length > shortText) return bytes.utf8Slice(from, end);
    for (let i = from; i < end; i++)
      if ((bytes[i] as number) > 0x7f) return bytes.utf8Slice(from, end);
    return bytes.latin1Slice(from, end);
  }

  /** `short` counts in its low four bits; `long` has a two-byte count. */
  #enter(short: number, long: number): number {
    const first = this.#bytes[this.#at] as number;
    if ((first & 0xf0) === short) return this.#after(1, first & 0x0f);
    if (first === long) return this.#after(3, this.#bytes.readUInt16BE(this.#at + 1));
    if (first === long + 1) return this.#after(5, this.#bytes.readUInt32BE(this.#at + 1));
    return -1;
  }
}

// By first byte, 0xc4 (bytes) over 0xc7 (extensions) and 0xca (numbers) to 0xdb (texts): the width
// of the length, and the bytes beside it.
const lengthWidths = [1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4];
const fixedBytes = [0, 0, 0, 1, 1, 1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, 0, 0, 0];

function isAt(bytes: Uint8Array, from: number, key: Uint8Array): boolean {
  for (let i = 0; i < key.length; i++) if (bytes[from + i] !== key[i]) return false;
  return true;
}
