// Reads parts of a record without decoding the rest: a cursor over MessagePack that skips the other
// members. Types other than texts, small numbers and booleans go to the library, which remains the
// reference (test/storage/packed-reader.test.ts compares the two).

import { Unpackr } from 'msgpackr';

const unpackr = new Unpackr({ useRecords: false, moreTypes: true, copyBuffers: false });

/** Longer texts are cheaper to hand to the decoder than to look through for a byte beyond ASCII. */
const shortText = 32;

/**
 * What Node's Buffer has beside its documentation: `toString` without the look-up of the encoding,
 * a third of its time.
 */
interface SlicedBuffer extends Buffer {
  latin1Slice(from: number, end: number): string;
  utf8Slice(from: number, end: number): string;
}

export class PackedReader {
  readonly #bytes: SlicedBuffer;
  #at: number;

  /**
   * `at` is where the next value begins. The caller has checked the bytes: nothing here
   * looks for damage.
   */
  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes as SlicedBuffer;
    this.#at = at;
  }

  /**
   * Enters a list: how many values follow; −1 where the next value is none, which is then still the
   * next.
   */
  list(): number {
    return this.#enter(0x90, 0xdc);
  }

  /**
   * Enters a map: how many pairs of key and value follow; −1 where the next value is none, which is
   * then still the next.
   */
  map(): number {
    return this.#enter(0x80, 0xde);
  }

  /**
   * Reads a key, or any other text: its place among the known ones, −1 for any other. Known ones
   * are in UTF-8; the one at `likely` is looked at first.
   */
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

  /** Where the next value begins, for `valueAt`. */
  get place(): number {
    return this.#at;
  }

  /** A value that was gone past. */
  valueAt(place: number): unknown {
    const at = this.#at;
    this.#at = place;
    const value = this.value();
    this.#at = at;
    return value;
  }

  /** The next value, whatever it is. */
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

  /** Goes past the next value. */
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

  /**
   * `short` is the first byte of the form whose low four bits count, `long` of the one with a count
   * of two bytes.
   */
  #enter(short: number, long: number): number {
    const first = this.#bytes[this.#at] as number;
    if ((first & 0xf0) === short) return this.#after(1, first & 0x0f);
    if (first === long) return this.#after(3, this.#bytes.readUInt16BE(this.#at + 1));
    if (first === long + 1) return this.#after(5, this.#bytes.readUInt32BE(this.#at + 1));
    return -1;
  }
}

// By first byte from 0xc4 (bytes) over 0xc7 (extensions) and 0xca (numbers) to 0xdb (texts): how
// wide the length is, and what follows beside as many bytes as the length says.
const lengthWidths = [1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4];
const fixedBytes = [0, 0, 0, 1, 1, 1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, 0, 0, 0];

function isAt(bytes: Uint8Array, from: number, key: Uint8Array): boolean {
  for (let i = 0; i < key.length; i++) if (bytes[from + i] !== key[i]) return false;
  return true;
}
