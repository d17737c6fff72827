// Writes a history file by blocks: packed rows, or unchanged copies, so that erasing a person
// rewrites only their blocks. Keeps one block and the directory in memory.

import { crc32 } from 'node:zlib';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import type { HistoryDraft } from '../../../storage/history.ts';
import { encodeEventBlock } from './encode-block.ts';
import { type BlockPlace, encodeDirectory, encodeHead, encodeTail } from './file-directory.ts';
import { encodeNames, nameHash } from './name-index.ts';
import type { RowList } from './sorted-rows.ts';

/** Fewer make a person's page cheaper; 512 makes files 7 % larger, 2,048 doubles a row's read. */
export const blockRowsMax = 1024;

/** The caller begins the draft, and abandons it after a throw. */
export class EventFileWriter {
  readonly #draft: HistoryDraft;
  readonly #places: BlockPlace[] = [];
  readonly #blocksByName = new Map<number, number[]>();

  constructor(draft: HistoryDraft) {
    this.#draft = draft;
    draft.append(encodeHead());
  }

  /** Packs 1 to `blockRowsMax` sorted rows, all after the last block's. */
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

  /** Copies another file's block: verified bytes and name hashes. */
  copy(place: BlockPlace, bytes: Uint8Array, hashes: readonly number[]): void {
    this.#take({ ...place, at: this.#draft.bytes }, hashes);
    this.#draft.append(bytes);
  }

  /** Completes and names the file; `undefined` and no file without blocks. */
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

/** Sorted rows as one file, a list per block; `undefined` without rows. */
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
