// Reads and writes numbers and bytes. Writers return the end; the caller made room. Little-endian;
// varints have 7 bits per byte, lowest first, below 2^53.

import { Buffer } from 'node:buffer';

export const varintBytesMax = 8;

export function writeVarint(out: Uint8Array, at: number, value: number): number {
  let left = value;
  let i = at;
  while (left >= 0x80) {
    out[i++] = (left % 128) | 0x80;
    left = left < 0x8000_0000 ? left >>> 7 : Math.floor(left / 128);
  }
  out[i++] = left;
  return i;
}

export function writeU16(out: Uint8Array, at: number, value: number): number {
  out[at] = value;
  out[at + 1] = value >>> 8;
  return at + 2;
}

export function writeU32(out: Uint8Array, at: number, value: number): number {
  out[at] = value;
  out[at + 1] = value >>> 8;
  out[at + 2] = value >>> 16;
  out[at + 3] = value >>> 24;
  return at + 4;
}

const f64 = new Float64Array(1);
const f64Bytes = new Uint8Array(f64.buffer);

export function writeF64(out: Uint8Array, at: number, value: number): number {
  f64[0] = value;
  for (let i = 0; i < 8; i++) out[at + i] = f64Bytes[i] as number;
  return at + 8;
}

/** Byte by byte: for a few dozen bytes faster than `set` with a view. */
export function writeRun(
  out: Uint8Array,
  at: number,
  from: Uint8Array,
  start: number,
  end: number,
): number {
  let i = at;
  for (let j = start; j < end; j++) out[i++] = from[j] as number;
  return i;
}

/** Cut or malformed bytes. */
export class DamagedEvents extends Error {
  override readonly name = 'DamagedEvents';
}

/** Reads from the front. Throws `DamagedEvents` past the end. */
export class ByteReader {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8(): number {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new DamagedEvents('events are cut short');
    return value;
  }

  u32(): number {
    const at = this.skip(4);
    return this.bytes.readUInt32LE(at);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < varintBytesMax; i++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new DamagedEvents('a number in events has no end');
  }

  text(): string {
    const length = this.varint();
    const start = this.skip(length);
    return this.bytes.toString('utf8', start, start + length);
  }

  run(length: number): Buffer {
    const start = this.skip(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Returns where the skipped bytes start. */
  skip(length: number): number {
    const start = this.at;
    if (length > this.bytes.length - start) throw new DamagedEvents('events are cut short');
    this.at = start + length;
    return start;
  }
}
