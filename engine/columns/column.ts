// Numbers by ordinal in a growing typed array: one, two or four bytes, default zero. Large ones are
// in the thread's column memory, which kernels scan. Garbage collection frees an unused column's
// memory, so never keep `values` longer than the column.

import { columnMemory, type Region } from './memory.ts';

export type Width = 1 | 2 | 4;
export type Values = Uint8Array | Uint16Array | Uint32Array;

/** Elements that justify a place in the kernels' memory. */
const largeFrom = 4_096;
const smallest = 64;
/** Kernels read groups of 32 and write sets in steps of 128. */
const step = 128;

const constructors = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

const left = new FinalizationRegistry<Region>((region) => columnMemory().give(region));

/** See the head of this file. `reach` replaces `values` when it grows. */
export class Column<Kind extends Values = Values> {
  values: Kind;
  /** Byte place in the column memory; −1 if elsewhere. */
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

  reach(index: number): void {
    if (index < this.values.length) return;
    const length = Math.max(index + 1, this.values.length * 2, smallest);
    this.#move(Math.ceil(length / step) * step);
  }

  /** A copy up to the last nonzero value. */
  trimmed(): Kind {
    let { length } = this.values;
    while (length > 0 && this.values[length - 1] === 0) length--;
    return this.values.slice(0, length) as Kind;
  }

  /** Restores trimmed values. */
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
