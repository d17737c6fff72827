// Writes a file of history anew without some people. Blocks that have none of their events are
// copied as they are, so that erasing one person packs a thousand events again, and not the half
// million that may be in a file.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import type { HistoryDraft } from '../../../storage/history.ts';
import type { EventFile } from './event-file.ts';
import { blockRowsMax, EventFileWriter } from './file-writer.ts';
import { mergedRows, type RowChoice } from './sorted-rows.ts';

/**
 * The file in `draft` without the events of `people`, ascending; `undefined`, and no file, when
 * nothing else is in it. Throws what reading the file throws, and leaves nothing then.
 */
export function rewriteWithout(
  file: EventFile,
  people: readonly PersonOrdinal[],
  draft: HistoryDraft,
): HistoryFile | undefined {
  const gone = new Set(people);
  const choose: RowChoice = (events, row) => !gone.has(events.person(row));
  try {
    const writer = new EventFileWriter(draft);
    const touched = new Set(file.blocksWith(people));
    let block = 0;
    for (const { place, bytes, hashes, events } of file.rawBlocks()) {
      if (!touched.has(block++)) writer.copy(place, bytes, hashes);
      else for (const list of mergedRows([[events]], choose, blockRowsMax)) writer.add(list);
    }
    return writer.finish();
  } catch (error) {
    draft.abandon();
    throw error;
  }
}
