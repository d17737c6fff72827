// Byte strings to indexes and back, such as external user ids to ordinals. Strings are in an arena
// that is never copied. The hash key is new at every start, so nobody can prepare collisions.

import { assert } from './assert.ts';
import { type HashKey, hash32Keyed, utf8 } from './hash.ts';
import { RowTable } from './row-table.ts';

const maxStringBytes = 32767;

const chunkBits = 22;
const chunkBytes = 2 ** chunkBits;
const maxChunks = 2 ** (32 - chunkBits) - 1; // a row holds a place + 1, and `nowhere` is no place
const firstChunkBytes = 4096;
const indexPageBits = 13;
const indexPage = 2 ** indexPageBits;
// Arena entry: index (4 bytes, little-endian) · length (2; top bit: removed) · bytes.
const header = 6;
const removedBit = 0x8000;
const nowhere = 0xffffffff;

/** For `findAll`: hashes, and the first place of each. */
let hashes = new Uint32Array(1024);
let places = new Uint32Array(1024);

/** Slices of some bytes, by number; `end` is 0 for an absent one. */
export interface Slices {
  readonly start: Uint32Array;
  readonly end: Uint32Array;
}

/** Plain data from which `StringTable.restore` makes a table with the same strings and indexes. */
export interface StringTableSnapshot {
  readonly chunks: readonly Uint8Array[];
  readonly nextIndex: number;
}

/** Byte strings with indexes that count up from 0 and are never reused. */
export class StringTable {
  readonly #key: HashKey;
  /** Rows of (hash, arena place + 1). */
  readonly #rows = new RowTable({ width: 2 });
  readonly #chunks: Uint8Array[] = [];
  readonly #used: number[] = [];
  /** Arena places by index, in pages; `nowhere` for a removed string. */
  readonly #places: Uint32Array[] = [];
  #nextIndex = 0;
  /** Stores what was read ahead, so that no compiler drops the read. */
  #touched = 0;

  constructor(key: HashKey) {
    this.#key = key;
  }

  /** Strings, without removed ones. */
  get count(): number {
    return this.#rows.count;
  }

  get nextIndex(): number {
    return this.#nextIndex;
  }

