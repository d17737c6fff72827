// Document keys: `[table u8][owner u32 BE][part…]`. One owner's rows of a table are adjacent, and
// byte order is tuple order. Part tags sort below 0xff, so `prefix + 0xff` ends a prefix. Strings
// are escaped, because a leading length would break the order.

import type { KeyPart } from '../engine/actor/message.ts';
import { assert } from '../engine/base/assert.ts';
import type { Ordinal } from '../engine/base/brand.ts';

/** In bytes. LMDB accepts 1,978; short keys keep branch pages wide. */
export const maxKeyBytes = 512;

/** `[table][owner]`. */
const keyHeaderBytes = 5;

// Numbers sort before bytes, bytes before strings.
const tagUint = 0x10;
const tagBytes = 0x20;
const tagString = 0x30;
const terminator = 0x00;
// 0x00 inside a part is written 0x00 0xff; 0xff never follows a terminator
const escapedZero = 0xff;
const pastEveryTag = 0xff;

const scratch = Buffer.alloc(maxKeyBytes + 1); // one more than fits, so that an overflow shows

/** Byte parts are views into the key. */
interface DecodedKey {
  readonly table: number;
  readonly owner: Ordinal;
  readonly parts: readonly KeyPart[];
}

/** Half-open range of keys that begin with a tuple. */
interface KeyBounds {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
}

/**
 * A tuple's key. `table` is 0–255, `owner` 32 bits. Numbers are integers in [0, 2^53); strings are
 * well-formed UTF-16, because lone surrogates would make two keys one. Asserts all that, and 512
 * bytes.
 */
export function encodeKey(table: number, owner: Ordinal, parts: readonly KeyPart[]): Uint8Array {
  return copyOfScratch(writeTuple(table, owner, parts));
}

/** Every key whose tuple starts with `parts`, itself included. */
export function prefixRange(table: number, owner: Ordinal, parts: readonly KeyPart[]): KeyBounds {
  const length = writeTuple(table, owner, parts);
  const start = copyOfScratch(length);
  scratch[length] = pastEveryTag;
  return { start, end: copyOfScratch(length + 1) };
}

/** The tuple of a key; asserts that `encodeKey` made it. */
export function decodeKey(key: Uint8Array): DecodedKey {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  assert(bytes.length >= keyHeaderBytes, 'a document key is at least five bytes long');
  const parts: KeyPart[] = [];
  let at = keyHeaderBytes;
  while (at < bytes.length) {
    const tag = bytes[at++];
    if (tag === tagUint) {
      assert(at + 7 <= bytes.length, 'a number in a document key is cut short');
      parts.push(bytes.readUIntBE(at, 3) * 4294967296 + bytes.readUInt32BE(at + 3));
      at += 7;
      continue;
    }
    assert(tag === tagString || tag === tagBytes, `a document key has an unknown tag ${tag}`);
    const { end, escapes } = endOfText(bytes, at);
    const raw = escapes === 0 ? bytes.subarray(at, end) : unescaped(bytes, at, end, escapes);
    parts.push(tag === tagString ? raw.toString('utf8') : raw);
    at = end + 1;
  }
  return { table: bytes[0] as number, owner: bytes.readUInt32BE(1), parts };
}

function writeTuple(table: number, owner: Ordinal, parts: readonly KeyPart[]): number {
  assert(table >= 0 && table <= 255 && Number.isInteger(table), 'a table id is 0 to 255');
  assert(owner >>> 0 === owner, 'an owner is a 32-bit ordinal');
  scratch[0] = table;
  scratch.writeUInt32BE(owner, 1);
  let at = keyHeaderBytes;
  for (const part of parts) {
    if (typeof part === 'string') at = writeString(part, at);
    else if (typeof part === 'number') at = writeUint(part, at);
    else at = writeBytes(part, at);
    assert(
      at <= maxKeyBytes,
      `a document key of table ${table} is longer than ${maxKeyBytes} bytes`,
    );
  }
  return at;
}

function writeUint(value: number, at: number): number {
  assert(Number.isSafeInteger(value) && value >= 0, 'a number in a key is an integer in [0, 2^53)');
  if (at + 8 > maxKeyBytes) return maxKeyBytes + 1;
  scratch[at] = tagUint;
  const high = Math.floor(value / 4294967296);
  scratch[at + 1] = high >>> 16;
  scratch[at + 2] = high >>> 8;
  scratch[at + 3] = high;
  scratch.writeUInt32BE(value >>> 0, at + 4);
  return at + 8;
}

function writeBytes(value: Uint8Array, start: number): number {
  if (start + value.length + 2 > maxKeyBytes) return maxKeyBytes + 1;
  let at = start;
  scratch[at++] = tagBytes;
  for (const byte of value) {
    // dropped past the end of scratch; the caller asserts the length
    scratch[at++] = byte;
    if (byte === 0) scratch[at++] = escapedZero;
  }
  scratch[at++] = terminator;
  return at;
}

// Encodes, escapes and refuses lone surrogates in one pass; Buffer.write would replace those.
function writeString(value: string, start: number): number {
  if (start + value.length + 2 > maxKeyBytes) return maxKeyBytes + 1;
  let at = start;
  scratch[at++] = tagString;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0x80) {
      scratch[at++] = unit;
      if (unit === 0) scratch[at++] = escapedZero;
    } else if (unit < 0x800) {
      scratch[at++] = 0xc0 | (unit >> 6);
      scratch[at++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      scratch[at++] = 0xe0 | (unit >> 12);
      scratch[at++] = 0x80 | ((unit >> 6) & 0x3f);
      scratch[at++] = 0x80 | (unit & 0x3f);
    } else {
      const low = value.charCodeAt(++i); // NaN at the end of the string, which fails the range
      assert(
        unit < 0xdc00 && low >= 0xdc00 && low <= 0xdfff,
        'a string in a key has a lone surrogate',
      );
      const point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      scratch[at++] = 0xf0 | (point >> 18);
      scratch[at++] = 0x80 | ((point >> 12) & 0x3f);
      scratch[at++] = 0x80 | ((point >> 6) & 0x3f);
      scratch[at++] = 0x80 | (point & 0x3f);
    }
  }
  scratch[at++] = terminator;
  return at;
}

function copyOfScratch(length: number): Uint8Array {
  const key = Buffer.allocUnsafe(length);
  if (length > 48) scratch.copy(key, 0, 0, length);
  // a call costs more than it saves on a short key
  else for (let i = 0; i < length; i++) key[i] = scratch[i] as number;
  return key;
}

function endOfText(bytes: Buffer, start: number): { end: number; escapes: number } {
  let escapes = 0;
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] !== terminator) continue;
    if (bytes[at + 1] !== escapedZero) return { end: at, escapes };
    escapes++;
    at++;
  }
  throw new Error('a document key ends inside a string');
}

function unescaped(bytes: Buffer, start: number, end: number, escapes: number): Buffer {
  const raw = Buffer.allocUnsafe(end - start - escapes);
  let to = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    raw[to++] = byte;
    if (byte === 0) at++;
  }
  return raw;
}
