// `hash64` and `hash32Keyed` are HalfSipHash-1-3, keyed so that outsiders cannot choose colliding
// strings. `hash32` is MurmurHash3 (x86, 32 bits, seed 0) of UTF-8, fixed forever: placement, A/B
// arms and rollouts depend on it. Neither is a MAC: never protect a secret with them.

import type { Rng } from './rng.ts';

/** The keyed hashes' 64-bit key: two unsigned words. */
export interface HashKey {
  readonly low: number;
  readonly high: number;
}

/** A fresh key, one per process for rebuilt tables; store it with stored hashes. */
export function newHashKey(rng: Rng): HashKey {
  return { low: rng.uint32(), high: rng.uint32() };
}

/** Two unsigned words. */
export interface Hash64 {
  high: number;
  low: number;
}

/** HalfSipHash-1-3, 64 bits, of `bytes[start, end)` into `out`; the first word is `high`. */
export function hash64(
  key: HashKey,
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Hash64,
): void {
  halfSipHash(key, bytes, start, end, out);
}

/** HalfSipHash-1-3, 32 bits, of `bytes[start, end)`; unsigned. */
export function hash32Keyed(key: HashKey, bytes: Uint8Array, start: number, end: number): number {
  return halfSipHash(key, bytes, start, end, undefined) >>> 0;
}

/**
 * MurmurHash3_x86_32 of UTF-8, seed 0; unsigned. Never change it: `hash32(org) % 4096` is an org's
 * slot for life. A lone surrogate hashes as U+FFFD.
 */
export function hash32(text: string): number {
  const bytes = utf8(text);
  const end = bytes.length & ~3;
  let h = 0;
  for (let i = 0; i < end; i += 4) {
    h ^= scramble(wordAt(bytes, i));
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  h ^= scramble(tailAt(bytes, end, bytes.length));
  h ^= bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * MurmurHash3_x86_32 of one 32-bit word; unsigned. For many draws about one text: hash it once,
 * then that hash under each draw's seed. Collision-free per seed. Never change it.
 */
export function hash32Word(seed: number, word: number): number {
  const mixed = seed ^ scramble(word);
  let h = (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
  h ^= 4;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const encoder = new TextEncoder();
let scratch = new Uint8Array(256);

/** UTF-8 in a buffer that the next call overwrites. */
export function utf8(text: string): Uint8Array {
  if (text.length * 3 > scratch.length) scratch = new Uint8Array(text.length * 3);
  let at = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) break;
    scratch[at] = code;
  }
  if (at === text.length) return scratch.subarray(0, at);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

/** HalfSipHash-1-3 in one loop with local state: three times as fast as functions. */
function halfSipHash(
  key: HashKey,
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Hash64 | undefined,
): number {
  const length = end - start;
  const words = length >>> 2;
  const rounds = out === undefined ? words + 4 : words + 7;
  let v0 = key.low | 0;
  let v1 = out === undefined ? key.high | 0 : key.high ^ 0xee;
  let v2 = 0x6c796765 ^ key.low;
  let v3 = 0x74656462 ^ key.high;
  for (let round = 0; round < rounds; round++) {
    let word = 0;
    if (round < words) {
      word = wordAt(bytes, start + round * 4);
    } else if (round === words) {
      word = tailAt(bytes, start + words * 4, end) | (length << 24);
    } else if (round === words + 1) {
      v2 ^= out === undefined ? 0xff : 0xee;
    } else if (round === words + 4 && out !== undefined) {
      out.high = (v1 ^ v3) >>> 0;
      v1 ^= 0xdd;
    }
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  if (out !== undefined) out.low = (v1 ^ v3) >>> 0;
  return v1 ^ v3;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** The zero to three last bytes before `end` as a word's low bytes. */
function tailAt(bytes: Uint8Array, at: number, end: number): number {
  let word = 0;
  for (let i = end - 1; i >= at; i--) word = (word << 8) | (bytes[i] as number);
  return word;
}

function scramble(word: number): number {
  const k = Math.imul(word, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}
