// Typed ids: `<prefix>_<26 lower-case Crockford base32 characters>` for 128 bits:
// 32-bit owner ordinal, 48-bit creation time in milliseconds, 48 more bits. Ids of one kind and app sort by
// creation time, and the ordinal lets any thread route a call without a look-up. Ids are never credentials.

import type { Millis, Ordinal, PersonOrdinal } from './brand.ts';
import type { Rng } from './rng.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digitOf = new Int8Array(128).fill(-1);
for (let i = 0; i < 32; i++) digitOf[alphabet.charCodeAt(i)] = i;

/** The kinds of id there are. */
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
  | 'dl';

/** The 128 bits of an id. */
export interface IdParts {
  /** The app's ordinal; 0 for what belongs to an org. */
  readonly ordinal: Ordinal;
  /** Creation time, up to 2^48. */
  readonly atMs: Millis;
  /** The upper 16 of the last 48 bits: random. */
  readonly high16: number;
  /** The lower 32: random, or the person's ordinal in a subscriber id. */
  readonly low32: number;
}

/** Writes an id from its parts. */
export function formatId(prefix: IdPrefix, parts: IdParts): string {
  const atHigh = Math.floor(parts.atMs / 65536) >>> 0; // upper 32 of the 48 time bits
  const word2 = (((parts.atMs % 65536) << 16) | parts.high16) >>> 0;
  return `${prefix}_${base32(parts.ordinal >>> 0, atHigh, word2, parts.low32 >>> 0)}`;
}

/** A fresh id for `ordinal`, with 48 random bits. */
export function newId(prefix: IdPrefix, ordinal: Ordinal, atMs: Millis, rng: Rng): string {
  return formatId(prefix, { ordinal, atMs, high16: rng.uint32() >>> 16, low32: rng.uint32() });
}

/** The id of the person with this ordinal; `high16` is random and kept with the person. */
export function subscriberId(
  app: Ordinal,
  person: PersonOrdinal,
  atMs: Millis,
  high16: number,
): string {
  return formatId('sub', { ordinal: app, atMs, high16, low32: person });
}

/** The parts of an id of this kind, or `undefined` for anything else (wrong prefix, length, letters or padding bits). */
export function parseId(prefix: IdPrefix, text: string): IdParts | undefined {
  const start = prefix.length + 1;
  if (text.length !== start + 26 || !text.startsWith(prefix) || text[prefix.length] !== '_') return;
  const words = [0, 0, 0, 0];
  let carry = 0; // up to 5 + 31 bits, kept as a plain number
  let bits = 0;
  let word = 3;
  for (let i = text.length - 1; i >= start; i--) {
    const code = text.charCodeAt(i);
    const digit = code < 128 ? (digitOf[code] as number) : -1;
    if (digit < 0) return;
    carry += digit * 2 ** bits;
    bits += 5;
    if (bits >= 32 && word >= 0) {
      words[word--] = carry % 4294967296;
      carry = Math.floor(carry / 4294967296);
      bits -= 32;
    }
  }
  if (carry !== 0) return; // 130 bits hold 128: the two top ones must be zero
  const [ordinal, atHigh, word2, low32] = words as [number, number, number, number];
  return { ordinal, atMs: atHigh * 65536 + (word2 >>> 16), high16: word2 & 0xffff, low32 };
}

function base32(w0: number, w1: number, w2: number, w3: number): string {
  let out = '';
  let carry = 0;
  let bits = 0;
  const words = [w3, w2, w1, w0];
  for (const word of words) {
    carry += word * 2 ** bits;
    bits += 32;
    while (bits >= 5) {
      out = (alphabet[carry % 32] as string) + out;
      carry = Math.floor(carry / 32);
      bits -= 5;
    }
  }
  return (alphabet[carry % 32] as string) + out;
}
