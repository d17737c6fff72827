// Erased people, and other changes that a restore must not undo (`listed-change.ts`), listed apart
// from backups, so that a restore makes them again before serving. One file per partition and UTC
// day, one JSON line each; lines may repeat, and a whole line follows a torn one. No checkpoint may
// cover a line that still waits.

import { existsSync, readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, type Millis, type Ordinal } from '../engine/base/brand.ts';
import { appendSynced, makeDirectorySynced, syncPath } from './durable-file.ts';

/** An erased person; ids are never reused. */
export interface Erasure {
  readonly app: Ordinal;
  readonly subscriberId: string;
  readonly atMs: Millis;
}

interface ErasureListOptions {
  readonly directory: string;
  readonly partition: number;
  /** Days that backups are kept. */
  readonly keptDays: number;
  /** Called once when writing begins to fail, and daily for an old list that cannot be removed. */
  onFailed(error: unknown): void;
  /** `count` waiting erasures are now written. */
  onRecovered?(count: number): void;
}

/** The default, in the data directory. */
export const erasuresFolder = 'erasures';

/** Written as JSON. */
type Line = Erasure | { readonly entry: unknown; readonly atMs: Millis };

const fileName = /^(\d{4}-\d{2}-\d{2})-(\d{2,3})\.jsonl$/;

export function isListFile(name: string): boolean {
  return fileName.test(name);
}

const laterMs: Millis = 100;

/** One partition's list, for writing. */
export class ErasureList {
  readonly #options: ErasureListOptions;
  #waiting: Line[] = [];
  #scheduled = false;
  #later: NodeJS.Timeout | undefined;
  #failing = false;
  /** What the list has of a day, during a replay. */
  readonly #listed = new Map<string, Set<string>>();
  /** Files whose names are durable. */
  readonly #named = new Set<string>();

  constructor(options: ErasureListOptions) {
    this.#options = options;
  }

  /** Lines not yet on the list. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Writes it durably, together with others of this event loop turn. */
  add(line: Line): void {
    this.#waiting.push(line);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** The same with others of a tenth of a second: opt-outs may be many, and a write is a sync. */
  addLater(line: Line): void {
    this.#waiting.push(line);
    this.#later ??= setTimeout(() => this.flush(), laterMs).unref();
  }

  /**
   * The same for what a replay finds. Unless the list has it already: written again it would follow
   * what changed since, and the newest line about a thing counts.
   */
  addAgain(line: Line): void {
    const day = dayOf(line.atMs);
    let listed = this.#listed.get(day);
    if (listed === undefined) {
      listed = this.#linesOf(day);
      this.#listed.set(day, listed);
    }
    if (!listed.has(canonical(line))) this.add(line);
  }

  /** Writes what waits. A failed write waits for the next call: call every second. */
  flush(): void {
    this.#scheduled = false;
    this.#listed.clear();
    clearTimeout(this.#later);
    this.#later = undefined;
    const count = this.#waiting.length;
    while (this.#waiting.length > 0) {
      const day = dayOf((this.#waiting[0] as Line).atMs);
      const isThen = ({ atMs }: Line) => dayOf(atMs) === day;
      try {
        this.#append(day, this.#waiting.filter(isThen));
      } catch (error) {
        // The directory may have been removed and must be created again.
        this.#named.clear();
        if (!this.#failing) this.#options.onFailed(error);
        this.#failing = true;
        return;
      }
      this.#waiting = this.#waiting.filter((line) => !isThen(line));
    }
    if (!this.#failing) return;
    this.#failing = false;
    this.#options.onRecovered?.(count);
  }

  #pathOf(day: string): string {
    const { directory, partition } = this.#options;
    return join(directory, `${day}-${String(partition).padStart(2, '0')}.jsonl`);
  }

  #linesOf(day: string): Set<string> {
    const path = this.#pathOf(day);
    const lines = new Set<string>();
    if (!existsSync(path)) return lines;
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      try {
        lines.add(canonical(JSON.parse(text)));
      } catch {
        // empty, or torn
      }
    }
    return lines;
  }

  #append(day: string, added: readonly Line[]): void {
    const { directory } = this.#options;
    const path = this.#pathOf(day);
    const isNamed = this.#named.has(path);
    if (!isNamed) makeDirectorySynced(directory);
    // A leading newline starts a whole line even after a torn one.
    const lines = added.map((line) => `\n${JSON.stringify(line)}`).join('');
    appendSynced(path, Buffer.from(lines));
    if (isNamed) return;
    // Also if it exists: its creator may have ended before the name was durable.
    syncPath(directory);
    this.#named.add(path);
    try {
      this.#removeBefore(Date.parse(day) - this.#options.keptDays * dayMs);
    } catch (error) {
      this.#options.onFailed(error); // the new lines are down all the same
    }
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

/** Everyone on a directory's lists once, from any partition; `undefined` without a directory. */
export function readErasures(directory: string): Erasure[] | undefined {
  if (!existsSync(directory)) return undefined;
  const people = new Map<string, Erasure>();
  for (const name of readdirSync(directory)) {
    if (!isListFile(name)) continue;
    for (const line of readFileSync(join(directory, name), 'utf8').split('\n')) {
      const erasure = parsed(line);
      if (erasure !== undefined) people.set(`${erasure.app} ${erasure.subscriberId}`, erasure);
    }
  }
  return [...people.values()];
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

/** The same text for equal lines, whatever the order of their members. */
function canonical(line: unknown): string {
  return JSON.stringify(line, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
