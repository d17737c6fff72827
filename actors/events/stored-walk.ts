// Walks everything an app has stored as of one durable block: history, then the log after it. All
// insights read so. Rows come in the order of their files; late events are in files written late.

import type { Ordinal } from '../../engine/base/brand.ts';
import type { StopFlag } from '../../engine/thread/shared-word.ts';
import type { HistoryFile } from '../../storage/checkpoint.ts';
import type { WantedEvents } from './history/event-file.ts';
import { EventHistory } from './history/event-history.ts';
import type { BlockSource } from './read.ts';
import type { StoredEvents } from './stored-events.ts';
import { storedRows } from './stored-read.ts';

/** Thrown when the answer took too long or the server stops. */
export class WalkStopped extends Error {
  override readonly name = 'WalkStopped';
}

/** Events from an instant on, and of these names if given. */
type Wanted = Required<Pick<WantedEvents, 'fromMs'>> & Pick<WantedEvents, 'names'>;

type TimeSpan = Pick<HistoryFile, 'minAtMs' | 'maxAtMs'>;

/** Receives the rows [from, to), unwanted ones among them. `span`, if known, may be wider. */
export type EventSink = (events: StoredEvents, from: number, to: number, span?: TimeSpan) => void;

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
    // A fixed end, so that a second walk finds what the first one did.
    const blocks: BlockSource['blocks'] = (from, limit) => log.blocks(from, limit);
    this.#log = { durableSeq, oldestSeq, blocks, eventsOf };
    this.#history = history;
    this.#stop = stop;
  }

  /** Throws `WalkStopped`, and what `storedRows` throws. */
  all(wanted: Wanted, take: EventSink): void {
    this.files(this.filesFrom(wanted), wanted, take);
    this.tail(take);
  }

  /** The app's files that may match. */
  filesFrom({ fromMs }: Wanted): readonly HistoryFile[] {
    return this.#history.filesOf(this.#app).filter(({ maxAtMs }) => maxAtMs >= fromMs);
  }

  files(files: readonly HistoryFile[], wanted: Wanted, take: EventSink): void {
    for (const listed of files) {
      for (const { events, from, to } of this.#history.open(listed).find(wanted)) {
        this.#check();
        take(events, from, to, listed);
      }
    }
  }

  /** What is in the log and in no file. */
  tail(take: EventSink): void {
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
