// The memory of a thread's columns, which the kernels reach: one WebAssembly memory, handed out in
// regions of a power of two. It is a shared memory, although no thread shares it, because only then
// do views into it stay valid when it grows.

import { kernelsWasm } from './kernels-wasm.ts';

/** What the kernels offer; see kernels.wat. Places are bytes from the start of the memory. */
interface Kernels {
  greater32(values: number, groups: number, operand: number, into: number): void;
  equal8(values: number, groups: number, operand: number, into: number): void;
  equal16(values: number, groups: number, operand: number, into: number): void;
  equal32(values: number, groups: number, operand: number, into: number): void;
  other8(values: number, groups: number, operand: number, into: number): void;
  other16(values: number, groups: number, operand: number, into: number): void;
  other32(values: number, groups: number, operand: number, into: number): void;
  and(into: number, other: number, bytes: number): void;
  or(into: number, other: number, bytes: number): void;
  not(into: number, bytes: number): void;
  clear(into: number, bytes: number): void;
  count(set: number, bytes: number): number;
}

/** A run of bytes, zero when it is handed out. */
export interface Region {
  readonly offset: number;
  readonly bytes: number;
}

/** What this program uses of WebAssembly, which the platform's types leave out. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    initial: number;
    maximum: number;
    shared: boolean;
  }) => { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const pageBytes = 65_536;
const pagesMax = 65_536;
const smallest = 4_096;
/** Kept free by columns, so that a question can always be answered. */
const setsBytes = 64 * 1024 * 1024;

/** One thread's memory for columns; made when the first large column is. */
export class ColumnMemory {
  readonly kernels: Kernels;
  readonly #memory: InstanceType<(typeof WebAssembly)['Memory']>;
  /** Regions given back, by the logarithm of their size. */
  readonly #free: number[][] = [];
  /** Where what was never handed out begins. */
  #top = smallest;

  constructor() {
    this.#memory = new WebAssembly.Memory({ initial: 1, maximum: pagesMax, shared: true });
    const module = new WebAssembly.Module(Buffer.from(kernelsWasm, 'base64'));
    const { exports } = new WebAssembly.Instance(module, { columns: { memory: this.#memory } });
    this.kernels = exports as Kernels;
  }

  /**
   * The bytes as they are now. A view of an earlier buffer stays good, but cannot see what was
   * added since.
   */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  /**
   * A region of at least so many bytes; `undefined` when four gigabytes are in use, but for some
   * that sets need.
   */
  take(bytes: number, keptBytes = setsBytes): Region | undefined {
    const size = 2 ** Math.ceil(Math.log2(Math.max(bytes, smallest)));
    const given = this.#free[Math.log2(size)]?.pop();
    if (given !== undefined) {
      new Uint8Array(this.#memory.buffer, given, size).fill(0);
      return { offset: given, bytes: size };
    }
    const offset = this.#top;
    if (offset + size > pagesMax * pageBytes - keptBytes || !this.#reach(offset + size))
      return undefined;
    this.#top = offset + size;
    return { offset, bytes: size };
  }

  /** Nothing may use the region any more. */
  give({ offset, bytes }: Region): void {
    const size = Math.log2(bytes);
    this.#free[size] ??= [];
    this.#free[size].push(offset);
  }

  #reach(end: number): boolean {
    const now = this.#memory.buffer.byteLength;
    if (end <= now) return true;
    const missing = Math.ceil((end - now) / pageBytes);
    // In large steps, since each makes a new buffer; untouched pages take no memory.
    const generous = Math.min(Math.max(missing, 256), pagesMax - now / pageBytes);
    if (generous < missing) return false;
    try {
      this.#memory.grow(generous);
      return true;
    } catch {
      return false; // the system has no more address space for it
    }
  }
}

let memory: ColumnMemory | undefined;

/** This thread's. */
export function columnMemory(): ColumnMemory {
  memory ??= new ColumnMemory();
  return memory;
}
