// A body that is made while it is written, so that a call with large files never holds it whole.

import { Readable } from 'node:stream';
import type { Bytes } from '../../../engine/base/brand.ts';

/** Every iteration makes the same bytes. */
export interface PiecedBody extends Iterable<Uint8Array> {
  /** Of all pieces. */
  readonly bytes: Bytes;
}

/** Few enough that a connection's buffer and its encryption hold little more. */
const sliceBytes: Bytes = 64 * 1024;

/** The pieces, none of them large; without a copy. */
function* slicesOf(body: PiecedBody): Generator<Uint8Array> {
  for (const piece of body)
    for (let at = 0; at < piece.byteLength; at += sliceBytes)
      yield piece.subarray(at, at + sliceBytes);
}

/**
 * What a connection writes, and the header that tells its length if it needs one. A small body is
 * made whole: each piece of a stream is a write of its own.
 */
export function written(body: string | Uint8Array | PiecedBody | undefined) {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
    return { body: body ?? null, length: undefined };
  if (body.bytes <= sliceBytes) return { body: Buffer.concat([...body]), length: undefined };
  const stream = Readable.from(slicesOf(body), { objectMode: false, highWaterMark: sliceBytes });
  return { body: stream, length: { 'content-length': String(body.bytes) } };
}
