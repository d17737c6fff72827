// Files of history as earlier builds wrote them, version 1: one block for all events of a file,
// which can only be read as a whole. They are read as long as there are any; joining files, and
// erasing somebody, writes the newer form.
//
//   version u8 · crc32 of the rest · count varint · for each column its length as varint · the columns

import type { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import { HistoryReader } from '../../../storage/history.ts';
import { ByteReader, DamagedEvents } from '../byte-cursor.ts';
import { references } from '../event-rows.ts';
import type { StoredEvents } from '../stored-events.ts';
import { type ColumnName, EventBlock } from './event-block.ts';
import type { EventFile, FoundRows, WantedEvents } from './event-file.ts';

/** What their names end in. */
export const wholeForm = 'ev';
export const wholeVersion = 1;
/** Bytes before what the checksum covers: the version, and the checksum. */
export const wholeHeadBytes = 5;

/** The columns in the order of that version, which stays as it is. */
export const wholeColumns: readonly ColumnName[] = [
  'person',
  'rank',
  'name',
  'props',
  'meta',
  'channel',
  ...references,
  'seq',
  'receivedAt',
  'lag',
  'id',
];

/** A file of version 1; nothing of it is kept between questions. */
export class WholeFile implements EventFile {
  readonly listed: HistoryFile;
  readonly questionRows: number;
  readonly #partitionPath: string;

  constructor(partitionPath: string, listed: HistoryFile) {
    this.#partitionPath = partitionPath;
    this.listed = listed;
    this.questionRows = listed.count >>> 4;
  }

  *find(wanted: WantedEvents): Generator<FoundRows> {
    const { maxSeq } = this.listed;
    if (wanted.isEnough?.(maxSeq) === true) return;
    const events = this.#read();
    if (wanted.person === undefined) yield { events, from: 0, to: events.count };
    else {
      const { from, to } = events.rowsOf(wanted.person);
      if (from < to) yield { events, from, to };
    }
  }

  *blocks(): Generator<StoredEvents> {
    yield this.#read();
  }

  holdsAny(people: readonly PersonOrdinal[]): boolean {
    const events = this.#read();
    return people.some((person) => {
      const { from, to } = events.rowsOf(person);
      return from < to;
    });
  }

  #read(): EventBlock {
    const { listed } = this;
    const reader = new HistoryReader(this.#partitionPath, listed);
    try {
      return openWholeBlock(reader.read(0, listed.bytes), listed.file);
    } finally {
      reader.close();
    }
  }
}

/** Opens the bytes of such a file; `what` names it. They are kept. Throws `DamagedEvents`. */
export function openWholeBlock(bytes: Buffer, what: string): EventBlock {
  const reader = new ByteReader(bytes);
  const version = reader.u8();
  if (version !== wholeVersion)
    throw new DamagedEvents(`${what} has version ${version}, not ${wholeVersion}`);
  const checksum = reader.u32();
  if (crc32(bytes.subarray(wholeHeadBytes)) !== checksum)
    throw new DamagedEvents(`${what} fails its checksum`);
  const count = reader.varint();
  const lengths = wholeColumns.map(() => reader.varint());
  const columns = new Map<ColumnName, Buffer>();
  wholeColumns.forEach((name, i) => {
    columns.set(name, reader.run(lengths[i] as number));
  });
  return new EventBlock(count, 0, (column) => columns.get(column) as Buffer);
}
