// Buffers for large request bodies, used again and again: a body goes to another thread with its
// buffer, and the buffer comes back with the answers. At hundreds of large bodies a second new ones
// would be most of both threads' garbage, and V8 would mark everything it holds ten times a second
// on their account. Sizes are powers of two.

import type { Bytes } from '../base/brand.ts';

/** From here on a body has a buffer of its own, and crosses with it. */
export const largeBytes: Bytes = 32 * 1024;
const largestBytes: Bytes = 1024 * 1024;
/** Unused buffers that are kept, at most. */
const spareBytesMax: Bytes = 16 * 1024 * 1024;

/** One thread's. */
export class BodyBuffers {
  /** By the logarithm of their size. */
  readonly #spare: ArrayBuffer[][] = [];
  #spareBytes = 0;

  /** A buffer with room for so many bytes and perhaps more; what it holds is anything. */
  take(bytes: Bytes): Buffer {
    if (bytes < largeBytes || bytes > largestBytes) return Buffer.allocUnsafe(bytes);
    const size = Math.ceil(Math.log2(bytes));
    const spare = this.#spare[size]?.pop();
    if (spare === undefined) return Buffer.from(new ArrayBuffer(2 ** size));
    this.#spareBytes -= spare.byteLength;
    return Buffer.from(spare);
  }

  /** The buffer is no longer read. One of another size is left to the garbage collector. */
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

/** This thread's. */
export const bodyBuffers = new BodyBuffers();
