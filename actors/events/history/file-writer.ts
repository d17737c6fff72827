// Writes a file of history block by block: packed rows, or blocks of another file copied unchanged,
// so that erasing a person rewrites only their blocks. It keeps one block and the directory so far
// in memory.

import { crc32 } from 'node:zlib';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import type { HistoryDraft } from '../../../storage/history.ts';
import { encodeEventBlock } from './encode-block.ts';
import { type BlockPlace, encodeDirectory, encodeHead, encodeTail } from './file-directory.ts';
import { encodeNames, nameHash } from './name-index.ts';
import type { RowList } from './sorted-rows.ts';

/**
 * Events per block at most. Fewer make a person's page cheaper and the file longer: with 512 it is
 * 7 % larger than with 1,024, and with 2,048 reading one row takes twice as long.
 */
export const blockRowsMax = 1024;

/** One file in progress. The caller begins the draft, and abandons it when something throws. */
export class EventFileWriter {
  readonly #draft: HistoryDraft;
  readonly #places: BlockPlace[] = [];
  readonly #blocksByName = new Map<number, number[]>();

  constructor(draft: HistoryDraft) {
    this.#draft = draft;
    draft.append(encodeHead());
  }

  /**
   * Packs rows as the next block: 1 to `blockRowsMax`, sorted, all after those of the last block.
   */
  add(list: RowList): void {
    const { sections, names, ...summary } = encodeEventBlock(list);
    const { person, hot, cold } = sections;
    this.#take(
      {
        ...summary,
        at: this.#draft.bytes,
        personBytes: person.length,
        hotBytes: hot.length,
        coldBytes: cold.length,
        personCrc: crc32(person),
        hotCrc: crc32(hot),
        coldCrc: crc32(cold),
      },
      [...names].map(nameHash),
    );
    for (const section of [person, hot, cold]) this.#draft.append(section);
  }

  /** Copies a block of another file: its verified bytes and its names' hashes. */
  copy(place: BlockPlace, bytes: Uint8Array, hashes: readonly number[]): void {
    this.#take({ ...place, at: this.#draft.bytes }, hashes);
    this.#draft.append(bytes);
  }

  /** Completes the file and gives it its name; `undefined`, and no file, without a block. */
  finish(): HistoryFile | undefined {
    const places = this.#places;
    if (places.length === 0) {
      this.#draft.abandon();
      return undefined;
    }
    const names = encodeNames(this.#blocksByName, places.length);
    const directory = encodeDirectory(places);
    for (const part of [names, directory, encodeTail(names, directory)]) this.#draft.append(part);
    return this.#draft.keep({
      count: places.reduce((sum, { count }) => sum + count, 0),
      minSeq: Math.min(...places.map(({ minSeq }) => minSeq)),
      maxSeq: Math.max(...places.map(({ maxSeq }) => maxSeq)),
      minAtMs: Math.min(...places.map(({ minAtMs }) => minAtMs)),
      maxAtMs: Math.max(...places.map(({ maxAtMs }) => maxAtMs)),
    });
  }

  #take(place: BlockPlace, hashes: readonly number[]): void {
    const block = this.#places.length;
    this.#places.push(place);
    for (const hash of new Set(hashes)) {
      const blocks = this.#blocksByName.get(hash);
      if (blocks === undefined) this.#blocksByName.set(hash, [block]);
      else blocks.push(block);
    }
  }
}

/** Writes sorted rows, in lists of one block each, as one file; `undefined` without rows. */
export function writeEventFile(
  draft: HistoryDraft,
  lists: Iterable<RowList>,
): HistoryFile | undefined {
  try {
    const writer = new EventFileWriter(draft);
    for (const list of lists) writer.add(list);
    return writer.finish();
  } catch (error) {
    draft.abandon();
    throw error;
  }
}
