// Updates history at a checkpoint: writes folded events by app and day, drops expired, deleted or
// erased ones, joins a day's small files. Files never change; it returns a new list.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Erasing, HistoryFile } from '../../../storage/checkpoint.ts';
import { dayOf, HistoryGone, HistoryUnreadable, HistoryWriter } from '../../../storage/history.ts';
import { limits } from '../../limits.ts';
import { DamagedEvents } from '../columns/byte-cursor.ts';
import type { EventsOf } from '../log/entry-facts.ts';
import type { StoredEvents } from '../log/stored-events.ts';
import { EventFile } from './event-file.ts';
import { fileForm } from './file-directory.ts';
import { blockRowsMax, writeEventFile } from './file-writer.ts';
import { rewriteWithout } from './rewrite.ts';
import { mergedRows, type RowChoice, type RowList, sortedRows } from './sorted-rows.ts';

/** An app at the newest folded entry. */
export interface HistoryApp {
  readonly retentionMs: Millis;
  /** Older events go even within the retention, which was shorter once. */
  readonly goneBeforeMs?: Millis;
  readonly erased: ReadonlySet<PersonOrdinal>;
}

/** A pass's bounds; see `limits`. Small in tests. */
export type HistoryBounds = {
  readonly [Name in
    | 'foldRowsMax'
    | 'foldBytesMax'
    | 'foldFilesMax'
    | 'historyRowsMax'
    | 'historyRunsMax'
    | 'erasureRestMs']: number;
};

/** On a low disk: no joins; erased people stay in old files, where readers skip them. */
export const noRewrites: Partial<HistoryBounds> = {
  foldFilesMax: 0,
  historyRunsMax: Number.POSITIVE_INFINITY,
};

export interface HistoryPassOptions {
  readonly partitionPath: string;
  readonly generation: number;
  readonly nowMs: Millis;
  /** Removes erased people from old files now, without the wait in `limits`. */
  readonly sweep: boolean;
  /** The previous checkpoint's files. */
  readonly listed: readonly HistoryFile[];
  readonly erasing: readonly Erasing[];
  readonly bounds?: Partial<HistoryBounds>;
  readonly eventsOf: EventsOf;
  appOf(app: Ordinal): HistoryApp | undefined;
  /** The file cannot be read and stays listed. */
  onDamaged(file: string, error: unknown): void;
}

/** One app's and day's unwritten events. */
interface Pending {
  readonly app: Ordinal;
  readonly day: number;
  readonly sources: { readonly events: StoredEvents; rows: number }[];
}

/** Feed it every log entry in order, then call `finish`. */
export class HistoryPass {
  readonly #options: HistoryPassOptions;
  readonly #bounds: HistoryBounds;
  readonly #writer: HistoryWriter;
  #files: HistoryFile[];
  #erasing: Erasing[];
  #pending = new Map<string, Pending>();
  #pendingRows = 0;
  #pendingBytes = 0;
  #events = 0;

  constructor(options: HistoryPassOptions) {
    this.#options = options;
    this.#bounds = { ...limits, ...options.bounds };
    this.#writer = new HistoryWriter(options.partitionPath, options.generation, fileForm);
    this.#files = [...options.listed];
    this.#erasing = [...options.erasing];
  }

  get events(): number {
    return this.#events;
  }

  /** Adds an entry of a turn at `atMs`; keeps its bytes until written. */
  add(entry: Entry, atMs: Millis): void {
    if (entry.kind === 'subscriber.erased') {
      const { owner, person } = entry as Entry & { readonly person: PersonOrdinal };
      this.#erasing.push({ app: owner, person, sinceMs: atMs });
      return;
    }
    for (const events of this.#options.eventsOf(entry)) {
      this.#sort(entry.owner, events);
      this.#pendingRows += events.count;
    }
  }

