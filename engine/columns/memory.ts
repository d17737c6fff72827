// Column memory of a thread, for the kernels: one WebAssembly memory in regions of powers of two.
// Shared, although no thread shares it, because only then do views survive growth.

import { kernelsWasm } from './kernels-wasm.ts';

/** The kernels (kernels.wat). Places are bytes from the memory's start. */
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

/** Bytes, zero at first. */
export interface Region {
  readonly offset: number;
  readonly bytes: number;
}

/** The parts of WebAssembly that the platform's types lack. */
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
/** Columns leave this free, so that a question always has room. */
const setsBytes = 64 * 1024 * 1024;

/** A thread's memory, made with its first large column. */
export class ColumnMemory {
  readonly kernels: Kernels;
  readonly #memory: InstanceType<(typeof WebAssembly)['Memory']>;
  /** Freed regions by log2 of size. */
  readonly #free: number[][] = [];
  /** Start of what was never handed out. */
  #top = smallest;

  constructor() {
    this.#memory = new WebAssembly.Memory({ initial: 1, maximum: pagesMax, shared: true });
    const module = new WebAssembly.Module(Buffer.from(kernelsWasm, 'base64'));
    const { exports } = new WebAssembly.Instance(module, { columns: { memory: this.#memory } });
    this.kernels = exports as Kernels;
  }

  /** The current bytes. An older view stays valid, but lacks what was added since. */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  /** At least so many bytes; `undefined` beyond four gigabytes, less what sets need. */
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

  /** Nothing may use the region afterwards. */
  give({ offset, bytes }: Region): void {
    const size = Math.log2(bytes);
    this.#free[size] ??= [];
    this.#free[size].push(offset);
  }

  #reach(end: number): boolean {
    const now = this.#memory.buffer.byteLength;
    if (end <= now) return true;
    const missing = Math.ceil((end - now) / pageBytes);
    // Large steps, since each makes a buffer; untouched pages cost nothing.
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

export function columnMemory(): ColumnMemory {
  memory ??= new ColumnMemory();
  return memory;
}
