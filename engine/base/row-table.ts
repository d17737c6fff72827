// A hash table of fixed-size rows of 32-bit words, ordered by their first two (linear probing that
// keeps order): content alone decides a walk. It grows by splitting segments, so the longest pause
// does not depend on its size.

import { assert } from './assert.ts';

/** A part of the table: rows whose first word begins with the segment's `depth` bits. */
export interface Segment {
  readonly depth: number;
  /** Places for rows by hash; a few more behind them hold rows pushed past the last. */
  places: number;
  count: number;
  /** `width` words a place; the second word of an empty place is 0. */
  words: Uint32Array;
  /** One byte per place that moves with the row; empty if the table has no tags. */
  tags: Uint8Array;
  /** For the owner: when the segment was last swept of expired rows. */
  sweptAt: number;
}

interface RowTableOptions {
  /** Words per row, at least 2. */
  readonly width: number;
  /** Whether a row has a byte beside its words. */
  readonly tagged?: boolean;
  /** Rows at which a segment is cut in two rather than enlarged. */
  readonly segmentRows?: number;
}

const maxDepth = 16;
const spill = 16;
/** Places at the end that stay empty when rows are laid out. */
const lastPlaces = 8;
const growth = 1.25;
// Full at five sixths: there a search looks at 3.5 rows on average, found or not.
const fullRows = 5;
const fullPlaces = 6;
/** Average fill of a loaded table's segments, between just split and about to be split. */
const loadedFill = 0.75;

/** Rows by their first two words: the first from a keyed hash, the second never 0. */
export class RowTable {
  readonly width: number;
  readonly #tagged: boolean;
  readonly #segmentRows: number;
  /** Segments by the first `#depth` bits of the first word; a shallower one has several places. */
  #directory: Segment[];
  #depth = 1;
  #count = 0;
  /** Stores what `touch` read, so that no compiler drops the read. */
  #touched = 0;

