// What happened in a run, as lines and as one hash of all of them: two runs of a seed are the same
// run exactly when their hashes are equal. Only the newest lines are kept, since a failing seed can
// be run again with `--trace`.

const linesKept = 30;

/** Collects the events of one run. */
export class Trace {
  #high = 0x811c9dc5;
  #low = 0x01000193;
  #count = 0;
  readonly #newest: string[] = [];
  readonly #print: ((line: string) => void) | undefined;

  /** `print` is called with every line as it comes. */
  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  /** Lines so far. */
  get count(): number {
    return this.#count;
  }

  /** Sixteen hexadecimal digits over every line, in order. */
  get hash(): string {
    const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
    return hex(this.#high) + hex(this.#low);
  }

  /** The newest lines, at most 30, oldest first. */
  get newest(): readonly string[] {
    const from = this.#count % linesKept;
    return this.#count <= linesKept
      ? this.#newest
      : [...this.#newest.slice(from), ...this.#newest.slice(0, from)];
  }

  /** Adds what happened at a virtual instant. */
  add(nowMs: number, text: string): void {
    const line = `${nowMs.toFixed(3)} ${text}`;
    // Two FNV-1a lanes, the second over the first's running state, so that swapped lines change
    // both.
    let high = this.#high;
    let low = this.#low;
    for (let i = 0; i < line.length; i++) {
      high = Math.imul(high ^ line.charCodeAt(i), 0x01000193);
      low = Math.imul(low ^ (high >>> 7), 0x01000193);
    }
    this.#high = high;
    this.#low = low;
    this.#newest[this.#count % linesKept] = line;
    this.#count++;
    this.#print?.(line);
  }
}
