// A map with ordered scans: a hash map beside chunks of at most 128 sorted keys, which only scans
// update. Most keys come and go between scans and are never sorted. Keys are `binaryName`s: one
// character per byte, which JavaScript compares in byte order.

const maxChunk = 128;
/** Removed keys that may stay listed beyond the number of present ones. */
const mostlyGone = 1024;

/** One character per byte: equal and ordered as the bytes are. */
export function binaryName(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

/** The bytes of a `binaryName`. */
export function bytesOfName(name: string): Uint8Array {
  return Buffer.from(name, 'latin1');
}

/** See the head of this file. Do not change it during a scan. */
export class OrderedMap<Value> {
  readonly #values = new Map<string, Value>();
  /** Sorted keys of the last scan; some may be removed. No chunk is empty. */
  #chunks: string[][] = [];
  #sorted = 0;
  /** Keys added since; may be removed or repeated. */
  #added: string[] = [];

  get size(): number {
    return this.#values.size;
  }

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: Value): void {
    const before = this.#values.size;
    this.#values.set(name, value);
    if (this.#values.size === before) return;
    this.#added.push(name);
    if (this.#added.length > 2 * this.#values.size + mostlyGone)
      this.#added = [...new Set(this.#added)].filter((one) => this.#values.has(one));
  }

  /** True if the key existed. */
  delete(name: string): boolean {
    if (!this.#values.delete(name)) return false;
    if (this.#values.size === 0) {
      this.#chunks = [];
      this.#sorted = 0;
      this.#added = [];
    }
    return true;
  }

  /** Keys and values from `start` (included) to `end` (excluded); `reverse` descends. */
  *range(start: string, end: string, reverse = false): Generator<readonly [string, Value]> {
    this.#sort();
    if (start >= end || this.#chunks.length === 0) return;
    const step = reverse ? -1 : 1;
    let at = this.#chunkOf(reverse ? end : start);
    let chunk = this.#chunks[at] as string[];
    let index = reverse ? lowerBound(chunk, end) - 1 : lowerBound(chunk, start);
    for (;;) {
      const name = chunk[index];
      if (name === undefined) {
        const next = this.#chunks[(at += step)];
        if (next === undefined) return;
        chunk = next;
        index = reverse ? chunk.length - 1 : 0;
        continue;
      }
      if (reverse ? name < start : name >= end) return;
      index += step;
      if (this.#values.has(name)) yield [name, this.#values.get(name) as Value];
    }
  }

  /** Sorts in the added keys; sorts everything again after many removals. */
  #sort(): void {
    if (this.#sorted + this.#added.length > 2 * this.#values.size + mostlyGone) {
      const names = [...this.#values.keys()].sort();
      this.#chunks = [];
      for (let from = 0; from < names.length; from += maxChunk)
        this.#chunks.push(names.slice(from, from + maxChunk));
      this.#sorted = names.length;
    } else for (const name of this.#added) if (this.#values.has(name)) this.#insert(name);
    this.#added = [];
  }

  #insert(name: string): void {
    if (this.#chunks.length === 0) {
      this.#chunks.push([name]);
      this.#sorted++;
      return;
    }
    const at = this.#chunkOf(name);
    const chunk = this.#chunks[at] as string[];
    const index = lowerBound(chunk, name);
    if (chunk[index] === name) return; // it had gone, and is back
    chunk.splice(index, 0, name);
    this.#sorted++;
    if (chunk.length > maxChunk) {
      // Keys often arrive in order (ids sort by time): splitting near the end leaves full chunks.
      const appended = chunk[chunk.length - 1] === name && at === this.#chunks.length - 1;
      this.#chunks.splice(at + 1, 0, chunk.splice(appended ? maxChunk : maxChunk >> 1));
    }
  }

  /** The last chunk that starts at or below `name`, or the first. */
  #chunkOf(name: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (((this.#chunks[middle] as string[])[0] as string) <= name) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function lowerBound(chunk: readonly string[], name: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunk[middle] as string) < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
