// The format of a history file:
//
//   head: magic, version u8
//   blocks: the sections person, hot and cold of each
//   names: which blocks have events of a name (name-index.ts)
//   directory: count u32, then a column per field of a `BlockPlace`, 4 or 8 bytes a block
//   tail, 28 bytes: version, length and checksum of names and of directory, own checksum, magic
//
// Reading starts at the end: tail and directory in one read, then 1 KB of a person's block that
// shows exactly whether they are in it; a filter before that would save nothing. Each section has
// its own checksum, so that damage is found only where it is read.

import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { assert } from '../../../engine/base/assert.ts';
import type { Bytes, PersonOrdinal } from '../../../engine/base/brand.ts';
import { DamagedEvents } from '../columns/byte-cursor.ts';
import type { BlockSummary } from './encode-block.ts';
import type { SectionName } from './event-block.ts';

const fileVersion = 2;
export const fileForm = 'ev2';

const magic = 0x74766e45;
export const headBytes: Bytes = 5;
export const tailBytes: Bytes = 28;

const wordColumns = [
  'firstPerson',
  'lastPerson',
  'count',
  'personBytes',
  'hotBytes',
  'coldBytes',
  'personCrc',
  'hotCrc',
  'coldCrc',
] as const;
const doubleColumns = ['at', 'minSeq', 'maxSeq', 'minAtMs', 'maxAtMs'] as const;
type WordColumn = (typeof wordColumns)[number];
type DoubleColumn = (typeof doubleColumns)[number];

/** Bytes per block in the directory. */
export const placeBytes: Bytes = wordColumns.length * 4 + doubleColumns.length * 8;

/** Where a block is, and its summary. `at` is its first byte; its sections are adjacent. */
export type BlockPlace = BlockSummary & Readonly<Record<WordColumn | DoubleColumn, number>>;

export interface FileTail {
  readonly namesBytes: Bytes;
  readonly namesCrc: number;
  readonly directoryBytes: Bytes;
  readonly directoryCrc: number;
}

/** The first bytes of a file. */
export function encodeHead(): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(magic, 0);
  head[4] = fileVersion;
  return head;
}

/** A sentence about a bad head, or `undefined`. */
export function headProblem(head: Buffer): string | undefined {
  return head.equals(encodeHead()) ? undefined : 'its head is damaged';
}

/** At least one block, sorted by person. */
export function encodeDirectory(places: readonly BlockPlace[]): Buffer {
  const bytes = Buffer.alloc(4 + places.length * placeBytes);
  let at = bytes.writeUInt32LE(places.length, 0);
  for (const column of wordColumns)
    for (const place of places) at = bytes.writeUInt32LE(place[column], at);
  for (const column of doubleColumns)
    for (const place of places) at = bytes.writeDoubleLE(place[column], at);
  assert(at === bytes.length, 'a directory has the length that its blocks make');
  return bytes;
}

export function encodeTail(names: Buffer, directory: Buffer): Buffer {
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32LE(fileVersion, 0);
  tail.writeUInt32LE(names.length, 4);
  tail.writeUInt32LE(crc32(names), 8);
  tail.writeUInt32LE(directory.length, 12);
  tail.writeUInt32LE(crc32(directory), 16);
  tail.writeUInt32LE(crc32(tail.subarray(0, 20)), 20);
  tail.writeUInt32LE(magic, 24);
  return tail;
}

/** Reads the tail; `what` names the file. Throws `DamagedEvents`. */
export function decodeTail(tail: Buffer, what: string): FileTail {
  if (tail.length !== tailBytes || tail.readUInt32LE(24) !== magic)
    throw new DamagedEvents(`${what}: its end is missing or damaged`);
  if (crc32(tail.subarray(0, 20)) !== tail.readUInt32LE(20))
    throw new DamagedEvents(`${what}: its tail fails its checksum`);
  const version = tail.readUInt32LE(0);
  if (version !== fileVersion)
    throw new DamagedEvents(`${what} has version ${version}, this program reads ${fileVersion}`);
  return {
    namesBytes: tail.readUInt32LE(4),
    namesCrc: tail.readUInt32LE(8),
    directoryBytes: tail.readUInt32LE(12),
    directoryCrc: tail.readUInt32LE(16),
  };
}

/** One file's directory, kept packed. */
export class FileDirectory {
  readonly blocks: number;
  readonly #bytes: Buffer;

  /** `bytes` must not change; `what` names the file. Throws `DamagedEvents` on a mismatch. */
  constructor(bytes: Buffer, tail: FileTail, what: string) {
    if (bytes.length !== tail.directoryBytes || crc32(bytes) !== tail.directoryCrc)
      throw new DamagedEvents(`${what}: its directory fails its checksum`);
    this.blocks = bytes.length < 4 ? 0 : bytes.readUInt32LE(0);
    if (bytes.length !== 4 + this.blocks * placeBytes || this.blocks === 0)
      throw new DamagedEvents(`${what}: its directory has the wrong length`);
    this.#bytes = bytes;
  }

  get bytes(): Bytes {
    return this.#bytes.length;
  }

  place(block: number): BlockPlace {
    const place: Record<string, number> = {};
    for (const column of wordColumns) place[column] = this.word(column, block);
    for (const column of doubleColumns) place[column] = this.double(column, block);
    return place as unknown as BlockPlace;
  }

  word(column: WordColumn, block: number): number {
    return this.#bytes.readUInt32LE(4 + 4 * (wordIndex[column] * this.blocks + block));
  }

  double(column: DoubleColumn, block: number): number {
    const words = wordColumns.length * this.blocks;
    return this.#bytes.readDoubleLE(
      4 + 4 * words + 8 * (doubleIndex[column] * this.blocks + block),
    );
  }

  /** Blocks [from, to) that may have this person. */
  blocksOf(person: PersonOrdinal): { readonly from: number; readonly to: number } {
    return {
      from: this.#lowerBound((block) => this.word('lastPerson', block) >= person),
      to: this.#lowerBound((block) => this.word('firstPerson', block) > person),
    };
  }

  section(
    name: SectionName,
    block: number,
  ): { readonly at: number; readonly bytes: Bytes; readonly crc: number } {
    const start = this.double('at', block);
    const person = this.word('personBytes', block);
    const hot = this.word('hotBytes', block);
    switch (name) {
      case 'person':
        return { at: start, bytes: person, crc: this.word('personCrc', block) };
      case 'hot':
        return { at: start + person, bytes: hot, crc: this.word('hotCrc', block) };
      case 'cold':
        return {
          at: start + person + hot,
          bytes: this.word('coldBytes', block),
          crc: this.word('coldCrc', block),
        };
    }
  }

  /** The first block from which `holds` is true, or `blocks`. */
  #lowerBound(holds: (block: number) => boolean): number {
    let low = 0;
    let high = this.blocks;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const wordIndex = indexes(wordColumns);
const doubleIndex = indexes(doubleColumns);

function indexes<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
}
