// How many bytes a record takes, about: the same for equal records, without encoding it. For the
// storage quota, which counts records that are in memory alone.

import type { Bytes } from '../engine/base/brand.ts';

/** Of a number, a boolean, or a list's or an object's frame. */
const wordBytes = 8;
/** Of a record's key and index. */
export const rowBytes: Bytes = 64;

export function bytesOfRecord(value: unknown): Bytes {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return wordBytes;
  if (value instanceof Uint8Array) return value.byteLength;
  let bytes = wordBytes;
  if (Array.isArray(value)) for (const one of value) bytes += bytesOfRecord(one);
  else
    for (const [name, member] of Object.entries(value))
      if (member !== undefined) bytes += name.length + bytesOfRecord(member);
  return bytes;
}

/** A map that always knows what its records weigh together. */
export class WeighedMap<Value> extends Map<string, Value> {
  readonly #recordOf: (value: Value) => object;
  #bytes: Bytes = 0;

  constructor(recordOf: (value: Value) => object) {
    super();
    this.#recordOf = recordOf;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  /** Negative if the record becomes smaller. */
  growth(key: string, record: object): Bytes {
    return rowBytes + bytesOfRecord(record) - this.#weightAt(key);
  }

  override set(key: string, value: Value): this {
    this.#bytes += this.growth(key, this.#recordOf(value));
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    this.#bytes -= this.#weightAt(key);
    return super.delete(key);
  }

  #weightAt(key: string): Bytes {
    const value = this.get(key);
    return value === undefined ? 0 : rowBytes + bytesOfRecord(this.#recordOf(value));
  }
}
