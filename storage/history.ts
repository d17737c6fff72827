// History files: `history/<app>/<yyyy-mm-dd>/<first>-<last>.<generation>.<form>`, immutable, one
// app and UTC day each. The caller defines content and form. A file counts only while a
// checkpoint's manifest lists it, so a crash before listing stores no event twice: the next pass
// removes the file.

import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Bytes, dayMs, type Millis, type Ordinal } from '../engine/base/brand.ts';
import type { HistoryFile } from './checkpoint.ts';
import { checksumOf, makeDirectorySynced, syncPath } from './durable-file.ts';

/** A written file's events. `minSeq` and `maxSeq` are numbers in the app. */
type HistoryEvents = Pick<HistoryFile, 'count' | 'minSeq' | 'maxSeq' | 'minAtMs' | 'maxAtMs'>;

export function historyPath(partitionPath: string): string {
  return join(partitionPath, 'history');
}

/** UTC day in days since the epoch. */
export function dayOf(atMs: Millis): number {
  return Math.floor(atMs / dayMs);
}

/** `2026-01-31`, for the years 0 to 9999. */
function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Writes the files of one pass; `finish` makes them durable. */
export class HistoryWriter {
  readonly #root: string;
  readonly #generation: number;
  readonly #form: string;
  readonly #directories = new Set<string>();
  #drafts = 0;

  /** `generation` is the listing checkpoint's, so names are unique. `form` is the suffix. */
  constructor(partitionPath: string, generation: number, form: string) {
    this.#root = historyPath(partitionPath);
    this.#generation = generation;
    this.#form = form;
  }

  /** Begins a file. It gets its name once its draft is kept. */
  begin(app: Ordinal, day: number): HistoryDraft {
    const folder = join(String(app), dayName(day));
    const directory = join(this.#root, folder);
    makeDirectorySynced(directory);
    this.#directories.add(directory);
    const path = join(directory, `${this.#generation}-${this.#drafts++}.tmp`);
    const nameOf = ({ minSeq, maxSeq }: HistoryEvents) =>
      `${minSeq}-${maxSeq}.${this.#generation}.${this.#form}`;
    return new HistoryDraft(path, (events, bytes, checksum) => {
      const name = nameOf(events);
      renameSync(path, join(directory, name));
      return { app, day, ...events, file: join(folder, name), bytes, crc32: checksum };
    });
  }

  /** Makes the names durable. Call before writing the manifest that lists them. */
  finish(): void {
    for (const directory of this.#directories) syncPath(directory);
    this.#directories.clear();
  }
}

const writeBytes: Bytes = 1024 * 1024;

/** A file being written, front to back. End it with `keep` or `abandon`. */
export class HistoryDraft {
  readonly #path: string;
  readonly #name: (events: HistoryEvents, bytes: Bytes, checksum: number) => HistoryFile;
  readonly #file: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #checksum = 0;
  #isOpen = true;

  constructor(
    path: string,
    name: (events: HistoryEvents, bytes: Bytes, checksum: number) => HistoryFile,
  ) {
    this.#path = path;
    this.#name = name;
    this.#file = openSync(path, 'w', 0o600);
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  /** `bytes` must not change until `keep`. */
  append(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#bytes += bytes.length;
    this.#checksum = crc32(bytes, this.#checksum);
    if (this.#waitingBytes >= writeBytes) this.#write();
  }

  /** Syncs and names it; durable after the writer's `finish`. */
  keep(events: HistoryEvents): HistoryFile {
    try {
      this.#write();
      fsyncSync(this.#file);
    } finally {
      this.#close();
    }
    return this.#name(events, this.#bytes, this.#checksum);
  }

  /** Removes it; also after a failed `keep`. */
  abandon(): void {
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#file);
  }

  #write(): void {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }
}

/** The file was removed: a newer manifest lists its replacement. */
export class HistoryGone extends Error {
  override readonly name = 'HistoryGone';
}

/** The file cannot be read; `cause` is the disk's error. */
export class HistoryUnreadable extends Error {
  override readonly name = 'HistoryUnreadable';
}

/** Reads pieces of one open file, even if it is removed meanwhile. Close it. */
export class HistoryReader {
  readonly path: string;
  readonly bytes: Bytes;
  readonly #file: number;

  /** Throws `HistoryGone`. */
  constructor(partitionPath: string, listed: Pick<HistoryFile, 'file' | 'bytes'>) {
    this.path = join(historyPath(partitionPath), listed.file);
    this.bytes = listed.bytes;
    try {
      this.#file = openSync(this.path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new HistoryGone(`${this.path} is gone`);
      throw new HistoryUnreadable(`${this.path} cannot be opened`, { cause: error });
    }
  }

  /** `length` bytes from `at`, or fewer at the end of the file. */
  read(at: number, length: Bytes): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const more = this.#readSome(bytes, done, at + done);
      if (more === 0) break;
      done += more;
    }
    return bytes.subarray(0, done);
  }

  close(): void {
    closeSync(this.#file);
  }

  #readSome(into: Buffer, from: number, at: number): number {
    try {
      return readSync(this.#file, into, from, into.length - from, at);
    } catch (error) {
      throw new HistoryUnreadable(`${this.path} cannot be read`, { cause: error });
    }
  }
}

/** A listed file's problem as a sentence, or `undefined`. */
export function historyProblem(partitionPath: string, listed: HistoryFile): string | undefined {
  try {
    const found = checksumOf(join(historyPath(partitionPath), listed.file));
    if (found.bytes !== listed.bytes) {
      return `${listed.file} has ${found.bytes} bytes, expected ${listed.bytes}`;
    }
    return found.crc32 === listed.crc32 ? undefined : `${listed.file} fails its checksum`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Removes unlisted files and empty directories; returns the file count. Run it only between passes,
 * with the files of every kept checkpoint: the older one may still be needed.
 */
export function removeUnlisted(partitionPath: string, listed: ReadonlySet<string>): number {
  const root = historyPath(partitionPath);
  let removed = 0;
  for (const app of namesIn(root)) {
    for (const day of namesIn(join(root, app))) {
      const directory = join(root, app, day);
      const names = namesIn(directory);
      let left = names.length;
      for (const name of names) {
        if (listed.has(join(app, day, name))) continue;
        rmSync(join(directory, name), { force: true });
        removed++;
        left--;
      }
      if (left === 0) rmdirSync(directory);
    }
    if (namesIn(join(root, app)).length === 0) rmdirSync(join(root, app));
  }
  return removed;
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
