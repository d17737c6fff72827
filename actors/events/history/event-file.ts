// Reads only the parts of a history file that a query needs: for a person, first the section that
// shows whether a block has them. The directory stays in memory (opened-files.ts). The file is open
// only during a query, so that deleting it frees its space.

import type { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import { HistoryReader } from '../../../storage/history.ts';
import { DamagedEvents } from '../columns/byte-cursor.ts';
import type { StoredEvents } from '../log/stored-events.ts';
import { testsName } from '../log/test-mark.ts';
import { splitSection } from './encode-block.ts';
import {
  type ColumnName,
  type ColumnSource,
  EventBlock,
  type SectionName,
  sectionColumns,
} from './event-block.ts';
import {
  type BlockPlace,
  decodeTail,
  FileDirectory,
  type FileTail,
  headBytes,
  placeBytes,
  tailBytes,
} from './file-directory.ts';
import { blockRowsMax } from './file-writer.ts';
import { NameIndex } from './name-index.ts';

/** A filter; an absent field matches everything. */
export interface WantedEvents {
  readonly person?: PersonOrdinal;
  /** Any of these; an empty list matches nothing. */
  readonly names?: readonly string[];
  readonly fromMs?: Millis;
  readonly toMs?: Millis;
  readonly beforeSeq?: number;
  /** Whether events up to this number are no longer needed. Called before each block. */
  isEnough?(maxSeq: number): boolean;
}

/** Rows [from, to) that may match. Only `person` is checked per row: the caller checks the rest. */
export interface FoundRows {
  readonly events: StoredEvents;
  readonly from: number;
  readonly to: number;
}

/** One history file with its directory. Rows are read on demand and may throw like `find`. */
export class EventFile {
  readonly listed: HistoryFile;
  /** A query's fixed cost, in rows of equal cost. */
  readonly questionRows = 64;
  readonly directory: FileDirectory;
  readonly #partitionPath: string;
  readonly #tail: FileTail;
  #names: NameIndex | undefined;
  #withTests: ReadonlySet<number> | undefined;

  /** Reads the directory. Throws `HistoryGone`, and `DamagedEvents` for a damaged directory. */
  /** Throws `HistoryGone`, or `DamagedEvents` for a damaged directory. */
  constructor(partitionPath: string, listed: HistoryFile) {
    this.#partitionPath = partitionPath;
    this.listed = listed;
    const { directory, tail } = this.#read((reader) => readDirectory(reader, listed));
    this.directory = directory;
    this.#tail = tail;
  }

  get bytes(): number {
    return this.directory.bytes + (this.#names?.bytes ?? 0);
  }

  /** Possible matches by block. Throws `HistoryGone`, or `DamagedEvents` for a bad checksum. */
  *find(wanted: WantedEvents): Generator<FoundRows> {
    const { person } = wanted;
    let reader: HistoryReader | undefined;
    try {
      for (const block of this.#candidates(wanted)) {
        if (!this.#mayHold(block, wanted)) continue;
        reader ??= this.#open();
        if (person === undefined) {
          const events = this.#block(reader, block, ['person', 'hot']);
          yield { events, from: 0, to: events.count };
        } else {
          const found = this.#rowsOf(reader, block, person, wanted.names === undefined);
          if (found !== undefined) yield found;
        }
      }
    } finally {
      reader?.close();
    }
  }

  /** Every block in order with all sections, for rewriting the file. */
  *blocks(): Generator<StoredEvents> {
    const reader = this.#open();
    try {
      for (let block = 0; block < this.directory.blocks; block++)
        yield this.#block(reader, block, ['person', 'hot', 'cold']);
    } finally {
      reader.close();
    }
  }

  /** Whether any of these people (ascending) has events in it. */
  holdsAny(people: readonly PersonOrdinal[]): boolean {
    return this.blocksWith(people).next().done !== true;
  }

  /** Blocks with events of these people (ascending). */
  *blocksWith(people: readonly PersonOrdinal[]): Generator<number> {
    const { directory } = this;
    let reader: HistoryReader | undefined;
    try {
      for (let block = 0, next = 0; block < directory.blocks; block++) {
        while (
          next < people.length &&
          (people[next] as number) < directory.word('firstPerson', block)
        )
          next++;
        const last = directory.word('lastPerson', block);
        let events: EventBlock | undefined;
        for (let i = next; i < people.length && (people[i] as number) <= last; i++) {
          reader ??= this.#open();
          events ??= this.#block(reader, block, ['person']);
          const { from, to } = events.rowsOf(people[i] as number);
          if (from === to) continue;
          yield block;
          break;
        }
      }
    } finally {
      reader?.close();
    }
  }

  /** Every verified block with its name hashes, for copying. */
  *rawBlocks(): Generator<{
    readonly place: BlockPlace;
    readonly bytes: Buffer;
    readonly hashes: readonly number[];
    readonly events: StoredEvents;
  }> {
    const hashes = this.#nameIndex().hashesByBlock();
    const reader = this.#open();
    try {
      for (let block = 0; block < this.directory.blocks; block++) {
        const { bytes, sections } = this.#sections(reader, block, ['person', 'hot', 'cold']);
        const place = this.directory.place(block);
        const events = this.#eventsOf(block, sections);
        yield { place, bytes, hashes: hashes[block] ?? [], events };
      }
    } finally {
      reader.close();
    }
  }

  head(): Buffer {
    return this.#read((reader) => reader.read(0, headBytes));
  }

  /**
   * Blocks to read. For a person, newest first: their rows are in time order. For a query that ends
   * early, blocks with the newest events first: the newest 50 events may be in 50 blocks.
   */
  #candidates({ person, names, isEnough }: WantedEvents): readonly number[] {
    const { directory } = this;
    if (person !== undefined) {
      const { from, to } = directory.blocksOf(person);
      return Array.from({ length: to - from }, (_, i) => to - 1 - i);
    }
    const blocks =
      names === undefined
        ? Array.from({ length: directory.blocks }, (_, block) => block)
        : this.#nameIndex().blocksOf(names);
    if (isEnough === undefined) return blocks;
    return blocks.toSorted((a, b) => directory.double('maxSeq', b) - directory.double('maxSeq', a));
  }

  #mayHold(block: number, { fromMs, toMs, beforeSeq, isEnough }: WantedEvents): boolean {
    const { directory } = this;
    if (fromMs !== undefined && directory.double('maxAtMs', block) < fromMs) return false;
    if (toMs !== undefined && directory.double('minAtMs', block) >= toMs) return false;
    if (beforeSeq !== undefined && directory.double('minSeq', block) >= beforeSeq) return false;
    return isEnough?.(directory.double('maxSeq', block)) !== true;
  }

  /** A person's rows of a block; reads the sections of the query together. */
  #rowsOf(
    reader: HistoryReader,
    block: number,
    person: PersonOrdinal,
    shown: boolean,
  ): FoundRows | undefined {
    const { sections } = this.#sections(reader, block, ['person']);
    const events = this.#eventsOf(block, sections);
    const { from, to } = events.rowsOf(person);
    if (from === to) return undefined;
    const more = this.#sections(reader, block, shown ? ['hot', 'cold'] : ['hot']);
    for (const [name, bytes] of more.sections) sections.set(name, bytes);
    return { events, from, to };
  }

  #block(reader: HistoryReader, block: number, names: readonly SectionName[]): EventBlock {
    return this.#eventsOf(block, this.#sections(reader, block, names).sections);
  }

  /** Adjacent sections of a block in one read, verified. */
  #sections(
    reader: HistoryReader,
    block: number,
    names: readonly SectionName[],
  ): { readonly bytes: Buffer; readonly sections: Map<SectionName, Buffer> } {
    const places = names.map((name) => this.directory.section(name, block));
    const start = places[0]?.at ?? 0;
    const bytes = reader.read(
      start,
      places.reduce((sum, place) => sum + place.bytes, 0),
    );
    const sections = new Map<SectionName, Buffer>();
    names.forEach((name, i) => {
      const { at, bytes: length, crc } = places[i] as (typeof places)[number];
      const section = bytes.subarray(at - start, at - start + length);
      if (section.length !== length) throw new DamagedEvents(`${this.#what(block)} is cut short`);
      if (crc32(section) !== crc)
        throw new DamagedEvents(`${this.#what(block)} fails its checksum`);
      sections.set(name, section);
    });
    return { bytes, sections };
  }

  /** A block with some sections; reads others on demand. */
  #eventsOf(block: number, sections: Map<SectionName, Buffer>): EventBlock {
    const columns = new Map<ColumnName, Buffer>();
    const source: ColumnSource = (column) => {
      let found = columns.get(column);
      if (found === undefined) {
        const name = sectionOf[column];
        const bytes =
          sections.get(name) ??
          this.#read((reader) => this.#sections(reader, block, [name]).sections.get(name));
        for (const [each, run] of splitSection(name, bytes as Buffer)) columns.set(each, run);
        found = columns.get(column) as Buffer;
      }
      return found;
    };
    const { directory } = this;
    return new EventBlock(
      directory.word('count', block),
      directory.word('firstPerson', block),
      source,
      () => this.#testBlocks().has(block),
    );
  }

  /** Read at the first question about them: a few bytes, or none without tests. */
  #testBlocks(): ReadonlySet<number> {
    this.#withTests ??= new Set(this.#nameIndex().blocksOf([testsName]));
    return this.#withTests;
  }

  #nameIndex(): NameIndex {
    this.#names ??= this.#read((reader) => {
      const { namesBytes, namesCrc, directoryBytes } = this.#tail;
      const bytes = reader.read(
        this.listed.bytes - tailBytes - directoryBytes - namesBytes,
        namesBytes,
      );
      if (bytes.length !== namesBytes || crc32(bytes) !== namesCrc)
        throw new DamagedEvents(`${reader.path}: its index of names fails its checksum`);
      return new NameIndex(bytes, this.directory.blocks);
    });
    return this.#names;
  }

  #open(): HistoryReader {
    return new HistoryReader(this.#partitionPath, this.listed);
  }

  #read<Result>(read: (reader: HistoryReader) => Result): Result {
    const reader = this.#open();
    try {
      return read(reader);
    } finally {
      reader.close();
    }
  }

  #what(block: number): string {
    return `${this.listed.file}: block ${block + 1} of ${this.directory.blocks}`;
  }
}

const sectionOf = Object.fromEntries(
  Object.entries(sectionColumns).flatMap(([section, columns]) =>
    columns.map((column) => [column, section]),
  ),
) as Readonly<Record<ColumnName, SectionName>>;

/** Tail and directory, in one read if the blocks are full (as they are unless erased from). */
function readDirectory(
  reader: HistoryReader,
  { bytes, count }: HistoryFile,
): { readonly directory: FileDirectory; readonly tail: FileTail } {
  const guess = tailBytes + 4 + Math.ceil(count / blockRowsMax) * placeBytes;
  const length = Math.min(bytes, guess);
  const end = reader.read(bytes - length, length);
  const tail = decodeTail(end.subarray(Math.max(0, length - tailBytes)), reader.path);
  const { directoryBytes } = tail;
  const at = length - tailBytes - directoryBytes;
  const directory =
    at >= 0
      ? end.subarray(at, length - tailBytes)
      : reader.read(Math.max(0, bytes - tailBytes - directoryBytes), directoryBytes);
  return { directory: new FileDirectory(directory, tail, reader.path), tail };
}
