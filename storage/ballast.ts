// A file of zeros that takes room on the disk to give it back when another program has taken all
// the rest: then opt-outs and receipts go on for a while, and the operator has room to work in.

import { renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../engine/base/brand.ts';

const ballastFile = 'ballast';
const bytesMax: Bytes = 64 * 1024 * 1024;
/** At most this share of the disk. */
const fraction = 1 / 64;
const pieceBytes: Bytes = 1024 * 1024;

/** One data directory's ballast. One thread of a process holds it. */
export class Ballast {
  readonly #path: string;
  #isMaking = false;

  constructor(dataDir: string) {
    this.#path = join(dataDir, ballastFile);
  }

  get bytes(): Bytes {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Gives the room back; false if there was none. */
  release(): boolean {
    const held = this.bytes > 0;
    rmSync(this.#path, { force: true });
    return held;
  }

  /** Unless it is there, makes it; resolves to false if the disk has no room after all. */
  async make(totalBytes: Bytes): Promise<boolean> {
    if (this.#isMaking || this.bytes > 0) return true;
    this.#isMaking = true;
    const draft = `${this.#path}.new`;
    try {
      await writeZeros(draft, ballastBytes(totalBytes));
      renameSync(draft, this.#path);
      return true;
    } catch {
      rmSync(draft, { force: true });
      return false;
    } finally {
      this.#isMaking = false;
    }
  }
}

export function ballastBytes(totalBytes: Bytes): Bytes {
  return Math.floor(Math.min(bytesMax, totalBytes * fraction) / pieceBytes) * pieceBytes;
}

/** Zeros take blocks; only a file without written bytes would not. */
async function writeZeros(path: string, bytes: Bytes): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const zeros = Buffer.alloc(pieceBytes);
    for (let at = 0; at < bytes; at += pieceBytes) await file.writeFile(zeros);
    await file.sync();
  } finally {
    await file.close();
  }
}
