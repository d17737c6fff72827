// Reused buffers for large request bodies: a body crosses to another thread with its buffer, which
// returns with the answers. New buffers at hundreds of bodies a second would be most of the
// garbage, and V8 would mark its heap ten times a second. Sizes are powers of two.

import type { Bytes } from '../base/brand.ts';

/** From this size a body crosses with its own buffer. */
export const largeBytes: Bytes = 32 * 1024;
const largestBytes: Bytes = 1024 * 1024;
/** Bound of unused buffers. */
const spareBytesMax: Bytes = 16 * 1024 * 1024;

export class BodyBuffers {
  /** By log2 of size. */
  readonly #spare: ArrayBuffer[][] = [];
  #spareBytes = 0;

  /** Room for at least so many bytes, of any content. */
  take(bytes: Bytes): Buffer {
    if (bytes < largeBytes || bytes > largestBytes) return Buffer.allocUnsafe(bytes);
    const size = Math.ceil(Math.log2(bytes));
    const spare = this.#spare[size]?.pop();
    if (spare === undefined) return Buffer.from(new ArrayBuffer(2 ** size));
    this.#spareBytes -= spare.byteLength;
    return Buffer.from(spare);
  }

  /** No longer read. Drops buffers of other sizes. */
  give(buffer: ArrayBufferLike): void {
    if (!(buffer instanceof ArrayBuffer)) return;
    const { byteLength } = buffer;
    const size = Math.log2(byteLength);
    if (byteLength < largeBytes || byteLength > largestBytes || !Number.isInteger(size)) return;
    if (this.#spareBytes + byteLength > spareBytesMax) return;
    this.#spare[size] ??= [];
    this.#spare[size].push(buffer);
    this.#spareBytes += byteLength;
  }
}

export const bodyBuffers = new BodyBuffers();
