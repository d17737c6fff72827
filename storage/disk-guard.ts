// Watches free space and refuses writes in time, because a full disk reaches LMDB as a fatal I/O
// error. Opt-outs and receipts use the reserve. LMDB's file never shrinks, so a partition whose
// file has free pages may write into those.

import { statfsSync } from 'node:fs';
import type { Bytes } from '../engine/base/brand.ts';

/** Below either of these the disk is low. */
const lowFraction = 0.05;
const lowBytes: Bytes = 512 * 1024 * 1024;
/**
 * Writes resume only at this many times the limits, or each freed megabyte would switch them on and
 * off again.
 */
const recoveryFactor = 1.1;

/**
 * A data file with this much free room inside may be written to while the disk is low: many times
 * the writes of a second.
 */
const reuseBytes: Bytes = 64 * 1024 * 1024;
/**
 * But not below this fraction of the limit: large values need adjacent pages, so the file may still
 * grow.
 */
const reuseFraction = 0.5;

/** The result of `DiskGuard.check`. */
interface DiskState {
  /** True: refuse writes (507, with `Retry-After`). */
  readonly low: boolean;
  readonly freeBytes: Bytes;
  readonly totalBytes: Bytes;
}

/**
 * Reads free and total bytes of the file system of a path. `freeBytes` is what an ordinary user may
 * fill.
 */
type ReadSpace = (path: string) => { readonly freeBytes: Bytes; readonly totalBytes: Bytes };

/**
 * One data directory's free space. `check` takes one system call (microseconds); the caller polls
 * once a second.
 */
export class DiskGuard {
  readonly #path: string;
  readonly #read: ReadSpace;
  #low = false;
  #scarce = false;
  #freeBytes: Bytes = 0;

  constructor(path: string, read: ReadSpace = readSpace) {
    this.#path = path;
    this.#read = read;
  }

  /** As of the last check. */
  get low(): boolean {
    return this.#low;
  }

  /** Also as of the last check. */
  get freeBytes(): Bytes {
    return this.#freeBytes;
  }

  /**
   * Whether writes into a data file must be refused; asks for the room inside it only while the
   * disk is low.
   */
  isLowFor(reusable: () => Bytes): boolean {
    return this.#low && (this.#scarce || reusable() < reuseBytes);
  }

  check(): DiskState {
    const { freeBytes, totalBytes } = this.#read(this.#path);
    const factor = this.#low ? recoveryFactor : 1;
    // On a disk of under 10 GiB the byte limit is the larger one. Half of a tiny disk is enough for
    // anyone to try things.
    const limit = Math.min(Math.max(totalBytes * lowFraction, lowBytes), totalBytes / 2);
    this.#low = freeBytes < limit * factor;
    this.#scarce = freeBytes < limit * reuseFraction;
    this.#freeBytes = freeBytes;
    return { low: this.#low, freeBytes, totalBytes };
  }
}

function readSpace(path: string): { freeBytes: Bytes; totalBytes: Bytes } {
  const { bavail, blocks, bsize } = statfsSync(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
