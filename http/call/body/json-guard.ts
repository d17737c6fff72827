// Checks a JSON body's bytes before JSON.parse: depth, number of values, forbidden keys, UTF-8,
// number range. 500,000 nested arrays parse, but cloning or recursing over them throws. Grammar is
// JSON.parse's task: for invalid JSON the answer is arbitrary, but it always ends.

import { isUtf8 } from 'node:buffer';

/** Levels of nesting, and values (objects, arrays, strings, numbers and literals, not keys). */
interface JsonLimits {
  readonly depth: number;
  readonly nodes: number;
}

/**
 * `problem` follows the field's name: `body: nested deeper than 32 levels`. `isInexact` if a number
 * is too large to be read exactly (`isInexact` in actors/limits.ts).
 */
type JsonVerdict =
  | { readonly ok: true; readonly isInexact?: true }
  | { readonly ok: false; readonly problem: string };

/** For `/v1` bodies; `/e` and imports have the same depth and their own counts. */
const jsonLimits: JsonLimits = { depth: 32, nodes: 50_000 };

const fine: JsonVerdict = { ok: true };
const inexact: JsonVerdict = { ok: true, isInexact: true };
/** Fewer bytes without an exponent are below 2^53. */
const doubtfulBytes = 16;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether a body may go to JSON.parse: UTF-8, within `limits`, no key `__proto__`, `constructor` or
 * `prototype` however escaped, no number that becomes Infinity. One pass without recursion;
 * allocates only for long numbers and exponents.
 */
export function guardJson(bytes: Uint8Array, limits: JsonLimits = jsonLimits): JsonVerdict {
  if (!isUtf8(bytes)) return refuse('not valid UTF-8');
  const length = bytes.length;
  let depth = 0;
  // n fields or elements have n - 1 commas: root, plus commas, plus one per non-empty value.
  let nodes = 1;
  let opened = false;
  let isInexact = false;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
    if (opened) {
      opened = false;
      if (byte !== 0x5d && byte !== 0x7d && ++nodes > limits.nodes) return tooMany(limits);
    }
    if (byte === quote) {
      const start = at + 1;
      let escaped = false;
      for (at = start; at < length; at++) {
        const inside = bytes[at] as number;
        if (inside === quote) break;
        if (inside === backslash) {
          escaped = true;
          at++;
        }
      }
      const size = at - start;
      if ((escaped ? size > 9 : size === 9 || size === 11) && isKey(bytes, at + 1)) {
        const key = forbiddenKey(bytes, start, at);
        if (key !== undefined) return refuse(`the key ${key} is not allowed`);
      }
    } else if (byte === 0x2c) {
      if (++nodes > limits.nodes) return tooMany(limits);
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limits.depth) return refuse(`nested deeper than ${limits.depth} levels`);
      opened = true;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      const start = at;
      let exponent = false;
      for (; at + 1 < length; at++) {
        const next = bytes[at + 1] as number;
        if ((next >= 0x30 && next <= 0x39) || next === 0x2e || next === 0x2d || next === 0x2b)
          continue;
        if (next !== 0x65 && next !== 0x45) break;
        exponent = true;
      }
      if (exponent || at - start >= doubtfulBytes - 1) {
        const size = sizeOf(bytes, start, at + 1);
        if (size === Number.POSITIVE_INFINITY) return refuse('a number is out of range');
        isInexact ||= size > Number.MAX_SAFE_INTEGER;
      }
    }
  }
  return isInexact ? inexact : fine;
}

/** A colon follows a key. */
function isKey(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
    return byte === 0x3a;
  }
  return false;
}

const forbidden = ['__proto__', 'constructor', 'prototype'] as const;

function forbiddenKey(bytes: Uint8Array, start: number, end: number): string | undefined {
  for (const key of forbidden) if (spells(bytes, start, end, key)) return key;
  return undefined;
}

/** Whether a JSON string's inside is `word`, any letter possibly as `\uXXXX`. */
function spells(bytes: Uint8Array, start: number, end: number, word: string): boolean {
  let at = start;
  for (let i = 0; i < word.length; i++) {
    if (at >= end) return false;
    let code = bytes[at++] as number;
    if (code === backslash) {
      // The short escapes (control characters, quotes, slashes) never occur in these words.
      if (bytes[at++] !== 0x75 || at + 4 > end) return false;
      code = 0;
      for (const stop = at + 4; at < stop; at++) code = code * 16 + hex(bytes[at] as number);
    }
    if (code !== word.charCodeAt(i)) return false;
  }
  return at === end;
}

function hex(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** A number's absolute value. */
function sizeOf(bytes: Uint8Array, start: number, end: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  return Math.abs(Number(text));
}

function tooMany(limits: JsonLimits): JsonVerdict {
  return refuse(`more than ${limits.nodes} values`);
}

function refuse(problem: string): JsonVerdict {
  return { ok: false, problem };
}
