// Who was erased, kept apart from backups: a restore brings back people who were erased after its backup was cut, and by
// this list they are erased again before anything is served. One file a partition and UTC day, a JSON line an erasure;
// files go once no backup is kept that long. A line may stand twice, and a torn one (the process ended while it was
// written) is followed by a whole one, because at a start what the log still tells is written again.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { dayMs, type Millis, type Ordinal } from '../engine/base/brand.ts';
import { makeDirectorySynced, syncPath } from './durable-file.ts';

/** One person who was erased; ids are never used twice. */
export interface Erasure {
  readonly app: Ordinal;
  readonly subscriberId: string;
  readonly atMs: Millis;
}

export interface ErasureListOptions {
  readonly directory: string;
  readonly partition: number;
  /** How many days backups are kept. */
  readonly keptDays: number;
  onFailed(error: unknown): void;
}

/** Where they are unless the operator says otherwise, in the data directory. */
export const erasuresFolder = 'erasures';

const fileName = /^(\d{4}-\d{2}-\d{2})-(\d{2,3})\.jsonl$/;

/** The list of one partition, as it is written. */
export class ErasureList {
  readonly #options: ErasureListOptions;
  #waiting: Erasure[] = [];
  #scheduled = false;

  constructor(options: ErasureListOptions) {
    this.#options = options;
  }

  /** Puts an erasure down durably, with all others of this turn of the event loop. */
  add(erasure: Erasure): void {
    this.#waiting.push(erasure);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Writes what waits, now; what cannot be written is tried again with the next. */
  flush(): void {
    this.#scheduled = false;
    while (this.#waiting.length > 0) {
      const day = dayOf((this.#waiting[0] as Erasure).atMs);
      const isThen = ({ atMs }: Erasure) => dayOf(atMs) === day;
      try {
        this.#append(day, this.#waiting.filter(isThen));
      } catch (error) {
        this.#options.onFailed(error);
        return;
      }
      this.#waiting = this.#waiting.filter((erasure) => !isThen(erasure));
    }
  }

  #append(day: string, erasures: readonly Erasure[]): void {
    const { directory, partition } = this.#options;
    const path = join(directory, `${day}-${String(partition).padStart(2, '0')}.jsonl`);
    const isNew = !existsSync(path);
    if (isNew) makeDirectorySynced(directory);
    const file = openSync(path, 'a', 0o600);
    try {
      // The newline stands first: behind a line that was torn, too, a whole one begins.
      writeSync(file, erasures.map((erasure) => `\n${JSON.stringify(erasure)}`).join(''));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (!isNew) return;
    syncPath(directory);
    this.#removeBefore(Date.parse(day) - this.#options.keptDays * dayMs);
  }

  #removeBefore(cutMs: Millis): void {
    const { directory } = this.#options;
    for (const name of readdirSync(directory)) {
      const [, day, partition] = fileName.exec(name) ?? [];
      if (day === undefined || Number(partition) !== this.#options.partition) continue;
      if (Date.parse(day) + dayMs <= cutMs) unlinkSync(join(directory, name));
    }
  }
}

/** Everybody on the lists of a directory, whatever partition wrote them; nobody when there is none. */
export function readErasures(directory: string): Erasure[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => fileName.test(name))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .flatMap((line) => parsed(line) ?? []);
}

function parsed(line: string): Erasure | undefined {
  try {
    const { app, subscriberId, atMs } = JSON.parse(line) as Erasure;
    return typeof app === 'number' && typeof subscriberId === 'string'
      ? { app, subscriberId, atMs }
      : undefined;
  } catch {
    return undefined; // empty, or torn
  }
}

function dayOf(ms: Millis): string {
  return new Date(ms).toISOString().slice(0, 10);
}
