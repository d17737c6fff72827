// One byte of every value of a column, side by side: constant planes take no space, random ones
// their entropy. Forms: constant, plain, packed to alphabet bits, runs, deflated. Deflate only
// where it halves: inflating a thousand bytes takes as long as reading a whole row in other forms,
// and made up half the time of a page of a person's events.

import type { Buffer } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, DamagedEvents, varintBytesMax, writeVarint } from './byte-cursor.ts';
import type { ByteWriter } from './byte-writer.ts';

const constantForm = 0;
const plainForm = 1;
const packedForm = 2;
const deflatedForm = 3;
const runsForm = 4;

const level = 6;
/** Deflate must be below this share of the size; a blob has no other short form. */
const planeShare = 1 / 2;
const blobShare = 3 / 4;
const blobBytesMin = 256;

/** Appends a plane; `readPlane` needs the same length. */
export function writePlane(writer: ByteWriter, plane: Uint8Array): void {
  const used = new Uint8Array(256);
  for (let i = 0; i < plane.length; i++) used[plane[i] as number] = 1;
  const alphabet: number[] = [];
  for (let value = 0; value < 256; value++) if (used[value] === 1) alphabet.push(value);
  if (alphabet.length <= 1) {
    writer.u8(constantForm);
    writer.u8(alphabet[0] ?? 0);
    return;
  }
  const bits = 32 - Math.clz32(alphabet.length - 1);
  const packedBytes =
    bits === 8 ? plane.length : alphabet.length + Math.ceil((plane.length * bits) / 8);
  const runs = runsOf(plane, packedBytes);
  const otherwise = runs?.length ?? packedBytes;
  const deflated = deflateRawSync(plane, { level });
  if (deflated.length < otherwise * planeShare) {
    writer.u8(deflatedForm);
    writer.varint(deflated.length);
    writer.run(deflated);
  } else if (runs !== undefined) {
    writer.u8(runsForm);
    writer.varint(runs.length);
    writer.run(runs);
  } else if (bits === 8) {
    writer.u8(plainForm);
    writer.run(plane);
  } else {
    writer.u8(packedForm);
    writer.u8(alphabet.length);
    writer.run(Uint8Array.from(alphabet));
    writer.run(pack(plane, alphabet, bits));
  }
}

/** The next plane: a view or a copy, so don't write to it. */
export function readPlane(reader: ByteReader, length: number): Uint8Array {
  return openPlane(reader, length).bytes();
}

/** A packed plane: a page of events looks up one row of a block, a report unpacks all. */
export interface Plane {
  at(i: number): number;
  /** A view or a copy: don't write to it. */
  bytes(): Uint8Array;
}

/** Like `readPlane`, without unpacking. */
export function openPlane(reader: ByteReader, length: number): Plane {
  switch (reader.u8()) {
    case constantForm:
      return new ConstantPlane(reader.u8(), length);
    case plainForm:
      return new PlainPlane(reader.run(length));
    case packedForm: {
      const alphabet = reader.run(reader.u8());
      const bits = 32 - Math.clz32(alphabet.length - 1);
      return new PackedPlane(reader.run(Math.ceil((length * bits) / 8)), alphabet, bits, length);
    }
    case deflatedForm:
      return new DeflatedPlane(reader.run(reader.varint()), length);
    case runsForm:
      return new PlainPlane(expand(reader.run(reader.varint()), length));
    default:
      throw new DamagedEvents('a column of events has an unknown form');
  }
}

class ConstantPlane implements Plane {
  readonly #value: number;
  readonly #length: number;

  constructor(value: number, length: number) {
    this.#value = value;
    this.#length = length;
  }

  at(): number {
    return this.#value;
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#length).fill(this.#value);
  }
}

class PlainPlane implements Plane {
  readonly #plane: Uint8Array;

  constructor(plane: Uint8Array) {
    this.#plane = plane;
  }

  at(i: number): number {
    return this.#plane[i] as number;
  }

  bytes(): Uint8Array {
    return this.#plane;
  }
}

class PackedPlane implements Plane {
  readonly #packed: Uint8Array;
  readonly #alphabet: Uint8Array;
  readonly #bits: number;
  readonly #length: number;

  constructor(packed: Uint8Array, alphabet: Uint8Array, bits: number, length: number) {
    this.#packed = packed;
    this.#alphabet = alphabet;
    this.#bits = bits;
    this.#length = length;
  }

