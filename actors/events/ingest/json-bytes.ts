// Strict JSON over bytes. Functions return the place after what starts at `start`, or -1 for
// anything unusual, which JSON.parse decides. What passes is JSON without escaped or dangerous
// keys, and does not grow when JSON.stringify rewrites it.

export const quote = 34;
export const comma = 44;
export const colon = 58;
export const openBracket = 91;
export const closeBracket = 93;
export const openBrace = 123;
export const closeBrace = 125;
const backslash = 92;
const minus = 45;
const dot = 46;
const zero = 48;
const nine = 57;
const letterU = 117;

/** 0 past the end: 0 is no part of JSON. */
export function byteAt(bytes: Uint8Array, i: number, end: number): number {
  return i < end ? (bytes[i] as number) : 0;
}

export function skipSpace(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end) {
    const byte = bytes[i] as number;
    if (byte > 32 || (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9)) break;
    i++;
  }
  return i;
}

/**
 * The quote that closes the string at `start`; -1 without one, or for an escape or control
 * character, U+007F to U+009F included (UTF-8 7F, C2 80 to C2 9F).
 */
export function plainStringEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === quote) return i;
    if (byte === backslash || byte < 32) return -1;
    if (byte < 127) continue;
    if (byte === 127 || (byte === 0xc2 && byteAt(bytes, i + 1, end) < 0xa0)) return -1;
  }
  return -1;
}

/** Past the string whose text is at `start`. Refuses unpaired surrogates. */
function skipString(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end) {
    const byte = bytes[i] as number;
    if (byte === quote) return i + 1;
    if (byte < 32) return -1;
    if (byte === backslash) {
      i = skipEscape(bytes, i + 1, end);
      if (i < 0) return -1;
    } else i++;
  }
  return -1;
}

export interface ValueTraits {
  /** A number had an exponent: it may grow up to `exponentGrowth` times. */
  exponent: boolean;
}

/** `1e14`, relatively the longest on the fast path, becomes 15 digits. */
export const exponentGrowth = 4;

/** Past the value at `start`, with at most `depth` more levels. */
export function skipValue(
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
  traits: ValueTraits,
): number {
  const byte = byteAt(bytes, start, end);
  if (byte === quote) return skipString(bytes, start + 1, end);
  if (byte <= nine) return skipNumber(bytes, start, end, traits);
  if (byte === openBrace) return depth > 0 ? skipObject(bytes, start, end, depth - 1, traits) : -1;
  if (byte === openBracket) return depth > 0 ? skipArray(bytes, start, end, depth - 1, traits) : -1;
  return skipWord(bytes, start, end);
}

/** Past the object at `start`; its values may nest `depth` levels. */
export function skipObject(
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
  traits: ValueTraits,
): number {
  let i = skipSpace(bytes, start + 1, end);
  if (byteAt(bytes, i, end) === closeBrace) return i + 1;
  for (;;) {
    if (byteAt(bytes, i, end) !== quote) return -1;
    const keyEnd = plainStringEnd(bytes, i + 1, end);
    if (keyEnd < 0 || isForbiddenKey(bytes, i + 1, keyEnd)) return -1;
    i = skipSpace(bytes, keyEnd + 1, end);
    if (byteAt(bytes, i, end) !== colon) return -1;
    i = skipValue(bytes, skipSpace(bytes, i + 1, end), end, depth, traits);
    if (i < 0) return -1;
    i = skipSpace(bytes, i, end);
    const next = byteAt(bytes, i, end);
    if (next === closeBrace) return i + 1;
    if (next !== comma) return -1;
    i = skipSpace(bytes, i + 1, end);
  }
}

function skipArray(
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
  traits: ValueTraits,
): number {
  let i = skipSpace(bytes, start + 1, end);
  if (byteAt(bytes, i, end) === closeBracket) return i + 1;
  for (;;) {
    i = skipValue(bytes, i, end, depth, traits);
    if (i < 0) return -1;
    i = skipSpace(bytes, i, end);
    const next = byteAt(bytes, i, end);
    if (next === closeBracket) return i + 1;
    if (next !== comma) return -1;
    i = skipSpace(bytes, i + 1, end);
  }
}

// JSON.parse decides longer ones: they could be infinite, which JSON cannot express.
const numberBytesMax = 64;
// Integers of 16 digits may exceed 2^53 - 1, which has 16 and begins with 9 (limits.ts).
const doubtfulDigits = 16;

