// Tells most email addresses that are in their normal form already, from their bytes.

import { emailBytesMax } from './address.ts';

const localMax = 64;
const labelMax = 63;
/** What a byte may be in an address: of its local part, of its domain, a letter of its domain. */
const inLocal = 1;
const inDomain = 2;
const isLetter = 4;
const dot = 0x2e;
const hyphen = 0x2d;
const at = 0x40;

const kinds = new Uint8Array(256);
for (const text of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_+-.') kinds[text.charCodeAt(0)] = inLocal;
for (const text of '0123456789') kinds[text.charCodeAt(0)] = inLocal | inDomain;
for (const text of 'abcdefghijklmnopqrstuvwxyz')
  kinds[text.charCodeAt(0)] = inLocal | inDomain | isLetter;

/**
 * Whether `emailAddress` would return the text as it is. False for some that it would: those with
 * unusual characters or a label in punycode.
 */
export function isPlainAddress(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > emailBytesMax) return false;
  const domain = localEnd(bytes, start, end) + 1;
  return domain > 0 && isPlainDomain(bytes, domain, end);
}

/** Where the local part ends; -1 if it is another one. */
function localEnd(bytes: Uint8Array, start: number, end: number): number {
  const limit = Math.min(end, start + localMax + 1);
  let before = dot;
  for (let place = start; place < limit; place++) {
    const byte = bytes[place] as number;
    if (byte === at) return before === dot ? -1 : place;
    if (((kinds[byte] as number) & inLocal) === 0 || (byte === dot && before === dot)) return -1;
    before = byte;
  }
  return -1;
}

/** Two labels or more, none of them in punycode, and the last begins with a letter. */
function isPlainDomain(bytes: Uint8Array, start: number, end: number): boolean {
  let label = start;
  let before = dot;
  for (let place = start; place < end; place++) {
    const byte = bytes[place] as number;
    if (byte === dot) {
      if (before === dot || before === hyphen || place - label > labelMax) return false;
      label = place + 1;
    } else if (byte === hyphen) {
      // So is every label in punycode: `xn--`.
      if (before === dot || before === hyphen) return false;
    } else if (((kinds[byte] as number) & inDomain) === 0) return false;
    before = byte;
  }
  if (label === start || before === dot || before === hyphen || end - label > labelMax)
    return false;
  return ((kinds[bytes[label] as number] as number) & isLetter) !== 0;
}
