// Opens files of history. Directories of opened ones are kept in each thread that reads, up to a
// bound: files never change, so they stay right, and a question over ninety days need not read
// ninety directories again.

import type { Bytes } from '../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import { type EventFile, SectionedFile } from './event-file.ts';
import { WholeFile, wholeForm } from './whole-file.ts';

/**
 * Opens a listed file by itself. Throws `HistoryGone`, and `DamagedEvents` for a directory that is
 * damaged.
 */
export function openEventFile(partitionPath: string, listed: HistoryFile): EventFile {
  return listed.file.endsWith(`.${wholeForm}`)
    ? new WholeFile(partitionPath, listed)
    : new SectionedFile(partitionPath, listed);
}

/** Directories of about 200 million events. */
const keptBytesMax: Bytes = 16 * 1024 * 1024;

interface Kept {
  readonly file: SectionedFile;
  /** As it was counted last: an index of names may come to it. */
  bytes: Bytes;
}

/** Opened files, those longest unused let go first. One a thread is enough. */
export class OpenedFiles {
  readonly #files = new Map<string, Kept>();
  readonly #bytesMax: Bytes;
  #bytes: Bytes = 0;

  constructor(bytesMax = keptBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes of the directories it keeps. */
  get bytes(): Bytes {
    return this.#bytes;
  }

  /** As `openEventFile`. */
  open(partitionPath: string, listed: HistoryFile): EventFile {
    // The checksum too: a backup restored to the same place may have other files under the same
    // names.
    const key = `${partitionPath}/${listed.file}:${listed.crc32}`;
    let kept = this.#files.get(key);
    if (kept === undefined) {
      const file = openEventFile(partitionPath, listed);
      if (!(file instanceof SectionedFile)) return file;
      kept = { file, bytes: 0 };
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
