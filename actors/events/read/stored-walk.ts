// All of an app's events at one durable block, for insights: history, then the log. Rows come in
// file order; late events are in late files.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { StopFlag } from '../../../engine/thread/shared-word.ts';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import type { FoundRows, WantedEvents } from '../history/event-file.ts';
import { EventHistory } from '../history/event-history.ts';
import type { StoredEvents } from '../log/stored-events.ts';
import type { BlockSource } from './read.ts';
import { storedRows } from './stored-read.ts';

/** Took too long, or the server stops. */
export class WalkStopped extends Error {
  override readonly name = 'WalkStopped';
}

/** From an instant on, of these names if given. */
type Wanted = Required<Pick<WantedEvents, 'fromMs'>> & Pick<WantedEvents, 'names'>;

type TimeSpan = Pick<HistoryFile, 'minAtMs' | 'maxAtMs'>;

/** Receives rows [from, to), unwanted ones included, gone ones not. `span` may be wider. */
export type EventSink = (events: StoredEvents, from: number, to: number, span?: TimeSpan) => void;

export class StoredWalk {
  readonly #app: Ordinal;
  readonly #log: BlockSource;
  readonly #history: EventHistory;
  readonly #stop: Pick<StopFlag, 'isSet'>;
  readonly #goneBeforeMs: Millis;

  constructor(
    app: Ordinal,
    log: BlockSource,
    history: EventHistory,
    stop: Pick<StopFlag, 'isSet'>,
    goneBeforeMs: Millis = 0,
  ) {
    const { durableSeq, oldestSeq, eventsOf } = log;
    this.#app = app;
    // A fixed end, so that a second walk finds the same.
    const blocks: BlockSource['blocks'] = (from, limit) => log.blocks(from, limit);
    this.#log = { durableSeq, oldestSeq, blocks, eventsOf };
    this.#history = history;
    this.#stop = stop;
    this.#goneBeforeMs = goneBeforeMs;
  }

  /** Throws `WalkStopped`, and like `storedRows`. */
  all(wanted: Wanted, take: EventSink): void {
    this.files(this.filesFrom(wanted), wanted, take);
    this.tail(take);
  }

  /** Files that may match. */
  filesFrom({ fromMs }: Wanted): readonly HistoryFile[] {
    const oldestMs = Math.max(fromMs, this.#goneBeforeMs);
    return this.#history.filesOf(this.#app).filter(({ maxAtMs }) => maxAtMs >= oldestMs);
  }

  files(files: readonly HistoryFile[], wanted: Wanted, take: EventSink): void {
    for (const listed of files) {
      for (const { events, from, to } of this.#history.open(listed).find(wanted)) {
        this.#check();
        if (listed.minAtMs >= this.#goneBeforeMs) take(events, from, to, listed);
        else this.#takeKept({ events, from, to }, take, listed);
      }
    }
  }

  /** In the log but in no file. */
  tail(take: EventSink): void {
    const { seq } = this.#history;
    const withoutFiles = new EventHistory(seq, [], (listed) => this.#history.open(listed));
    for (const { events, from, to } of storedRows(this.#app, {}, this.#log, withoutFiles)) {
      this.#check();
      if (this.#goneBeforeMs === 0) take(events, from, to);
      else this.#takeKept({ events, from, to }, take);
    }
  }

  /** The runs of rows that are not gone. */
  #takeKept({ events, from, to }: FoundRows, take: EventSink, span?: TimeSpan): void {
    let start = from;
    for (let row = from; row < to; row++) {
      if (events.atMs(row) >= this.#goneBeforeMs) continue;
      if (start < row) take(events, start, row, span);
      start = row + 1;
    }
    if (start < to) take(events, start, to, span);
  }

  #check(): void {
    if (this.#stop.isSet) throw new WalkStopped('an insight was stopped');
  }
}
