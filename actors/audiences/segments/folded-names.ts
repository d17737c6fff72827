// The folded texts of a tag's values, one after the other in one run of bytes, so that the values
// with a word that begins so are found by the engine's own search of bytes: a million in some
// milliseconds. Derived from the values, made at the first search and a slice at a time.

import { neededFor, searchedName } from './folded-name.ts';

const firstBytes = 64 * 1024;
/** From so many on, with so few bytes between two, a native search a value costs more. */
const manyFound = 1_000;
const manyBytes = 200;
/** Ends each text; no folded name has it. */
const end = 0x0a;

/** Values as a column has them: by code; only texts and numbers are names. */
type Values = readonly (string | number | boolean | undefined)[];

function isName(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

export class FoldedNames {
  #bytes = Buffer.alloc(firstBytes);
  #used = 0;
  /** By text: where it begins, and its code; 0 once the code is free. */
  #starts: number[] = [];
  #codes: number[] = [];
  /** The newest text of a code, counted from 1. */
  #textOf: number[] = [];
  /** Codes that are not folded yet. */
  #waiting: number[] = [];
  #live = 0;

  constructor(values: Values) {
    values.forEach((value, code) => {
      if (isName(value)) this.#waiting.push(code);
    });
  }

  /** How many values wait to be folded. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get byteLength(): number {
    return this.#bytes.length + (this.#starts.length * 2 + this.#textOf.length) * 8;
  }

  added(code: number, value: unknown): void {
    if (isName(value)) this.#waiting.push(code);
  }

  removed(code: number): void {
    const text = this.#textOf[code] ?? 0;
    if (text === 0) return;
    this.#codes[text - 1] = 0;
    this.#textOf[code] = 0;
    this.#live--;
  }

  /** Folds at most so many of those that wait. */
  fold(values: Values, max: number): void {
    for (const code of this.#waiting.splice(Math.max(0, this.#waiting.length - max))) {
      const value = values[code];
      // Free again, or folded since as another value.
      if (isName(value) && (this.#textOf[code] ?? 0) === 0)
        this.#append(code, ` ${searchedName(String(value))}`);
    }
  }

  /**
   * Marks the codes of values with a word that begins with `word`, which is folded; how many there
   * are. `marks` has a byte for each code.
   */
  mark(word: string, marks: Uint8Array): number {
    const needed = Buffer.from(neededFor(word));
    let text = 0;
    let found = 0;
    let at = this.#next(needed, 0);
    while (at >= 0) {
      text = this.#textAt(at, text);
      const code = this.#codes[text] as number;
      if (code !== 0) {
        marks[code] = 1;
        found++;
      }
      text++;
      const after = this.#starts[text];
      if (after === undefined) break;
      // Of many, each search costs more than the bytes between two of them.
      at =
        found > manyFound && at < found * manyBytes
          ? this.#nearest(needed, after)
          : this.#next(needed, after);
    }
    return found;
  }

  #next(needed: Buffer, from: number): number {
    const at = this.#bytes.indexOf(needed, from);
    return at >= 0 && at + needed.length <= this.#used ? at : -1;
  }

  /** The same, byte by byte. */
  #nearest(needed: Buffer, from: number): number {
    const bytes = this.#bytes;
    const length = needed.length;
    const [first = 0, second = 0] = needed;
    const last = this.#used - length;
    for (let at = from; at <= last; at++) {
      if (bytes[at] !== first || (length > 1 && bytes[at + 1] !== second)) continue;
      let same = 2;
      while (same < length && bytes[at + same] === needed[same]) same++;
      if (same >= length) return at;
    }
    return -1;
  }

  #append(code: number, text: string): void {
    if (this.#codes.length > 1_024 && this.#live * 2 < this.#codes.length) this.#compact();
    const length = Buffer.byteLength(text) + 1;
    if (this.#used + length > this.#bytes.length) {
      const wider = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#used + length));
      this.#bytes.copy(wider, 0, 0, this.#used);
      this.#bytes = wider;
    }
    this.#starts.push(this.#used);
    this.#codes.push(code);
    this.#bytes.write(text, this.#used);
    this.#used += length;
    this.#bytes[this.#used - 1] = end;
    while (this.#textOf.length <= code) this.#textOf.push(0);
    this.#textOf[code] = this.#codes.length;
    this.#live++;
  }

  /** Without the texts of free codes. */
  #compact(): void {
    const [starts, codes] = [this.#starts, this.#codes];
    this.#starts = [];
    this.#codes = [];
    let used = 0;
    for (const [text, code] of codes.entries()) {
      if (code === 0) continue;
      const from = starts[text] as number;
      const to = starts[text + 1] ?? this.#used;
      this.#bytes.copyWithin(used, from, to);
      this.#starts.push(used);
      this.#codes.push(code);
      this.#textOf[code] = this.#codes.length;
      used += to - from;
    }
    this.#bytes.fill(0, used, this.#used);
    this.#used = used;
  }

  /** The text that a place is in, at or after another one: mostly a near one. */
  #textAt(place: number, from: number): number {
    const starts = this.#starts;
    let step = 1;
    let low = from;
    while (low + step < starts.length && (starts[low + step] as number) <= place) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, starts.length) - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] as number) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
