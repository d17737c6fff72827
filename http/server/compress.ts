// JSON answers, compressed for clients that ask. Level 1 leaves an eighth of a page of people in
// half the time of level 4, which saves 2 % more (`bench/compress.ts`). Compressing secrets beside
// what a stranger chose would tell their length to whoever sees the traffic, but no page of another
// origin can call with a session.

import { gzip, gzipSync } from 'node:zlib';

/** A shorter text fits into two packets as it is. */
export const charsMin = 2_048;
/** Longer texts leave the event loop: 240,000 characters would hold up other calls for 1 ms. */
const charsAtOnce = 65_536;
const level = { level: 1 };

/** The text as gzip, by a thread of the pool where it is long. */
export function compressed(text: string): Buffer | Promise<Buffer> {
  if (text.length <= charsAtOnce) return gzipSync(text, level);
  return new Promise((resolve, reject) => {
    gzip(text, level, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
}

/** By an `accept-encoding`: `q=0` refuses, and `*` alone does not ask for gzip. */
export function acceptsGzip(acceptEncoding: string): boolean {
  return /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[;,]|$)/i.test(acceptEncoding);
}
