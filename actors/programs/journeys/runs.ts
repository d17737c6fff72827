// The runs of one journey: one row of 16 bytes per person with their operation, wake and
// enrollment. A goal was reached its timeout before the wake, so that instant is not stored. Rows
// lie by a hash of the person, so equal content gives equal snapshots.

import { assert } from '../../../engine/base/assert.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { RowTable } from '../../../engine/base/row-table.ts';
import type { OperationIndex } from './program.ts';

export interface Run {
  readonly person: PersonOrdinal;
  readonly operation: OperationIndex;
  readonly wakeMs: Millis;
  readonly enrolledMs: Millis;
}

/** Words of a row: hashed person; wake seconds; the packed word; enrollment seconds. */
const width = 4;
const noTags = new Uint8Array(0);

/** The packed word: 10 bits of the wake's millisecond, 10 of the enrollment's, 8 of operation. */
const millisMask = 1023;
const enrolledShift = 10;
const operationShift = 20;
const operationMask = 255;

/** Spreads sequential ordinals evenly over 32 bits; `gathering` inverts it. */
const spreading = 0x9e3779b1;
const gathering = 0xe8b2f51;
assert(Math.imul(spreading, gathering) === 1, 'gathering undoes spreading');

/** Rows per segment: bounds the longest pause of a change. */
const segmentRows = 8_192;

export class Runs {
  readonly #rows = new RowTable({ width, segmentRows });

  get count(): number {
    return this.#rows.count;
  }

  get byteLength(): Bytes {
    return this.#rows.byteLength;
  }

  has(person: PersonOrdinal): boolean {
    const first = spread(person);
    return this.#rows.find(this.#rows.segmentOf(first), first) >= 0;
  }

  find(person: PersonOrdinal): Run | undefined {
    const first = spread(person);
    const segment = this.#rows.segmentOf(first);
    const at = this.#rows.find(segment, first);
    return at < 0 ? undefined : runAt(segment.words, at);
  }

  /** 0 for a person without a run. */
  wakeMsOf(person: PersonOrdinal): Millis {
    const first = spread(person);
    const segment = this.#rows.segmentOf(first);
    const at = this.#rows.find(segment, first);
    return at < 0 ? 0 : wakeMsAt(segment.words, at);
  }