  get byteLength(): number {
    let bytes = this.#rows.byteLength;
    for (const chunk of this.#chunks) bytes += chunk.length;
    return bytes + this.#places.length * indexPage * 4;
  }

  /** The index of `bytes[start, end)`, or -1. */
  find(bytes: Uint8Array, start = 0, end = bytes.length): number {
    return this.#findHashed(hash32Keyed(this.#key, bytes, start, end), bytes, start, end);
  }

  /**
   * Indexes of the first `count` strings in `bytes`, into `found`: -1 if unknown or absent.
   * Searches of a large table mostly wait for memory; here the waits overlap (`bench/lookups.ts`).
   */
  findAll(bytes: Uint8Array, { start, end }: Slices, count: number, found: Int32Array): void {
    if (hashes.length < count) {
      hashes = new Uint32Array(count);
      places = new Uint32Array(count);
    }
    const rows = this.#rows;
    for (let i = 0; i < count; i++) {
      const to = end[i] as number;
      hashes[i] = to === 0 ? 0 : hash32Keyed(this.#key, bytes, start[i] as number, to);
    }
    for (let i = 0; i < count; i++) rows.touch(hashes[i] as number);
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] as number;
      const segment = rows.segmentOf(hash);
      const row = rows.find(segment, hash);
      const place = row < 0 ? nowhere : (segment.words[row + 1] as number) - 1;
      places[i] = place;
      if (place !== nowhere)
        this.#touched ^= this.#chunk(place)[place & (chunkBytes - 1)] as number;
    }
    for (let i = 0; i < count; i++) {
      const from = start[i] as number;
      const to = end[i] as number;
      const place = places[i] as number;
      // Equal hashes are rare; then all their rows are checked.
      if (to === 0 || place === nowhere) found[i] = -1;
      else if (this.#isAt(place, bytes, from, to))
        found[i] = indexAt(this.#chunk(place), place & (chunkBytes - 1));
      else found[i] = this.#findHashed(hashes[i] as number, bytes, from, to);
    }
  }

  /** The index of the UTF-8 of `text`, or -1. */
  findText(text: string): number {
    return this.find(utf8(text));
  }

  /** The index of `bytes[start, end)`, new if unknown. At most `maxStringBytes`, 4 GiB in all. */
  add(bytes: Uint8Array, start = 0, end = bytes.length): number {
    const hash = hash32Keyed(this.#key, bytes, start, end);
    const known = this.#findHashed(hash, bytes, start, end);
    if (known >= 0) return known;
    const index = this.#nextIndex++;
    const place = this.#write(index, bytes, start, end);
    this.#setPlace(index, place);
    this.#insert(hash, place);
    return index;
  }

  /** The index of the UTF-8 of `text`, new if unknown. */
  addText(text: string): number {
    return this.add(utf8(text));
  }

  /** An index's string as a view, valid until removed; undefined if it was removed. */
  bytesOf(index: number): Uint8Array | undefined {
    const place = this.#placeOf(index);
    if (place === nowhere) return undefined;
    const chunk = this.#chunks[place >>> chunkBits] as Uint8Array;
    const at = (place & (chunkBytes - 1)) + header;
    return chunk.subarray(at, at + lengthAt(chunk, at - header));
  }

  /** Erases a string and overwrites its bytes; its index is not reused. False if it was gone. */
  remove(index: number): boolean {
    const place = this.#placeOf(index);
    if (place === nowhere) return false;
    const chunk = this.#chunks[place >>> chunkBits] as Uint8Array;
    const at = place & (chunkBytes - 1);
    const length = lengthAt(chunk, at);
    const hash = hash32Keyed(this.#key, chunk, at + header, at + header + length);
    const segment = this.#rows.segmentOf(hash);
    const row = this.#rows.seek(segment, hash, place + 1);
    assert(segment.words[row + 1] === place + 1, 'string table: a string without its row');
    this.#rows.removeAt(segment, row);
    chunk.fill(0, at + header, at + header + length);
    chunk[at + 5] = (chunk[at + 5] as number) | (removedBit >>> 8);
    this.#setPlace(index, nowhere);
    return true;
  }

  /** Visits the indexes of strings that begin so, in their order. Reads the whole arena. */
  eachWithPrefix(prefix: Uint8Array, visit: (index: number) => void): void {
    for (const [number, chunk] of this.#chunks.entries()) {
      const used = this.#used[number] as number;
      for (let at = 0; at < used; at += header + lengthAt(chunk, at)) {
        if (lengthAt(chunk, at) < prefix.length) continue;
        if (((chunk[at + 5] as number) & (removedBit >>> 8)) !== 0) continue;
        let same = 0;
        while (same < prefix.length && chunk[at + header + same] === prefix[same]) same++;
        if (same === prefix.length) visit(indexAt(chunk, at));
      }
    }
  }

  /** Every string in order of index. */
  *entries(): Generator<[index: number, bytes: Uint8Array]> {
    for (let index = 0; index < this.#nextIndex; index++) {
      const bytes = this.bytesOf(index);
      if (bytes !== undefined) yield [index, bytes];
    }
  }

  /** A copy of the arena, with zeros for removed strings; no key, no hash. */
  snapshot(): StringTableSnapshot {
    const chunks = this.#chunks.map((chunk, i) => chunk.slice(0, this.#used[i]));
    return { chunks, nextIndex: this.#nextIndex };
  }

  /** A snapshot's table under a new key. O(bytes); about half a second per million ids. */
  static restore(snapshot: StringTableSnapshot, key: HashKey): StringTable {
    const table = new StringTable(key);
    table.#nextIndex = snapshot.nextIndex;
    for (const saved of snapshot.chunks) {
      const number = table.#chunks.length;
      const chunk = new Uint8Array(number === 0 ? roomFor(saved.length) : chunkBytes);
      chunk.set(saved);
      table.#chunks.push(chunk);
      table.#used.push(saved.length);
      for (let at = 0; at < saved.length; at += header + lengthAt(chunk, at)) {
        table.#restoreEntry(chunk, at, number * chunkBytes + at);
      }
    }
    return table;
  }

  #restoreEntry(chunk: Uint8Array, at: number, place: number): void {
    const index = indexAt(chunk, at);
    const isRemoved = ((chunk[at + 5] as number) & (removedBit >>> 8)) !== 0;
    this.#setPlace(index, isRemoved ? nowhere : place);
    if (isRemoved) return;
    const start = at + header;
    this.#insert(hash32Keyed(this.#key, chunk, start, start + lengthAt(chunk, at)), place);
  }

  #findHashed(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const segment = this.#rows.segmentOf(hash);
    const words = segment.words;
    for (let row = this.#rows.seek(segment, hash, 1); words[row] === hash; row += 2) {
      const place = (words[row + 1] as number) - 1;
      if (place < 0) break;
      if (this.#isAt(place, bytes, start, end))
        return indexAt(this.#chunk(place), place & (chunkBytes - 1));
    }
    return -1;
  }

  /** Whether the string at an arena place is `bytes[start, end)`. */
  #isAt(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const chunk = this.#chunk(place);
    const at = place & (chunkBytes - 1);
    const length = end - start;
    if (lengthAt(chunk, at) !== length) return false;
    const from = at + header;
    let same = 0;
    while (same < length && chunk[from + same] === bytes[start + same]) same++;
    return same === length;
  }

  #chunk(place: number): Uint8Array {
    return this.#chunks[place >>> chunkBits] as Uint8Array;
  }

  #insert(hash: number, place: number): void {
    const segment = this.#rows.reserve(hash);
    this.#rows.insertAt(segment, this.#rows.seek(segment, hash, place + 1), hash, place + 1);
  }

  /** Appends an arena entry and returns its place. Entries never cross chunks. */
  #write(index: number, bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    assert(length >= 0 && length <= maxStringBytes, 'string table: too long a string');
    const number = this.#chunkWithRoom(header + length);
    const chunk = this.#chunks[number] as Uint8Array;
    const at = this.#used[number] as number;
    chunk[at] = index;
    chunk[at + 1] = index >>> 8;
    chunk[at + 2] = index >>> 16;
    chunk[at + 3] = index >>> 24;
    chunk[at + 4] = length;
    chunk[at + 5] = length >>> 8;
    for (let i = 0; i < length; i++) chunk[at + header + i] = bytes[start + i] as number;
    this.#used[number] = at + header + length;
    return number * chunkBytes + at;
  }

  #chunkWithRoom(size: number): number {
    const last = this.#chunks.length - 1;
    const used = this.#used[last] ?? chunkBytes;
    if (used + size <= chunkBytes) {
      const chunk = this.#chunks[last] as Uint8Array;
      // Only the first chunk starts small and doubles, so that a small app costs little.
      if (used + size > chunk.length) {
        const grown = new Uint8Array(roomFor(used + size));
        grown.set(chunk);
        this.#chunks[last] = grown;
      }
      return last;
    }
    assert(last + 1 < maxChunks, 'string table: over 4 GiB');
    this.#chunks.push(new Uint8Array(last < 0 ? roomFor(size) : chunkBytes));
    this.#used.push(0);
    return last + 1;
  }

  #placeOf(index: number): number {
    if (!(index >= 0 && index < this.#nextIndex)) return nowhere;
    return this.#places[index >>> indexPageBits]?.[index & (indexPage - 1)] ?? nowhere;
  }

  #setPlace(index: number, place: number): void {
    while (this.#places.length <= index >>> indexPageBits) {
      this.#places.push(new Uint32Array(indexPage).fill(nowhere));
    }
    (this.#places[index >>> indexPageBits] as Uint32Array)[index & (indexPage - 1)] = place;
  }
}

function roomFor(bytes: number): number {
  let room = firstChunkBytes;
  while (room < bytes) room *= 2;
  return Math.min(room, chunkBytes);
}

function indexAt(chunk: Uint8Array, at: number): number {
  const low =
    (chunk[at] as number) | ((chunk[at + 1] as number) << 8) | ((chunk[at + 2] as number) << 16);
  return (low | ((chunk[at + 3] as number) << 24)) >>> 0;
}

function lengthAt(chunk: Uint8Array, at: number): number {
  return (chunk[at + 4] as number) | (((chunk[at + 5] as number) & 0x7f) << 8);
}
