// Files of history: `history/<app>/<yyyy-mm-dd>/<first>-<last>.<generation>.ev`, immutable, one block of one app's events
// of one UTC day each. What is in a block is the caller's. A file counts only while the manifest of a checkpoint lists it:
// a crash between writing one and listing it leaves a stranger, removed by the next pass, and no event twice.

import { readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { dayMs, type Millis } from '../engine/base/brand.ts';
import type { HistoryFile } from './checkpoint.ts';
import { checksumOf, makeDirectorySynced, syncPath, writeSynced } from './durable-file.ts';

/** What is told about a block when it is written. `minSeq` and `maxSeq` are the numbers of its events in the app. */
export type HistoryBlock = Omit<HistoryFile, 'file' | 'bytes' | 'crc32'>;

/** Where a partition's history is. */
export function historyPath(partitionPath: string): string {
  return join(partitionPath, 'history');
}

/** The UTC day of an instant, in days since the epoch. */
export function dayOf(atMs: Millis): number {
  return Math.floor(atMs / dayMs);
}

/** `2026-01-31`, for a day between the years 0 and 9999. */
export function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Writes the files of one pass, and makes all of them durable at its end. */
export class HistoryWriter {
  readonly #root: string;
  readonly #generation: number;
  readonly #directories = new Set<string>();

  /** `generation` is that of the checkpoint that will list the files: no two passes can write the same name. */
  constructor(partitionPath: string, generation: number) {
    this.#root = historyPath(partitionPath);
    this.#generation = generation;
  }

  /** Writes a block. Its bytes are synced; its name is only durable after `finish`. */
  write(block: HistoryBlock, bytes: Uint8Array): HistoryFile {
    const name = `${block.minSeq}-${block.maxSeq}.${this.#generation}.ev`;
    const file = join(String(block.app), dayName(block.day), name);
    const path = join(this.#root, file);
    makeDirectorySynced(dirname(path));
    writeSynced(`${path}.tmp`, bytes);
    renameSync(`${path}.tmp`, path);
    this.#directories.add(dirname(path));
    return { ...block, file, bytes: bytes.length, crc32: crc32(bytes) };
  }

  /** Makes the names durable. Before the manifest that lists them is written. */
  finish(): void {
    for (const directory of this.#directories) syncPath(directory);
    this.#directories.clear();
  }
}

/** Thrown for a file of history that is gone: a newer manifest lists what took its place. */
export class HistoryGone extends Error {
  override readonly name = 'HistoryGone';
}

/** A file's bytes. Throws `HistoryGone`, or an error when it has another length than was written. */
export function readHistory(partitionPath: string, { file, bytes }: HistoryFile): Buffer {
  const path = join(historyPath(partitionPath), file);
  let found: Buffer;
  try {
    found = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new HistoryGone(`${path} is gone`);
    throw error;
  }
  if (found.length !== bytes) throw new Error(`${path} has ${found.length} bytes, not ${bytes}.`);
  return found;
}

/** What is wrong with a listed file, as a sentence, or `undefined`; for `engage check` and backups. */
export function historyProblem(partitionPath: string, listed: HistoryFile): string | undefined {
  try {
    const found = checksumOf(join(historyPath(partitionPath), listed.file));
    if (found.bytes !== listed.bytes) {
      return `${listed.file} has ${found.bytes} bytes, not ${listed.bytes}`;
    }
    return found.crc32 === listed.crc32 ? undefined : `${listed.file} fails its checksum`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Removes every file that is not listed, and the directories that are empty then; returns how many files. Only while no
 * pass is under way, and with the files of every checkpoint that is kept: the older one may still be needed.
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
