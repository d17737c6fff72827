// Stored events for reports: history, then the log. Check each row; skip erased people.

import { decodeBlock } from '../../../engine/actor/block.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { nextCount } from '../../../storage/log.ts';
import type { FoundRows, WantedEvents } from '../history/event-file.ts';
import type { EventHistory } from '../history/event-history.ts';
import { type BlockSource, LogGone } from './read.ts';

const firstRead = 64;

/** In no order. Throws `LogGone`, and like `EventHistory.find`: see `withHistory`. */
export function* storedRows(
  app: Ordinal,
  wanted: Omit<WantedEvents, 'isEnough'>,
  log: BlockSource,
  history: EventHistory,
): Generator<FoundRows> {
  const { durableSeq } = log;
  yield* history.find(app, wanted);
  let count = firstRead;
  for (let from = history.seq + 1; from <= durableSeq; ) {
    const blocks = log.blocks(from, Math.min(count, durableSeq - from + 1));
    if (blocks[0]?.seq !== from) throw new LogGone(`log block ${from} is gone`);
    let bytes = 0;
    for (const { block } of blocks) {
      bytes += block.length;
      for (const entry of decodeBlock(block).entries) {
        if (entry.owner !== app) continue;
        for (const events of log.eventsOf(entry)) yield { events, from: 0, to: events.count };
      }
    }
    from += blocks.length;
    count = nextCount(count, bytes);
  }
}
