// Rewrites a history file without some people. Copies blocks without them, so erasing one packs a
// thousand events instead of half a million.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import type { HistoryDraft } from '../../../storage/history.ts';
import type { EventFile } from './event-file.ts';
import { blockRowsMax, EventFileWriter } from './file-writer.ts';
import { mergedRows, type RowChoice } from './sorted-rows.ts';

/** The file without `people` (ascending); `undefined` if nothing is left. No file after a throw. */
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