function skipNumber(bytes: Uint8Array, start: number, end: number, traits: ValueTraits): number {
  let i = start;
  let byte = byteAt(bytes, i, end);
  if (byte === minus) {
    byte = byteAt(bytes, ++i, end);
    // JSON.stringify writes -0 as 0.
    if (byte === zero && byteAt(bytes, i + 1, end) !== dot) return -1;
    if (byte === zero) return skipNegativeFraction(bytes, i, end);
  }
  const first = i;
  if (byte === zero) byte = byteAt(bytes, ++i, end);
  else if (byte > zero && byte <= nine) {
    do byte = byteAt(bytes, ++i, end);
    while (byte >= zero && byte <= nine);
  } else return -1;
  const digits = i - first;
  if (digits >= doubtfulDigits && (digits > doubtfulDigits || bytes[first] === nine)) return -1;
  if (byte === dot) {
    byte = byteAt(bytes, ++i, end);
    if (byte < zero || byte > nine) return -1;
    do byte = byteAt(bytes, ++i, end);
    while (byte >= zero && byte <= nine);
  }
  if (byte === 101 || byte === 69) {
    traits.exponent = true;
    byte = byteAt(bytes, ++i, end);
    const isDivided = byte === minus;
    if (byte === 43 || isDivided) byte = byteAt(bytes, ++i, end);
    const from = i;
    let power = 0;
    for (; byte >= zero && byte <= nine; byte = byteAt(bytes, ++i, end))
      power = power * 10 + byte - zero;
    // At most two digits, so that nothing overflows or grows much.
    if (i === from || i > from + 2 || (!isDivided && digits + power >= doubtfulDigits)) return -1;
  }
  return i - start > numberBytesMax ? -1 : i;
}

/** Accepts `-0.5`, not `-0.0` or `-0.00e1`: needs a nonzero digit, no exponent. */
function skipNegativeFraction(bytes: Uint8Array, start: number, end: number): number {
  let i = start + 2;
  let above = false;
  for (; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte < zero || byte > nine) break;
    if (byte > zero) above = true;
  }
  const next = byteAt(bytes, i, end);
  return above && next !== 101 && next !== 69 && i - start < numberBytesMax ? i : -1;
}

function skipEscape(bytes: Uint8Array, start: number, end: number): number {
  switch (byteAt(bytes, start, end)) {
    case quote:
    case backslash:
    case 47:
    case 98:
    case 102:
    case 110:
    case 114:
    case 116:
      return start + 1;
    case letterU: {
      const unit = codeUnit(bytes, start + 1, end);
      if (unit < 0xd800 || unit > 0xdfff) return unit < 0 ? -1 : start + 5;
      // A surrogate pair: some libraries escape all non-ASCII.
      if (unit > 0xdbff || byteAt(bytes, start + 5, end) !== backslash) return -1;
      if (byteAt(bytes, start + 6, end) !== letterU) return -1;
      const low = codeUnit(bytes, start + 7, end);
      return low >= 0xdc00 && low <= 0xdfff ? start + 11 : -1;
    }
    default:
      return -1;
  }
}

/** Four hexadecimal digits at `start`, or -1. */
function codeUnit(bytes: Uint8Array, start: number, end: number): number {
  let unit = 0;
  for (let i = start; i < start + 4; i++) {
    const byte = byteAt(bytes, i, end);
    const letter = byte | 32;
    if (byte >= zero && byte <= nine) unit = unit * 16 + byte - zero;
    else if (letter >= 97 && letter <= 102) unit = unit * 16 + letter - 87;
    else return -1;
  }
  return unit;
}

const words = ['true', 'false', 'null'].map((word) => Buffer.from(word));

function skipWord(bytes: Uint8Array, start: number, end: number): number {
  for (const word of words) {
    if (word.length <= end - start && spells(bytes, start, word)) return start + word.length;
  }
  return -1;
}

/** Whether `bytes` has `word` at `start`; the caller checks the length. */
export function spells(bytes: Uint8Array, start: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) {
    if (bytes[start + i] !== word[i]) return false;
  }
  return true;
}

/** They change an object's prototype when copied carelessly. */
export const forbiddenKeys: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
]);
const forbiddenBytes = [...forbiddenKeys].map((key) => Buffer.from(key));

export function isForbiddenKey(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length !== 9 && length !== 11) return false;
  for (const key of forbiddenBytes) {
    if (key.length === length && spells(bytes, start, key)) return true;
  }
  return false;
}
