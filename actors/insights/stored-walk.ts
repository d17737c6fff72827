// Walks everything that an app has stored, as of one newest durable block: files of history, then the log after them. It is
// how every insight reads. Rows come in no order but that of their files, and an event that came late is in a file of its
// day that was written late.

import { decodeBlock } from '../../engine/actor/block.ts';
import type { Millis, Ordinal, Seq } from '../../engine/base/brand.ts';
import type { StopFlag } from '../../engine/thread/shared-word.ts';
import type { HistoryFile } from '../../storage/checkpoint.ts';
import { nextCount } from '../../storage/log.ts';
import { eventsOf } from '../events/log-events.ts';
import { type BlockSource, type HistorySource, LogGone } from '../events/read.ts';
import type { StoredEvents } from '../events/stored-events.ts';

/** Thrown where a walk was told to stop: the answer took too long, or the server is stopping. */
export class WalkStopped extends Error {
  override readonly name = 'WalkStopped';
}

/** The instants of the first and the last of some events. */
export type TimeSpan = Pick<HistoryFile, 'minAtMs' | 'maxAtMs'>;

/**
 * What takes the rows [from, to) of stored events. Rows outside the asked time may be among them. `span` is given where it
 * is known without looking at the rows.
 */
export type TakeEvents = (events: StoredEvents, from: number, to: number, span?: TimeSpan) => void;

const firstRead = 64;

export class StoredWalk {
  readonly #app: Ordinal;
  readonly #log: BlockSource;
  readonly #history: HistorySource;
  readonly #stop: Pick<StopFlag, 'isSet'>;
  readonly #throughSeq: Seq;

  constructor(
    app: Ordinal,
    log: BlockSource,
    history: HistorySource,
    stop: Pick<StopFlag, 'isSet'>,
  ) {
    this.#app = app;
    this.#log = log;
    this.#history = history;
    this.#stop = stop;
    this.#throughSeq = log.durableSeq;
  }

  /** All that may have happened at or after an instant. Throws `LogGone`, `WalkStopped` and what opening a file throws. */
  all(fromMs: Millis, take: TakeEvents): void {
    this.files(this.filesFrom(fromMs), take);
    this.tail(take);
  }

  /** The app's files with something at or after an instant. */
  filesFrom(fromMs: Millis): readonly HistoryFile[] {
    const { files } = this.#history;
    return files.filter(({ app, maxAtMs }) => app === this.#app && maxAtMs >= fromMs);
  }

  /** What is in these files. */
  files(files: readonly HistoryFile[], take: TakeEvents): void {
    for (const file of files) {
      this.#check();
      const events = this.#history.open(file);
      take(events, 0, events.count, file);
    }
  }

  /** What is in the log and in no file. */
  tail(take: TakeEvents): void {
    let count = firstRead;
    for (let from = this.#history.seq + 1; from <= this.#throughSeq; ) {
      this.#check();
      const blocks = this.#log.blocks(from, Math.min(count, this.#throughSeq - from + 1));
      if (blocks[0]?.seq !== from) throw new LogGone(`log block ${from} is gone`);
      let bytes = 0;
      for (const { block } of blocks) {
        bytes += block.length;
        for (const entry of decodeBlock(block).entries)
          if (entry.owner === this.#app)
            for (const events of eventsOf(entry)) take(events, 0, events.count);
      }
      from += blocks.length;
      count = nextCount(count, bytes);
    }
  }

  #check(): void {
    if (this.#stop.isSet) throw new WalkStopped('an insight was told to stop');
  }
}
