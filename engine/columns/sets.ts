// Sets of ordinals for one question: a stack of bitsets in column memory, filled by scans and
// combined by kernels. Scratch: the next question overwrites them.

import { assert } from '../base/assert.ts';
import { Bitset } from '../base/bitset.ts';
import type { Column, Values } from './column.ts';
import { type ColumnMemory, columnMemory, type Region } from './memory.ts';

/** Bit i of word g is ordinal 32 g + i. */
export interface ScratchSet {
  readonly offset: number;
  readonly words: Uint32Array;
}

const step = 128;

/** This thread's sets, all of one size. Call `begin`, then `at`; keep nothing afterwards. */
class ScratchSets {
  /** Ordinals per set: a multiple of 128. */
  size = 0;
  readonly #memory: ColumnMemory;
  #region: Region | undefined;
  #sets: ScratchSet[] = [];

  constructor(memory: ColumnMemory) {
    this.#memory = memory;
  }

  /** Room for `depth` sets of at least `people` ordinals. */
  begin(people: number, depth: number): void {
    const size = Math.max(step, Math.ceil(people / step) * step);
    if (size === this.size && depth <= this.#sets.length) return;
    const bytes = size / 8;
    if (this.#region === undefined || this.#region.bytes < bytes * depth) {
      if (this.#region !== undefined) this.#memory.give(this.#region);
      this.#region = this.#memory.take(bytes * depth, 0);
      assert(this.#region !== undefined, 'there is room for the sets of a question');
    }
    const { offset } = this.#region;
    const { buffer } = this.#memory;
    this.size = size;
    this.#sets = Array.from({ length: depth }, (_, i) => {
      const at = offset + i * bytes;
      return { offset: at, words: new Uint32Array(buffer, at, bytes / 4) };
    });
  }

  at(depth: number): ScratchSet {
    const set = this.#sets[depth];
    assert(set !== undefined, 'a question uses no more sets than it asked for');
    return set;
  }
}

let sets: ScratchSets | undefined;

export function scratchSets(): ScratchSets {
  sets ??= new ScratchSets(columnMemory());
  return sets;
}

export function clear({ offset, words }: ScratchSet): void {
  columnMemory().kernels.clear(offset, words.byteLength);
}

export function intersect(into: ScratchSet, other: ScratchSet): void {
  columnMemory().kernels.and(into.offset, other.offset, into.words.byteLength);
}

export function unite(into: ScratchSet, other: ScratchSet): void {
  columnMemory().kernels.or(into.offset, other.offset, into.words.byteLength);
}

/** Flips every bit, also past the last ordinal: intersect with existing people. */
export function invert({ offset, words }: ScratchSet): void {
  columnMemory().kernels.not(offset, words.byteLength);
}

export function countMembers({ offset, words }: ScratchSet): number {
  return columnMemory().kernels.count(offset, words.byteLength);
}

export function add({ words }: ScratchSet, ordinal: number): void {
  words[ordinal >>> 5] = (words[ordinal >>> 5] as number) | (1 << (ordinal & 31));
}

/** Adds ordinals with a greater value. */
export function addGreater(column: Column<Uint32Array>, than: number, into: ScratchSet): void {
  const { values, offset } = column;
  const groups = groupsOf(values, into);
  if (groups === 0) return;
  if (offset >= 0) columnMemory().kernels.greater32(offset, groups, than, into.offset);
  else for (let i = 0; i < groups * 32; i++) if ((values[i] as number) > than) add(into, i);
}

/** Adds ordinals with this value. */
export function addEqual(column: Column, value: number, into: ScratchSet): void {
  const { values, offset, width } = column;
  const groups = groupsOf(values, into);
  if (groups === 0) return;
  const { kernels } = columnMemory();
  if (offset < 0) {
    for (let i = 0; i < groups * 32; i++) if (values[i] === value) add(into, i);
  } else if (width === 1) kernels.equal8(offset, groups, value, into.offset);
  else if (width === 2) kernels.equal16(offset, groups, value, into.offset);
  else kernels.equal32(offset, groups, value, into.offset);
}

/** Adds ordinals with another value. */
export function addOther(column: Column, value: number, into: ScratchSet): void {
  const { values, offset, width } = column;
  const groups = groupsOf(values, into);
  if (groups === 0) return;
  const { kernels } = columnMemory();
  if (offset < 0) {
    for (let i = 0; i < groups * 32; i++) if (values[i] !== value) add(into, i);
  } else if (width === 1) kernels.other8(offset, groups, value, into.offset);
  else if (width === 2) kernels.other16(offset, groups, value, into.offset);
  else kernels.other32(offset, groups, value, into.offset);
}

/** Replaces the scratch set's content; drops words past its end, which are no ordinals of it. */
export function copyIn(from: Bitset, into: ScratchSet): void {
  from.copyInto(into.words);
}

/** A separate bitset. */
export function copyOut({ words }: ScratchSet): Bitset {
  return Bitset.ofWords(words);
}

/** Groups of 32 that column and set share; both are multiples of 32. */
function groupsOf(values: Values, { words }: ScratchSet): number {
  return Math.min(values.length >>> 5, words.length);
}