  /** The person must have no run. */
  add({ person, operation, wakeMs, enrolledMs }: Run): void {
    const first = spread(person);
    const segment = this.#rows.reserve(first);
    assert(this.#rows.find(segment, first) < 0, 'a person has one run at most');
    const wakeSeconds = secondsOf(wakeMs);
    const at = this.#rows.seek(segment, first, wakeSeconds);
    this.#rows.insertAt(segment, at, first, wakeSeconds);
    const enrolledSeconds = secondsOf(enrolledMs);
    segment.words[at + 2] = packed(
      wakeMs - wakeSeconds * 1000,
      enrolledMs - enrolledSeconds * 1000,
      operation,
    );
    segment.words[at + 3] = enrolledSeconds;
  }

  move(person: PersonOrdinal, operation: OperationIndex, wakeMs: Millis): void {
    const first = spread(person);
    const segment = this.#rows.segmentOf(first);
    const at = this.#rows.find(segment, first);
    assert(at >= 0, 'only a person in flight can move');
    const { words } = segment;
    const wakeSeconds = secondsOf(wakeMs);
    // Rows are sorted by two words, but the first is unique, so the second may change in place.
    words[at + 1] = wakeSeconds;
    const enrolledMillis = ((words[at + 2] as number) >>> enrolledShift) & millisMask;
    words[at + 2] = packed(wakeMs - wakeSeconds * 1000, enrolledMillis, operation);
  }

  remove(person: PersonOrdinal): Run | undefined {
    const first = spread(person);
    const segment = this.#rows.segmentOf(first);
    const at = this.#rows.find(segment, first);
    if (at < 0) return undefined;
    const run = runAt(segment.words, at);
    this.#rows.removeAt(segment, at);
    return run;
  }

  /**
   * Visits one segment of a few thousand rows and returns the next cursor; start at 0, stop at
   * `endOfRows`. Rows added or moved meanwhile may be missed; others are visited exactly once.
   */
  visit(cursor: number, visitor: (person: PersonOrdinal, wakeMs: Millis) => void): number {
    const { words, depth } = this.#rows.segmentOf(cursor);
    for (let at = 0; at < words.length; at += width) {
      if (words[at + 1] !== 0) visitor(gather(words[at] as number), wakeMsAt(words, at));
    }
    // A segment covers one range of first words; ranges are only ever halved.
    const range = 2 ** (32 - depth);
    return (Math.floor(cursor / range) + 1) * range;
  }

  /**
   * Visits runs by hash, from `from` on, until `visit` returns false or about `rowsMax` were
   * visited. Returns where to go on, with the run not taken; -1 at the end.
   */
  walk(from: number, rowsMax: number, visit: (run: Run) => boolean): number {
    let visited = 0;
    for (let cursor = from; cursor < endOfRows; ) {
      if (visited >= rowsMax) return cursor;
      const { words, depth } = this.#rows.segmentOf(cursor);
      for (let at = 0; at < words.length; at += width) {
        const first = words[at] as number;
        if (words[at + 1] === 0 || first < cursor) continue;
        visited++;
        if (!visit(runAt(words, at))) return first;
      }
      const range = 2 ** (32 - depth);
      cursor = (Math.floor(cursor / range) + 1) * range;
    }
    return -1;
  }

  /** Changes the instants of every run. */
  rebase(change: (run: Run) => Pick<Run, 'wakeMs' | 'enrolledMs'>): void {
    for (const { words } of this.#rows.segments()) {
      for (let at = 0; at < words.length; at += width) {
        if (words[at + 1] === 0) continue;
        const run = runAt(words, at);
        const { wakeMs, enrolledMs } = change(run);
        const wakeSeconds = secondsOf(wakeMs);
        const enrolledSeconds = secondsOf(enrolledMs);
        words[at + 1] = wakeSeconds;
        words[at + 2] = packed(
          wakeMs - wakeSeconds * 1000,
          enrolledMs - enrolledSeconds * 1000,
          run.operation,
        );
        words[at + 3] = enrolledSeconds;
      }
    }
  }

  /** The rows in order. */
  snapshot(): Uint32Array {
    const snapshot = new Uint32Array(this.count * width);
    let into = 0;
    for (const { words } of this.#rows.segments()) {
      for (let at = 0; at < words.length; at += width) {
        if (words[at + 1] === 0) continue;
        for (let word = 0; word < width; word++) snapshot[into++] = words[at + word] as number;
      }
    }
    return snapshot;
  }

  static restore(snapshot: Uint32Array): Runs {
    const runs = new Runs();
    runs.#rows.load(snapshot, noTags);
    return runs;
  }
}

/** Where `Runs.visit` ends. */
export const endOfRows = 2 ** 32;

function spread(person: PersonOrdinal): number {
  return Math.imul(person, spreading) >>> 0;
}

function gather(word: number): PersonOrdinal {
  return Math.imul(word, gathering) >>> 0;
}

function secondsOf(atMs: Millis): number {
  const seconds = Math.floor(atMs / 1000);
  assert(seconds > 0 && seconds < 2 ** 32, 'an instant of a run lies between 1970 and 2106');
  return seconds;
}

function packed(wakeMillis: number, enrolledMillis: number, operation: OperationIndex): number {
  return ((operation << operationShift) | (enrolledMillis << enrolledShift) | wakeMillis) >>> 0;
}

function wakeMsAt(words: Uint32Array, at: number): Millis {
  return (words[at + 1] as number) * 1000 + ((words[at + 2] as number) & millisMask);
}

function runAt(words: Uint32Array, at: number): Run {
  const word = words[at + 2] as number;
  return {
    person: gather(words[at] as number),
    operation: (word >>> operationShift) & operationMask,
    wakeMs: wakeMsAt(words, at),
    enrolledMs: (words[at + 3] as number) * 1000 + ((word >>> enrolledShift) & millisMask),
  };
}