  at(i: number): number {
    const bit = i * this.#bits;
    const at = bit >>> 3;
    // A value has under eight bits, so it spans at most two bytes.
    const two = (this.#packed[at] as number) | ((this.#packed[at + 1] ?? 0) << 8);
    const value = this.#alphabet[(two >>> (bit & 7)) & ((1 << this.#bits) - 1)];
    if (value === undefined) throw new DamagedEvents('a column of events has an unknown symbol');
    return value;
  }

  bytes(): Uint8Array {
    return unpack(this.#packed, this.#alphabet, this.#bits, this.#length);
  }
}

class DeflatedPlane implements Plane {
  readonly #deflated: Uint8Array;
  readonly #length: number;
  #plane: Uint8Array | undefined;

  constructor(deflated: Uint8Array, length: number) {
    this.#deflated = deflated;
    this.#length = length;
  }

  at(i: number): number {
    return this.bytes()[i] as number;
  }

  bytes(): Uint8Array {
    this.#plane ??= inflate(this.#deflated, this.#length);
    return this.#plane;
  }
}

/** Bytes with their length, deflated where shorter. */
export function writeBlob(writer: ByteWriter, blob: Uint8Array): void {
  const deflated = blob.length < blobBytesMin ? blob : deflateRawSync(blob, { level });
  const worth = deflated.length < blob.length * blobShare;
  writer.varint(blob.length);
  writer.varint(worth ? deflated.length : 0);
  writer.run(worth ? deflated : blob);
}

export function readBlob(reader: ByteReader): Uint8Array {
  const length = reader.varint();
  const deflated = reader.varint();
  return deflated === 0 ? reader.run(length) : inflate(reader.run(deflated), length);
}

function inflate(bytes: Uint8Array, length: number): Uint8Array {
  const plain = inflateRawSync(bytes, { maxOutputLength: Math.max(length, 1) });
  if (plain.length !== length) throw new DamagedEvents('a column of events has the wrong length');
  return plain;
}

/** Values with repetitions; `undefined` if that takes `otherwise` bytes or more. */
function runsOf(plane: Uint8Array, otherwise: number): Uint8Array | undefined {
  const out = new Uint8Array(otherwise + varintBytesMax);
  let end = 0;
  for (let i = 0; i < plane.length; ) {
    const value = plane[i] as number;
    let next = i + 1;
    while (next < plane.length && plane[next] === value) next++;
    out[end] = value;
    end = writeVarint(out, end + 1, next - i);
    if (end >= otherwise) return undefined;
    i = next;
  }
  return out.subarray(0, end);
}

function expand(runs: Buffer, length: number): Uint8Array {
  const plane = new Uint8Array(length);
  const reader = new ByteReader(runs);
  let at = 0;
  while (reader.at < runs.length) {
    const value = reader.u8();
    const end = at + reader.varint();
    plane.fill(value, at, end);
    at = end;
  }
  if (at !== length) throw new DamagedEvents('a column of events has the wrong length');
  return plane;
}

function pack(plane: Uint8Array, alphabet: readonly number[], bits: number): Uint8Array {
  const codes = new Uint8Array(256);
  alphabet.forEach((value, code) => {
    codes[value] = code;
  });
  const out = new Uint8Array(Math.ceil((plane.length * bits) / 8));
  let held = 0;
  let heldBits = 0;
  let at = 0;
  for (let i = 0; i < plane.length; i++) {
    held |= (codes[plane[i] as number] as number) << heldBits;
    heldBits += bits;
    if (heldBits >= 8) {
      out[at++] = held;
      held >>>= 8;
      heldBits -= 8;
    }
  }
  if (heldBits > 0) out[at] = held;
  return out;
}

function unpack(
  packed: Uint8Array,
  alphabet: Uint8Array,
  bits: number,
  length: number,
): Uint8Array {
  const out = new Uint8Array(length);
  const mask = (1 << bits) - 1;
  let held = 0;
  let heldBits = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    if (heldBits < bits) {
      held |= (packed[at++] as number) << heldBits;
      heldBits += 8;
    }
    const value = alphabet[held & mask];
    if (value === undefined) throw new DamagedEvents('a column of events has an unknown symbol');
    out[i] = value;
    held >>>= bits;
    heldBits -= bits;
  }
  return out;
}