  /** Counts a block's bytes; writes pending events when memory is full. */
  endBlock(bytes: number): void {
    this.#pendingBytes += bytes;
    const { foldRowsMax, foldBytesMax } = this.#bounds;
    if (this.#pendingRows >= foldRowsMax || this.#pendingBytes >= foldBytesMax) this.#flush();
  }

  /** Writes the rest, expires, trims, erases and joins. Returned files are durable. */
  finish(): { readonly history: readonly HistoryFile[]; readonly erasing: readonly Erasing[] } {
    this.#flush();
    this.#expire();
    this.#trim();
    this.#erase();
    this.#join();
    this.#writer.finish();
    return { history: this.#files, erasing: this.#erasing };
  }

  /** Adds a batch's rows to their days. */
  #sort(app: Ordinal, events: StoredEvents): void {
    let last: Pending | undefined;
    for (let row = 0; row < events.count; row++) {
      const day = dayOf(events.atMs(row));
      if (last?.day !== day) last = this.#pendingOf(app, day);
      const source = last.sources[last.sources.length - 1];
      if (source?.events === events) source.rows++;
      else last.sources.push({ events, rows: 1 });
    }
  }

  #pendingOf(app: Ordinal, day: number): Pending {
    const key = `${app}:${day}`;
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = { app, day, sources: [] };
      this.#pending.set(key, pending);
    }
    return pending;
  }

  #flush(): void {
    const { historyRowsMax } = this.#bounds;
    for (const { app, day, sources } of this.#pending.values()) {
      if (this.#options.appOf(app) === undefined) continue;
      for (const some of grouped(sources, ({ rows }) => rows, historyRowsMax)) {
        const events = some.map((source) => source.events);
        const file = this.#write(app, day, (choose) => sortedRows(events, choose, blockRowsMax));
        if (file === undefined) continue;
        this.#files.push(file);
        this.#events += file.count;
      }
    }
    this.#pending = new Map();
    this.#pendingRows = 0;
    this.#pendingBytes = 0;
  }

  /** Writes a day's rows without erased people and gone events; undefined if none remain. */
  #write(
    app: Ordinal,
    day: number,
    rows: (choose: RowChoice) => Iterable<RowList>,
  ): HistoryFile | undefined {
    const { erased = nobody, goneBeforeMs = 0 } = this.#options.appOf(app) ?? {};
    const choose: RowChoice = (events, row) => {
      const atMs = events.atMs(row);
      if (dayOf(atMs) !== day || atMs < goneBeforeMs) return false;
      return !(erased.size > 0 && erased.has(events.person(row)));
    };
    return writeEventFile(this.#writer.begin(app, day), rows(choose));
  }

  #expire(): void {
    const { appOf, nowMs } = this.#options;
    const oldest = new Map<Ordinal, number>();
    const isKept = (app: Ordinal, day: number): boolean => {
      let first = oldest.get(app);
      if (first === undefined) {
        const kept = appOf(app);
        first = kept === undefined ? Infinity : dayOf(nowMs - kept.retentionMs);
        oldest.set(app, first);
      }
      return day >= first;
    };
    this.#files = this.#files.filter(({ app, day }) => isKept(app, day));
    this.#erasing = this.#erasing.filter(({ app }) => appOf(app) !== undefined);
  }

  /** Rewrites files of the day in which a shorter retention ended. */
  #trim(): void {
    const { foldFilesMax } = this.#bounds;
    let opened = 0;
    for (const listed of this.#files) {
      const { goneBeforeMs = 0 } = this.#options.appOf(listed.app) ?? {};
      if (listed.minAtMs >= goneBeforeMs) continue;
      if (++opened > foldFilesMax) return;
      this.#attempt(listed, () => {
        const { app, day } = listed;
        const rows = [this.#open(listed).blocks()];
        const file = this.#write(app, day, (choose) => mergedRows(rows, choose, blockRowsMax));
        this.#replace([listed], file);
      });
    }
  }

  /** Rewrites files with erased people by app, once the oldest erasure waited its time. */
  #erase(): void {
    const { nowMs, sweep } = this.#options;
    const due = nowMs - this.#bounds.erasureRestMs;
    if (!sweep && !this.#erasing.some(({ sinceMs }) => sinceMs <= due)) return;
    let opened = 0;
    for (const [app, people] of byApp(this.#erasing)) {
      if (opened >= this.#bounds.foldFilesMax) return;
      const files = this.#files.filter((file) => file.app === app);
      opened += files.length;
      people.sort((a, b) => a - b);
      let complete = true;
      for (const listed of files) {
        const done = this.#attempt(listed, () => {
          const file = this.#open(listed);
          if (!file.holdsAny(people)) return;
          const { app, day } = listed;
          this.#replace([listed], rewriteWithout(file, people, this.#writer.begin(app, day)));
        });
        complete = complete && done;
      }
      if (complete) this.#erasing = this.#erasing.filter((one) => one.app !== app);
    }
  }

  /** Joins a day's files if too many are of similar size, or the day is over. */
  #join(): void {
    const { historyRowsMax, foldRowsMax } = this.#bounds;
    const days = new Map<string, HistoryFile[]>();
    for (const file of this.#files) {
      if (file.count < historyRowsMax / 2) append(days, `${file.app}:${file.day}`, file);
    }
    let rows = 0;
    for (const small of days.values()) {
      if (rows >= foldRowsMax) return;
      const files = this.#worthJoining(small).toSorted((a, b) => a.minSeq - b.minSeq);
      for (const some of grouped(files, ({ count }) => count, historyRowsMax)) {
        const [first] = some;
        if (first === undefined || some.length < 2) continue;
        const { app, day } = first;
        const joined = this.#attempt(first, () => {
          const sources = some.map((listed) => this.#open(listed).blocks());
          const file = this.#write(app, day, (choose) => mergedRows(sources, choose, blockRowsMax));
          this.#replace(some, file);
        });
        if (joined) rows += some.reduce((sum, { count }) => sum + count, 0);
      }
    }
  }

  /**
   * A day's small files to join now. Joining similar sizes rewrites an event only a few times, and
   * a person's page reads one file for most days.
   */
  #worthJoining(files: readonly HistoryFile[]): readonly HistoryFile[] {
    const { historyRunsMax } = this.#bounds;
    const isOver = (files[0] as HistoryFile).day < dayOf(this.#options.nowMs) - 1;
    const counts = files.map(({ count }) => count);
    const most = Math.max(...counts);
    const others = counts.reduce((sum, count) => sum + count, 0) - most;
    if (isOver && Number.isFinite(historyRunsMax) && others >= most / tierFactor) return files;
    for (let tier = tierOf(most); tier >= 0; tier--) {
      if (files.filter(({ count }) => tierOf(count) === tier).length > historyRunsMax)
        return files.filter(({ count }) => tierOf(count) <= tier);
    }
    return [];
  }

  #replace(files: readonly HistoryFile[], file: HistoryFile | undefined): void {
    const gone = new Set(files);
    this.#files = this.#files.filter((listed) => !gone.has(listed));
    if (file !== undefined) this.#files.push(file);
  }

  #open(listed: HistoryFile): EventFile {
    return new EventFile(this.#options.partitionPath, listed);
  }

  /** False for a damaged file, which stays listed. */
  #attempt(listed: HistoryFile, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      const isOfFile =
        error instanceof DamagedEvents ||
        error instanceof HistoryGone ||
        error instanceof HistoryUnreadable;
      if (!isOfFile) throw error;
      this.#options.onDamaged(listed.file, error);
      return false;
    }
  }
}

/** Similar size: fewer than this many times the other's rows. */
const tierFactor = 8;

function tierOf(count: number): number {
  return Math.floor(Math.log(count) / Math.log(tierFactor));
}

const nobody: ReadonlySet<PersonOrdinal> = new Set();

/** Groups in order of at most `rowsMax` rows; a larger item stands alone. */
function grouped<Item>(
  items: readonly Item[],
  rowsOf: (item: Item) => number,
  rowsMax: number,
): Item[][] {
  const groups: Item[][] = [];
  let rows = 0;
  for (const item of items) {
    const last = groups[groups.length - 1];
    const more = rowsOf(item);
    if (last === undefined || rows + more > rowsMax) {
      groups.push([item]);
      rows = more;
    } else {
      last.push(item);
      rows += more;
    }
  }
  return groups;
}

function byApp(erasing: readonly Erasing[]): Map<Ordinal, PersonOrdinal[]> {
  const apps = new Map<Ordinal, PersonOrdinal[]>();
  for (const { app, person } of erasing) append(apps, app, person);
  return apps;
}

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
