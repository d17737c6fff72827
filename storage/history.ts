// Files of history: `history/<app>/<yyyy-mm-dd>/<first>-<last>.<generation>.<form>`, immutable,
// each with events of one app and UTC day. The caller defines the content and names its form. A
// file counts only while a checkpoint's manifest lists it. A crash between writing and listing
// leaves an unlisted file, which the next pass removes, and no event twice.

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

/** A file's events once it is written. `minSeq` and `maxSeq` are their numbers in the app. */
type HistoryEvents = Pick<HistoryFile, 'count' | 'minSeq' | 'maxSeq' | 'minAtMs' | 'maxAtMs'>;

/** Where a partition's history is. */
export function historyPath(partitionPath: string): string {
  return join(partitionPath, 'history');
}

/** The UTC day of an instant, in days since the epoch. */
export function dayOf(atMs: Millis): number {
  return Math.floor(atMs / dayMs);
}

/** `2026-01-31`, for a day between the years 0 and 9999. */
function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Writes the files of one pass, and makes all of them durable at its end. */
export class HistoryWriter {
  readonly #root: string;
  readonly #generation: number;
  readonly #form: string;
  readonly #directories = new Set<string>();
  #drafts = 0;

  /**
   * `generation` is that of the checkpoint that will list the files: no two passes can write the
   * same name. `form` is what the names end in.
   */
  constructor(partitionPath: string, generation: number, form: string) {
    this.#root = historyPath(partitionPath);
    this.#generation = generation;
    this.#form = form;
  }

  /** Begins a file. It has its name, and belongs to the pass, once its draft is kept. */
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

  /** Makes the names durable. Call it before writing the manifest that lists them. */
  finish(): void {
    for (const directory of this.#directories) syncPath(directory);
    this.#directories.clear();
  }
}

const writeBytes: Bytes = 1024 * 1024;

/**
 * A file that is being written, front to back. End it with `keep` or `abandon`. Made by
 * `HistoryWriter.begin`.
 */
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

  /** How long it is so far. */
  get bytes(): Bytes {
    return this.#bytes;
  }

  /** Adds bytes, which must not change until the draft is kept. */
  append(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#bytes += bytes.length;
    this.#checksum = crc32(bytes, this.#checksum);
    if (this.#waitingBytes >= writeBytes) this.#write();
  }

  /** Syncs it and gives it its name, which is durable after the writer's `finish`. */
  keep(events: HistoryEvents): HistoryFile {
    try {
      this.#write();
      fsyncSync(this.#file);
    } finally {
      this.#close();
    }
    return this.#name(events, this.#bytes, this.#checksum);
  }

  /** Removes it; also after `keep` has failed. */
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

/** Thrown for a removed file of history: a newer manifest lists its replacement. */
export class HistoryGone extends Error {
  override readonly name = 'HistoryGone';
}

/** Thrown for a file of history that cannot be read. Its `cause` is the disk's error. */
export class HistoryUnreadable extends Error {
  override readonly name = 'HistoryUnreadable';
}

/** Reads pieces of one file. Close it; a file that is removed meanwhile can still be read. */
export class HistoryReader {
  readonly path: string;
  readonly bytes: Bytes;
  readonly #file: number;

  /** Throws `HistoryGone` if the file no longer exists. */
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

  /** `length` bytes from `at`, or those up to the end of the file when it ends before. */
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

/** The problem of a listed file as a sentence, or `undefined`; for `engage check` and backups. */
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
 * Removes every file that is not listed, and the directories that are empty then; returns how many
 * files. Only while no pass is under way, and with the files of every checkpoint that is kept: the
 * older one may still be needed.
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
