// Refuses writes before the disk is full, because LMDB would fail fatally. Opt-outs and receipts
// use the reserve, until the disk is full but for a few MiB. LMDB's file never shrinks, so a
// partition may write into its free pages.

import { statfsSync } from 'node:fs';
import type { Bytes } from '../engine/base/brand.ts';

/** The disk is low below either. */
const lowFraction = 0.05;
const lowBytes: Bytes = 512 * 1024 * 1024;
/** Writes resume at this multiple, or each freed megabyte would toggle them. */
const recoveryFactor = 1.1;

/** A file with this much free room may be written on a low disk: many seconds of writes. */
const reuseBytes: Bytes = 64 * 1024 * 1024;
/** But not below this fraction: large values need adjacent pages, so the file may grow. */
const reuseFraction = 0.5;

/** Below either the disk counts as full: another program may take the rest within one commit. */
const fullBytes: Bytes = 8 * 1024 * 1024;
const fullFraction = 1 / 64;

interface DiskState {
  /** True: refuse writes (507, with `Retry-After`). */
  readonly low: boolean;
  readonly freeBytes: Bytes;
  readonly totalBytes: Bytes;
}

/** `freeBytes` is what an ordinary user may fill. */
type ReadSpace = (path: string) => { readonly freeBytes: Bytes; readonly totalBytes: Bytes };

/** One data directory's free space. `check` is one system call; the caller polls each second. */
export class DiskGuard {
  readonly #path: string;
  readonly #read: ReadSpace;
  #low = false;
  #scarce = false;
  #full = false;
  #limitBytes: Bytes = 0;
  #totalBytes: Bytes = 0;
  #freeBytes: Bytes = 0;

  constructor(path: string, read: ReadSpace = readSpace) {
    this.#path = path;
    this.#read = read;
  }

  get low(): boolean {
    return this.#low;
  }

  get freeBytes(): Bytes {
    return this.#freeBytes;
  }

  get totalBytes(): Bytes {
    return this.#totalBytes;
  }

  /** True: only what fits into the room that data files keep may be written. */
  get full(): boolean {
    return this.#full;
  }

  /** Whether the disk is far from low even with this many bytes more on it. */
  hasRoomFor(bytes: Bytes): boolean {
    return !this.#low && this.#freeBytes - bytes >= this.#limitBytes * recoveryFactor;
  }

  /** Whether to refuse writes into a file; calls `reusable` only on a low disk. */
  isLowFor(reusable: () => Bytes): boolean {
    return this.#low && (this.#scarce || reusable() < reuseBytes);
  }

  check(): DiskState {
    const { freeBytes, totalBytes } = this.#read(this.#path);
    const factor = this.#low ? recoveryFactor : 1;
    // Under 10 GiB the byte limit is larger; half of a tiny disk is enough for trials.
    const limit = Math.min(Math.max(totalBytes * lowFraction, lowBytes), totalBytes / 2);
    this.#low = freeBytes < limit * factor;
    this.#scarce = freeBytes < limit * reuseFraction;
    const fullLimit = Math.min(fullBytes, totalBytes * fullFraction);
    this.#full = freeBytes < fullLimit * (this.#full ? recoveryFactor : 1);
    this.#limitBytes = limit;
    this.#freeBytes = freeBytes;
    this.#totalBytes = totalBytes;
    return { low: this.#low, freeBytes, totalBytes };
  }
}

function readSpace(path: string): { freeBytes: Bytes; totalBytes: Bytes } {
  const { bavail, blocks, bsize } = statfsSync(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
