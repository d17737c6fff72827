// Files of history for tests: from the product's writer, each in its own directory.

import { fileForm } from '../../../../actors/events/history/file-directory.ts';
import { writeEventFile } from '../../../../actors/events/history/file-writer.ts';
import { sortedRows } from '../../../../actors/events/history/sorted-rows.ts';
import type { StoredEvents } from '../../../../actors/events/log/stored-events.ts';
import type { HistoryFile } from '../../../../storage/checkpoint.ts';
import { dayOf, HistoryWriter } from '../../../../storage/history.ts';

export const app = 4101;
export const everyRow = () => true;

/**
 * Writes the events of one day as one file with small blocks; `generation` distinguishes files of
 * one path.
 */
export function fileOf(
  path: string,
  sources: readonly StoredEvents[],
  { generation = 1, rows = 8, day = dayIn(sources) } = {},
): HistoryFile {
  const writer = new HistoryWriter(path, generation, fileForm);
  const lists = sortedRows(sources, (events, row) => dayOf(events.atMs(row)) === day, rows);
  const file = writeEventFile(writer.begin(app, day), lists);
  writer.finish();
  if (file === undefined) throw new Error('nothing was written');
  return file;
}

function dayIn([first]: readonly StoredEvents[]): number {
  return dayOf(first?.atMs(0) ?? 0);
}
