// Room at the end of a data file that no other program can take: zeros after LMDB's last page.
// Pages that are written over them need no new blocks, so commits succeed at 0 bytes free (not on
// file systems that copy on write: btrfs, ZFS). LMDB only notes its last page, not the file's size.

import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import type { Bytes } from '../engine/base/brand.ts';

const pieceBytes: Bytes = 256 * 1024;
/** Of `stat`, whatever the file system's blocks are. */
const blockBytes: Bytes = 512;

export class KeptRoom {
  readonly #path: string;
  readonly #usedBytes: () => Bytes;
  #endBytes: Bytes;

  /** `usedBytes`: up to the last page of the newest commit. */
  constructor(path: string, usedBytes: () => Bytes) {
    this.#path = path;
    this.#usedBytes = usedBytes;
    const { size, blocks } = statSync(path);
    // A copy of the file may have holes where the zeros were.
    this.#endBytes = blocks * blockBytes >= size ? size : 0;
  }

  get bytes(): Bytes {
    return Math.max(0, this.#endBytes - this.#usedBytes());
  }

  /**
   * Writes zeros until `wanted` bytes are kept. Only while no commit is in flight: it would write
   * its new pages in the same place. Throws where the disk has no room for them.
   */
  extend(wanted: Bytes): void {
    const used = this.#usedBytes();
    const end = used + wanted;
    const zeros = Buffer.alloc(pieceBytes);
    const file = openSync(this.#path, 'r+');
    try {
      for (let at = Math.max(this.#endBytes, used); at < end; this.#endBytes = at)
        at += writeSync(file, zeros, 0, Math.min(pieceBytes, end - at), at);
    } finally {
      closeSync(file);
    }
  }
}