  constructor(options: RowTableOptions) {
    this.width = options.width;
    this.#tagged = options.tagged ?? false;
    this.#segmentRows = options.segmentRows ?? 8192;
    const first = this.#newSegment(0, 8);
    this.#directory = [first, first];
  }

  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    let bytes = 0;
    for (const segment of this.segments())
      bytes += segment.words.byteLength + segment.tags.byteLength;
    return bytes;
  }

  /** The segment for this first word. Any change to the table may replace it. */
  segmentOf(first: number): Segment {
    return this.#directory[first >>> (32 - this.#depth)] as Segment;
  }

  /** Index in `segment.words` of the first row not below (`first`, `second`), or an empty place. */
  seek(segment: Segment, first: number, second: number): number {
    const words = segment.words;
    const width = this.width;
    let at = homeOf(segment, first) * width;
    for (;;) {
      const there = words[at + 1] as number;
      if (there === 0) return at;
      const word = words[at] as number;
      if (word > first || (word === first && there >= second)) return at;
      at += width;
    }
  }

  /** Brings the start of a later search for this first word into the cache. */
  touch(first: number): void {
    const segment = this.segmentOf(first);
    const home = homeOf(segment, first);
    this.#touched ^= segment.words[home * this.width] as number;
    if (this.#tagged) this.#touched ^= segment.tags[home] as number;
  }

  /** Index of the first row with this first word, or -1. Equal first words are adjacent. */
  find(segment: Segment, first: number): number {
    const at = this.seek(segment, first, 1);
    return segment.words[at] === first && segment.words[at + 1] !== 0 ? at : -1;
  }

  /** Makes room for one more row where `first` belongs; may grow. Returns the segment. */
  reserve(first: number): Segment {
    for (;;) {
      const segment = this.segmentOf(first);
      const hasRoom = segment.count * fullPlaces < segment.places * fullRows;
      // The last place stays empty so that every search ends.
      if (hasRoom && segment.words[segment.words.length - 2 * this.width + 1] === 0) return segment;
      if (segment.count >= this.#segmentRows && segment.depth < maxDepth) this.#cut(first, segment);
      else this.#enlarge(segment);
    }
  }

  /**
   * Opens a row at `at` (from `seek` after `reserve`) and writes its first two words; the caller
   * writes the rest and the tag.
   */
  insertAt(segment: Segment, at: number, first: number, second: number): void {
    const { words, tags } = segment;
    const width = this.width;
    let hole = at;
    while (words[hole + 1] !== 0) hole += width;
    for (let i = hole + width - 1; i >= at + width; i--) words[i] = words[i - width] as number;
    if (this.#tagged)
      for (let i = hole / width; i > at / width; i--) tags[i] = tags[i - 1] as number;
    words[at] = first;
    words[at + 1] = second;
    segment.count++;
    this.#count++;
  }

  /** Fills an empty table with adjacent ascending rows. Adding them one by one is slowest. */
  load(words: Uint32Array, tags: Uint8Array): void {
    assert(this.#count === 0, 'row table: load into a table with rows');
    const count = words.length / this.width;
    let depth = 1;
    while (depth < maxDepth && count > this.#segmentRows * loadedFill * 2 ** depth) depth++;
    this.#depth = depth;
    this.#directory = [];
    for (let place = 1, from = 0; place <= 2 ** depth; place++) {
      const end = place * 2 ** (32 - depth);
      let to = from;
      while (to < words.length && (words[to] as number) < end) to += this.width;
      const segment = this.#newSegment(depth, 0);
      this.#lay(segment, placesFor((to - from) / this.width), { words, tags }, from, to);
      this.#directory.push(segment);
      from = to;
    }
    this.#count = count;
  }

  /** Removes the row at `at` and clears its words. */
  removeAt(segment: Segment, at: number): void {
    const { words, tags } = segment;
    const width = this.width;
    let hole = at;
    for (let next = at + width; next < words.length; next += width) {
      // A row may be pulled back as long as it stays at or behind its home.
      if (words[next + 1] === 0 || homeOf(segment, words[next] as number) * width >= next) break;
      words.copyWithin(hole, next, next + width);
      if (this.#tagged) tags[hole / width] = tags[next / width] as number;
      hole = next;
    }
    words.fill(0, hole, hole + width);
    if (this.#tagged) tags[hole / width] = 0;
    segment.count--;
    this.#count--;
  }

  /** Keeps the rows that `keep` accepts. O(places of the segment). */
  retain(segment: Segment, keep: (at: number) => boolean): void {
    const { words, count } = segment;
    let kept = 0;
    for (let at = 0; at < words.length; at += this.width)
      if (words[at + 1] !== 0 && keep(at)) kept++;
    if (kept === count) return;
    // A segment that lost most of its rows gives its memory back.
    const places = Math.min(segment.places, placesFor(kept * 2));
    this.#lay(segment, places, segment, 0, words.length, keep);
    this.#count += kept - count;
  }

  /** Every segment once, in order. */
  *segments(): Generator<Segment> {
    let last: Segment | undefined;
    for (const segment of this.#directory) {
      if (segment !== last) yield segment;
      last = segment;
    }
  }

  /** `segmentAt` takes a place below this. */
  get directorySize(): number {
    return this.#directory.length;
  }

  /** The segment at a place of the directory; neighbors may share one. */
  segmentAt(place: number): Segment {
    return this.#directory[place] as Segment;
  }

  #newSegment(depth: number, places: number): Segment {
    return {
      depth,
      places,
      count: 0,
      words: new Uint32Array((places + spill) * this.width),
      tags: new Uint8Array(this.#tagged ? places + spill : 0),
      sweptAt: 0,
    };
  }

  /** By a quarter, so that a large table is about three quarters full. */
  #enlarge(segment: Segment): void {
    const places = Math.ceil(segment.places * growth) + 1;
    this.#lay(segment, places, segment, 0, segment.words.length);
  }

  #cut(first: number, segment: Segment): void {
    const depth = segment.depth + 1;
    assert(depth <= maxDepth, 'row table: too deep');
    if (depth > this.#depth) {
      const doubled: Segment[] = [];
      for (const each of this.#directory) doubled.push(each, each);
      this.#directory = doubled;
      this.#depth = depth;
    }
    const { words } = segment;
    const bit = 1 << (31 - segment.depth);
    let rows = 0;
    let middle = 0;
    for (; middle < words.length; middle += this.width) {
      if (words[middle + 1] === 0) continue;
      if (((words[middle] as number) & bit) !== 0) break;
      rows++;
    }
    const low = this.#half(segment, depth, rows, 0, middle);
    const high = this.#half(segment, depth, segment.count - rows, middle, words.length);
    const span = 1 << (this.#depth - segment.depth);
    const start = (first >>> (32 - this.#depth)) & -span;
    for (let i = 0; i < span; i++) this.#directory[start + i] = i < span / 2 ? low : high;
  }

  #half(whole: Segment, depth: number, rows: number, from: number, to: number): Segment {
    const half = this.#newSegment(depth, 0);
    half.sweptAt = whole.sweptAt;
    this.#lay(half, placesFor(rows), whole, from, to);
    return half;
  }

  /** Spreads the ordered rows in `[from, to)` over `places`; they may be the segment's own. */
  #lay(
    segment: Segment,
    places: number,
    { words, tags }: Rows,
    from: number,
    to: number,
    keep?: (at: number) => boolean,
  ): void {
    const width = this.width;
    const scale = places / 4294967296;
    const { depth } = segment;
    let laid = new Uint32Array((places + spill) * width);
    let laidTags = new Uint8Array(this.#tagged ? places + spill : 0);
    let place = 0;
    let count = 0;
    for (let at = from; at < to; at += width) {
      if (words[at + 1] === 0 || (keep !== undefined && !keep(at))) continue;
      const home = Math.floor((((words[at] as number) << depth) >>> 0) * scale);
      if (home > place) place = home;
      let into = place * width;
      if (into + lastPlaces * width >= laid.length) {
        laid = longer(laid, new Uint32Array(laid.length + spill * width));
        if (this.#tagged) laidTags = longer(laidTags, new Uint8Array(laidTags.length + spill));
      }
      if (this.#tagged) laidTags[place] = tags[at / width] as number;
      for (let i = at; i < at + width; i++) laid[into++] = words[i] as number;
      place++;
      count++;
    }
    segment.places = places;
    segment.count = count;
    segment.words = laid;
    segment.tags = laidTags;
  }
}

interface Rows {
  readonly words: Uint32Array;
  readonly tags: Uint8Array;
}

function longer<Values extends Uint32Array | Uint8Array>(values: Values, into: Values): Values {
  into.set(values);
  return into;
}

/** The place of a row if nothing is in its way: the bits after the shared ones, scaled. */
function homeOf(segment: Segment, first: number): number {
  return Math.floor(((first << segment.depth) >>> 0) * (segment.places / 4294967296));
}

function placesFor(rows: number): number {
  return Math.ceil(rows * 1.32) + 8;
}
