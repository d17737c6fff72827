// Finds `appId` in a `POST /e` body, so that the front can pass raw bytes to the app's thread. Two
// native searches answer usual bodies. Exact for JSON; other bodies are refused later.

import { Buffer } from 'node:buffer';
import {
  closeBrace,
  colon,
  comma,
  openBrace,
  plainStringEnd,
  quote,
  skipSpace,
  spells,
} from './json-bytes.ts';

const key = Buffer.from('"appId"');
// The key's end, because bodies have far fewer p's than quotes.
const keyEnd = Buffer.from('ppId"');
const keyStart = Buffer.from('"a');
// Start of an escaped character of `appId`.
const escapeStart = Buffer.from('\\u00');
const backslash = 92;

/** The top-level `appId` (the last one); `undefined` if absent or in doubt: use JSON.parse. */
export function findAppId(body: Uint8Array): string | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const at = indexOfKey(bytes, 0);
  if (at < 0) return undefined;
  const end = bytes.length;
  const open = skipSpace(bytes, 0, end);
  if (bytes[open] !== openBrace) return undefined;
  const alone = indexOfKey(bytes, at + key.length) < 0 && bytes.indexOf(escapeStart) < 0;
  if (alone && skipSpace(bytes, open + 1, end) === at) return textAfter(bytes, at + key.length);
  if (alone && isLastMember(bytes, at)) return textAfter(bytes, at + key.length);
  return walk(bytes, open, alone);
}

/** Whether `appId` is surely absent, so JSON.parse need not decide. */
export function hasNoAppId(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return indexOfKey(bytes, 0) < 0 && bytes.indexOf(escapeStart) < 0;
}

function indexOfKey(bytes: Buffer, from: number): number {
  for (let i = from; ; i++) {
    i = bytes.indexOf(keyEnd, i);
    if (i < keyStart.length) {
      if (i < 0) return -1;
    } else if (spells(bytes, i - keyStart.length, keyStart)) return i - keyStart.length;
  }
}

/** Whether the member at `at` ends the body, so its braces are outermost. */
function isLastMember(bytes: Buffer, at: number): boolean {
  // A string would have its quotes escaped.
  if (bytes[at - 1] === backslash) return false;
  const end = bytes.length;
  const start = valueStart(bytes, at + key.length);
  if (bytes[start] !== quote) return false;
  const textEnd = plainStringEnd(bytes, start + 1, end);
  if (textEnd < 0) return false;
  const close = skipSpace(bytes, textEnd + 1, end);
  return bytes[close] === closeBrace && skipSpace(bytes, close + 1, end) === end;
}

/** Top-level members; stops at the first `appId` if there is only one. */
function walk(bytes: Buffer, open: number, alone: boolean): string | undefined {
  const end = bytes.length;
  let found: string | undefined;
  let i = open;
  for (;;) {
    i = skipSpace(bytes, i + 1, end);
    if (bytes[i] !== quote) return undefined;
    const last = plainStringEnd(bytes, i + 1, end);
    if (last < 0) return undefined;
    const isAppId =
      last - i === key.length - 1 && bytes.compare(key, 0, key.length, i, last + 1) === 0;
    const start = valueStart(bytes, last + 1);
    if (start < 0) return undefined;
    if (isAppId) {
      found = textAfter(bytes, last + 1);
      if (found === undefined || alone) return found;
    }
    i = skipAny(bytes, start);
    if (i < 0) return undefined;
    if (bytes[i] === closeBrace) return found;
  }
}

/** The string after the key that ends at `at`; `undefined` unless plain and non-empty. */
function textAfter(bytes: Buffer, at: number): string | undefined {
  const start = valueStart(bytes, at);
  if (bytes[start] !== quote) return undefined;
  const end = plainStringEnd(bytes, start + 1, bytes.length);
  return end > start + 1 ? bytes.toString('utf8', start + 1, end) : undefined;
}

function valueStart(bytes: Buffer, at: number): number {
  const i = skipSpace(bytes, at, bytes.length);
  return bytes[i] === colon ? skipSpace(bytes, i + 1, bytes.length) : -1;
}

/** The top-level comma or brace after the value at `start`, without checking grammar. */
function skipAny(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === quote) {
      for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
      continue;
    }
    if (depth === 0 && (byte === comma || byte === closeBrace)) return i;
    // Folds 5B and 7B to one code, 5D and 7D to another.
    const folded = byte | 32;
    if (folded === openBrace) depth++;
    else if (folded === closeBrace) depth--;
  }
  return -1;
}
