// JSON answers, compressed for clients that ask. Level 1 makes JSON nearly as small as level 9
// does, for a fraction of the time. Compressing secrets beside what a stranger chose would tell
// their length to whoever sees the traffic, but no page of another origin can call with a session.

import { gzip, gzipSync } from 'node:zlib';

/** Below this a compressor costs more than the bytes it saves. */
export const charsMin = 2_048;
/** Longer texts leave the event loop: compressing them would hold up every other call. */
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
