// Caches history file directories per reading thread, bounded. Files never change, so a query over
// ninety days need not reread ninety directories.

import type { Bytes } from '../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import { EventFile } from './event-file.ts';

/** Directories of about 200 million events. */
const keptBytesMax: Bytes = 16 * 1024 * 1024;

interface Kept {
  readonly file: EventFile;
  /** As last counted: a name index may be added. */
  bytes: Bytes;
}

/** Least recently used files are dropped first. One per thread is enough. */
export class OpenedFiles {
  readonly #files = new Map<string, Kept>();
  readonly #bytesMax: Bytes;
  #bytes: Bytes = 0;

  constructor(bytesMax = keptBytesMax) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  /** Cached or newly opened. Throws like `EventFile`. */
  open(partitionPath: string, listed: HistoryFile): EventFile {
    // With checksum: a restored backup may have other files of the same names.
    const key = `${partitionPath}/${listed.file}:${listed.crc32}`;
    let kept = this.#files.get(key);
    if (kept === undefined) {
      kept = { file: new EventFile(partitionPath, listed), bytes: 0 };
    } else this.#files.delete(key);
    this.#files.set(key, kept);
    this.#bytes += kept.file.bytes - kept.bytes;
    kept.bytes = kept.file.bytes;
    this.#letGo();
    return kept.file;
  }

  #letGo(): void {
    for (const [key, { bytes }] of this.#files) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#files.delete(key);
      this.#bytes -= bytes;
    }
  }
}
