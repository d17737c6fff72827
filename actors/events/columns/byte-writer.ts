// A growing byte buffer, for packing history in the pool; hot paths compute their size first.

import { Buffer } from 'node:buffer';
import { varintBytesMax, writeVarint } from './byte-cursor.ts';

export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(bytesExpected = 256) {
    this.#bytes = Buffer.allocUnsafe(bytesExpected);
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** In [0, 2^53). */
  varint(value: number): void {
    this.#reserve(varintBytesMax);
    this.#length = writeVarint(this.#bytes, this.#length, value);
  }

  text(text: string): void {
    const bytes = Buffer.from(text);
    this.varint(bytes.length);
    this.run(bytes);
  }

  run(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A view of the bytes; write no more. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
