// Typed ids: `<prefix>_<26 lower-case Crockford base32 characters>` of 128 bits: 32-bit owner
// ordinal, 48-bit creation ms, 48 more. Ids of a kind and app sort by time and, in one millisecond,
// by turn. The ordinal routes a call without a look-up. Ids are never credentials.

import type { Millis, Ordinal, PersonOrdinal } from './brand.ts';
import type { Rng } from './rng.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digitOf = new Int8Array(128).fill(-1);
for (let i = 0; i < 32; i++) digitOf[alphabet.charCodeAt(i)] = i;

export type IdPrefix =
  | 'org'
  | 'app'
  | 'key'
  | 'sub'
  | 'dev'
  | 'seg'
  | 'msg'
  | 'tpl'
  | 'cmp'
  | 'jrn'
  | 'ntf'
  | 'evt'
  | 'la'
  | 'whd'
  | 'imp'
  | 'flg'
  | 'iam'
  | 'inv'
  | 'mbr'
  | 'ses'
  | 'dl'
  | 'dry'
  | 'blk'
  | 'dbt'
  | 'aud'
  | 'ast'
  | 'frm'
  | 'rel';

export interface IdParts {
  /** The app's ordinal; 0 for an org's. */
  readonly ordinal: Ordinal;
  /** Creation time, below 2^48. */
  readonly atMs: Millis;
  /** Upper 16 of the last 48 bits. */
  readonly high16: number;
  /** Lower 32: of a subscriber id, the person's ordinal. */
  readonly low32: number;
}

export function formatId(prefix: IdPrefix, parts: IdParts): string {
  const atHigh = Math.floor(parts.atMs / 65536) >>> 0; // upper 32 of the 48 time bits
  const word2 = (((parts.atMs % 65536) << 16) | parts.high16) >>> 0;
  return `${prefix}_${base32(parts.ordinal >>> 0, atHigh, word2, parts.low32 >>> 0)}`;
}

/** A fresh id, above all that `rng` made for this millisecond. */
export function newId(prefix: IdPrefix, ordinal: Ordinal, atMs: Millis, rng: Rng): string {
  return formatId(prefix, newIdRun(ordinal, atMs, rng, 1));
}

const endOfBits = 2 ** 48;
/**
 * Of each generator the last 48 bits of its newest id. They are not kept: after a restart they
 * begin at random, as they do in each millisecond.
 */
const newest = new WeakMap<Rng, { atMs: Millis; bits: number }>();

/**
 * The first of `length` consecutive ids, at a multiple of `length`, a power of two below 2^32. In
 * one millisecond they rise by random steps, so that one id does not tell the next: 31 bits of
 * chance, 47 for the first. Some 65,000 fit; after that, and where a clock went back, they are
 * random.
 */
export function newIdRun(ordinal: Ordinal, atMs: Millis, rng: Rng, length: number): IdParts {
  const high15 = rng.uint32() >>> 17;
  const low = rng.uint32();
  const last = newest.get(rng);
  let bits = endOfBits;
  if (last?.atMs === atMs) bits = multipleFrom(last.bits + 1 + (low >>> 1), length);
  if (bits + length > endOfBits) bits = high15 * 2 ** 32 + low - (low % length);
  if (last === undefined) newest.set(rng, { atMs, bits: bits + length - 1 });
  else if (atMs >= last.atMs) {
    last.atMs = atMs;
    last.bits = bits + length - 1;
  }
  return { ordinal, atMs, high16: Math.floor(bits / 2 ** 32), low32: bits >>> 0 };
}

/** The first multiple of a power of two at or above `bits`. */
function multipleFrom(bits: number, length: number): number {
  const over = (bits >>> 0) & (length - 1);
  return over === 0 ? bits : bits + length - over;
}

/** A person's id; `high16` is random and kept with them. */
export function subscriberId(
  app: Ordinal,
  person: PersonOrdinal,
  atMs: Millis,
  high16: number,
): string {
  return formatId('sub', { ordinal: app, atMs, high16, low32: person });
}

/** `undefined` for another prefix, length, letters or padding bits. */
export function parseId(prefix: IdPrefix, text: string): IdParts | undefined {
  const start = prefix.length + 1;
  if (text.length !== start + 26 || !text.startsWith(prefix) || text[prefix.length] !== '_') return;
  // 26 digits are 130 bits; the top two must be zero. Five digits fit a small integer.
  const a = digits(text, start, 1);
  const b = digits(text, start + 1, 5);
  const c = digits(text, start + 6, 5);
  const d = digits(text, start + 11, 5);
  const e = digits(text, start + 16, 5);
  const f = digits(text, start + 21, 5);
  if (a < 0 || a > 7 || b < 0 || c < 0 || d < 0 || e < 0 || f < 0) return;
  const ordinal = ((a << 29) | (b << 4) | (c >>> 21)) >>> 0;
  const atHigh = ((c << 11) | (d >>> 14)) >>> 0;
  const word2 = ((d << 18) | (e >>> 7)) >>> 0;
  const low32 = ((e << 25) | f) >>> 0;
  return { ordinal, atMs: atHigh * 65536 + (word2 >>> 16), high16: word2 & 0xffff, low32 };
}

/** The value of `count` letters, at most 25 bits; negative for a non-digit. */
function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let i = from; i < from + count; i++) {
    const code = text.charCodeAt(i);
    const digit = code < 128 ? (digitOf[code] as number) : -1;
    if (digit < 0) return -1;
    value = (value << 5) | digit;
  }
  return value;
}

const written = Buffer.alloc(26);

function base32(w0: number, w1: number, w2: number, w3: number): string {
  written[0] = alphabet.charCodeAt(w0 >>> 29);
  writeDigits(1, w0 >>> 4);
  writeDigits(6, (w0 << 21) | (w1 >>> 11));
  writeDigits(11, (w1 << 14) | (w2 >>> 18));
  writeDigits(16, (w2 << 7) | (w3 >>> 25));
  writeDigits(21, w3);
  return written.toString('latin1');
}

/** Five letters of the lowest 25 bits. */
function writeDigits(at: number, value: number): void {
  for (let i = 4; i >= 0; i--) written[at + 4 - i] = alphabet.charCodeAt((value >>> (i * 5)) & 31);
}
