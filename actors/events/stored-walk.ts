// Walks everything that an app has stored, as of one newest durable block: files of history, then
// the log after them. It is how every insight reads. Rows come in no order but that of their files,
// and an event that came late is in a file of its day that was written late.

import type { Ordinal } from '../../engine/base/brand.ts';
import type { StopFlag } from '../../engine/thread/shared-word.ts';
import type { HistoryFile } from '../../storage/checkpoint.ts';
import type { WantedEvents } from './history/event-file.ts';
import { EventHistory } from './history/event-history.ts';
import type { BlockSource } from './read.ts';
import type { StoredEvents } from './stored-events.ts';
import { storedRows } from './stored-read.ts';

/** Thrown where a walk was told to stop: the answer took too long, or the server is stopping. */
export class WalkStopped extends Error {
  override readonly name = 'WalkStopped';
}

/**
 * Which events a fold can use: what happened from an instant on, and of these names alone where
 * some are given.
 */
type Wanted = Required<Pick<WantedEvents, 'fromMs'>> & Pick<WantedEvents, 'names'>;

/** The instants of the first and the last of some events. */
type TimeSpan = Pick<HistoryFile, 'minAtMs' | 'maxAtMs'>;

/**
 * What takes the rows [from, to) of stored events. Rows that are not wanted may be among them.
 * `span` is given where it is known without looking at the rows, and may be wider than they are.
 */
export type TakeEvents = (events: StoredEvents, from: number, to: number, span?: TimeSpan) => void;

export class StoredWalk {
  readonly #app: Ordinal;
  readonly #log: BlockSource;
  readonly #history: EventHistory;
  readonly #stop: Pick<StopFlag, 'isSet'>;

  constructor(
    app: Ordinal,
    log: BlockSource,
    history: EventHistory,
    stop: Pick<StopFlag, 'isSet'>,
  ) {
    const { durableSeq, oldestSeq, eventsOf } = log;
    this.#app = app;
    // What becomes durable meanwhile is left out: a second walk finds what the first one did.
    const blocks: BlockSource['blocks'] = (from, limit) => log.blocks(from, limit);
    this.#log = { durableSeq, oldestSeq, blocks, eventsOf };
    this.#history = history;
    this.#stop = stop;
  }

  /** All that is wanted. Throws `WalkStopped`, and what `storedRows` throws. */
  all(wanted: Wanted, take: TakeEvents): void {
    this.files(this.filesFrom(wanted), wanted, take);
    this.tail(take);
  }

  /** The app's files that may have something wanted. */
  filesFrom({ fromMs }: Wanted): readonly HistoryFile[] {
    return this.#history.filesOf(this.#app).filter(({ maxAtMs }) => maxAtMs >= fromMs);
  }

  /** What these files have of it. */
  files(files: readonly HistoryFile[], wanted: Wanted, take: TakeEvents): void {
    for (const listed of files) {
      for (const { events, from, to } of this.#history.open(listed).find(wanted)) {
        this.#check();
        take(events, from, to, listed);
      }
    }
  }

  /** What is in the log and in no file. */
  tail(take: TakeEvents): void {
    const { seq } = this.#history;
    const withoutFiles = new EventHistory(seq, [], (listed) => this.#history.open(listed));
    for (const { events, from, to } of storedRows(this.#app, {}, this.#log, withoutFiles)) {
      this.#check();
      take(events, from, to);
    }
  }

  #check(): void {
    if (this.#stop.isSet) throw new WalkStopped('an insight was stopped');
  }
}
