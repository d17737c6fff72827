// Numbers by ordinal in a typed array that grows: one, two or four bytes each, zero by default.
// Small ones are allocated anywhere; large ones are in the thread's column memory, where the
// kernels scan them. The garbage collector returns the memory of an unused column, so never keep
// its `values` for longer than the column.

import { columnMemory, type Region } from './memory.ts';

export type Width = 1 | 2 | 4;
export type Values = Uint8Array | Uint16Array | Uint32Array;

/** Elements from which on a column is worth a place in the memory of the kernels. */
const largeFrom = 4_096;
const smallest = 64;
/** Kernels read groups of 32 values, and write sets in steps of 128. */
const step = 128;

const constructors = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

const left = new FinalizationRegistry<Region>((region) => columnMemory().give(region));

/**
 * See the head of this file. `values` is another array after each call of `reach` that has to grow.
 */
export class Column<Kind extends Values = Values> {
  values: Kind;
  /** Where the values lie in the column memory, in bytes; −1 for elsewhere. */
  offset = -1;
  readonly width: Width;
  #region: Region | undefined;

  constructor(width: Width) {
    this.width = width;
    this.values = new constructors[width](0) as Kind;
  }

  get byteLength(): number {
    return this.values.byteLength;
  }

  /** Makes room for an index. */
  reach(index: number): void {
    if (index < this.values.length) return;
    const length = Math.max(index + 1, this.values.length * 2, smallest);
    this.#move(Math.ceil(length / step) * step);
  }

  /** Everything up to the last value that is not 0, as a copy. */
  trimmed(): Kind {
    let { length } = this.values;
    while (length > 0 && this.values[length - 1] === 0) length--;
    return this.values.slice(0, length) as Kind;
  }

  /** Takes over values that were trimmed. */
  fill(values: Values): void {
    if (values.length > 0) this.reach(values.length - 1);
    this.values.set(values as never);
  }

  #move(length: number): void {
    const before = this.values;
    const { width } = this;
    const region = length < largeFrom ? undefined : columnMemory().take(length * width);
    if (this.#region !== undefined) left.unregister(this);
    if (region === undefined) {
      this.values = new constructors[width](length) as Kind;
      this.offset = -1;
    } else {
      const { offset, bytes } = region;
      this.values = new constructors[width](columnMemory().buffer, offset, bytes / width) as Kind;
      this.offset = offset;
      left.register(this, region, this);
    }
    this.values.set(before as never);
    if (this.#region !== undefined) columnMemory().give(this.#region);
    this.#region = region;
  }
}
