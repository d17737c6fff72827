// Files of history for tests: made through the product's writer, in either form, in a directory of
// their own.

import { crc32 } from 'node:zlib';
import { writeVarint } from '../../../../actors/events/byte-cursor.ts';
import { encodeColumns } from '../../../../actors/events/history/encode-block.ts';
import { fileForm } from '../../../../actors/events/history/file-directory.ts';
import { writeEventFile } from '../../../../actors/events/history/file-writer.ts';
import { type RowList, sortedRows } from '../../../../actors/events/history/sorted-rows.ts';
import {
  wholeColumns,
  wholeForm,
  wholeHeadBytes,
  wholeVersion,
} from '../../../../actors/events/history/whole-file.ts';
import type { StoredEvents } from '../../../../actors/events/stored-events.ts';
import type { HistoryFile } from '../../../../storage/checkpoint.ts';
import { dayOf, HistoryWriter } from '../../../../storage/history.ts';

export const app = 4101;
export const everyRow = () => true;

/**
 * Writes the events of one day as one file with small blocks; `generation` tells files of one path
 * apart.
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

/** The same as an earlier build wrote it, version 1. */
export function oldFileOf(
  path: string,
  sources: readonly StoredEvents[],
  { generation = 1, day = dayIn(sources), of = app } = {},
): HistoryFile {
  const [list] = sortedRows(sources, (events, row) => dayOf(events.atMs(row)) === day, 1e9);
  if (list === undefined) throw new Error('nothing was written');
  const writer = new HistoryWriter(path, generation, wholeForm);
  const draft = writer.begin(of, day);
  const { bytes, events } = wholeBlock(list);
  draft.append(bytes);
  const file = draft.keep(events);
  writer.finish();
  return file;
}

/** The bytes of a file of version 1. */
export function wholeBlock(list: RowList): {
  readonly bytes: Buffer;
  readonly events: Omit<ReturnType<typeof encodeColumns>, 'columns' | 'names' | 'lastPerson'>;
} {
  const { columns, names, lastPerson, ...events } = encodeColumns(list, 0);
  const rest: Buffer[] = [varint(list.rows.length)];
  for (const name of wholeColumns) rest.push(varint(columns[name].length));
  for (const name of wholeColumns) rest.push(columns[name]);
  const head = Buffer.alloc(wholeHeadBytes);
  head[0] = wholeVersion;
  head.writeUInt32LE(crc32(Buffer.concat(rest)), 1);
  return { bytes: Buffer.concat([head, ...rest]), events };
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  return bytes.subarray(0, writeVarint(bytes, 0, value));
}

function dayIn([first]: readonly StoredEvents[]): number {
  return dayOf(first?.atMs(0) ?? 0);
}
