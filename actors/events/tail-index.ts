// Which log blocks after the newest checkpoint have events of whom, when, and of which names: up to
// five minutes of everybody's events lie there, and a page of one person's must not read them all.
// A thread that reads notes it of every block it has looked at, so the next question reads only
// blocks that are new or hold something. It costs the shard nothing, and is gone with the thread,
// or with the next checkpoint, after which the log before it is asked for no more.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal, Seq } from '../../engine/base/brand.ts';
import type { EventsOf } from './facts.ts';
import { nameHash } from './history/name-index.ts';
import type { EventQuery } from './protocol.ts';

/**
 * People and names that all indexes of a thread note, at most; about 20 MB. Blocks beyond are read
 * each time.
 */
const notedMax = 4_000_000;
/** A block with more distinct names of one app is taken to have any. */
const namesMax = 64;

/** What of one app is in a block. */
interface TailPart {
  /** The lowest number of its events. */
  readonly lowest: number;
  readonly count: number;
  /** When the first and the last of them happened. */
  readonly fromMs: Millis;
  readonly toMs: Millis;
}

interface Part extends TailPart {
  readonly app: Ordinal;
  /**
   * The people are `[from, from + count)` of the notes, the names the `names` after them; -1 for
   * any.
   */
  readonly from: number;
  readonly names: number;
}

type TailQuestion = Pick<EventQuery, 'person' | 'aliases' | 'name' | 'fromMs' | 'toMs'>;

/** What is known of the log after one checkpoint. */
export class TailIndex {
  readonly #afterSeq: Seq;
  /** By seq, the first after the checkpoint at 0; `undefined` for a block that nobody looked at. */
  readonly #parts: (readonly Part[] | undefined)[] = [];
  #notes = new Uint32Array(1024);
  #noted = 0;

  constructor(afterSeq: Seq) {
    this.#afterSeq = afterSeq;
  }

  /** The checkpoint's seq. */
  get afterSeq(): Seq {
    return this.#afterSeq;
  }

  /** How many people and names it notes. */
  get noted(): number {
    return this.#noted;
  }

  /** Whether a block was looked at. */
  knows(seq: Seq): boolean {
    return this.#parts[seq - this.#afterSeq - 1] !== undefined;
  }

  /** What a known block has of an app; `undefined` for nothing. */
  partOf(seq: Seq, app: Ordinal): TailPart | undefined {
    return this.#parts[seq - this.#afterSeq - 1]?.find((part) => part.app === app);
  }

  /**
   * Whether the part of a known block may have events of this person, under any ordinal of theirs,
   * of this name and time. It may be wrong: rarely of names, and where a block has the one of one
   * event and the other of another.
   */
  mayHold(
    part: TailPart,
    { person, aliases = [], name, fromMs = 0, toMs = Number.POSITIVE_INFINITY }: TailQuestion,
  ): boolean {
    if (part.toMs < fromMs || part.fromMs >= toMs) return false;
    const { from, count, names } = part as Part;
    const to = from + count;
    const has = (one: PersonOrdinal) => holds(this.#notes, from, to, one);
    if (person !== undefined && !has(person) && !aliases.some(has)) return false;
    return name === undefined || names < 0 || holds(this.#notes, to, to + names, nameHash(name));
  }

  /** Notes what the entries of a block have of all apps. */
  add(seq: Seq, entries: readonly Entry[], eventsOf: EventsOf): void {
    const parts: Part[] = [];
    for (const [app, own] of byOwner(entries)) {
      let lowest = Number.POSITIVE_INFINITY;
      const from = this.#noted;
      const hashes = new Set<number>();
      let fromMs = Number.POSITIVE_INFINITY;
      let toMs = 0;
      for (const entry of own) {
        for (const events of eventsOf(entry)) {
          lowest = Math.min(lowest, events.seq(0));
          this.#reserve(events.count);
          for (let row = 0; row < events.count; row++) {
            this.#notes[this.#noted++] = events.person(row);
            const atMs = events.atMs(row);
            if (atMs < fromMs) fromMs = atMs;
            if (atMs > toMs) toMs = atMs;
          }
          for (const name of events.names) hashes.add(nameHash(name));
        }
      }
      const count = this.#noted - from;
      if (count === 0) continue;
      const names = hashes.size > namesMax ? -1 : hashes.size;
      if (names > 0) {
        this.#reserve(names);
        for (const hash of hashes) this.#notes[this.#noted++] = hash;
      }
      parts.push({ app, lowest, count, from, names, fromMs, toMs });
    }
    this.#parts[seq - this.#afterSeq - 1] = parts.length === 0 ? nothing : parts;
  }

  #reserve(more: number): void {
    if (this.#noted + more <= this.#notes.length) return;
    const grown = new Uint32Array(Math.max(this.#notes.length * 2, this.#noted + more));
    grown.set(this.#notes.subarray(0, this.#noted));
    this.#notes = grown;
  }
}

const nothing: readonly Part[] = [];

/** By partition's path, those longest unused first. */
const indexes = new Map<string, TailIndex>();

/**
 * The thread's index of a partition's log after a checkpoint; an empty one where the checkpoint is
 * new to it.
 */
export function tailIndexOf(partitionPath: string, afterSeq: Seq): TailIndex {
  let index = indexes.get(partitionPath);
  indexes.delete(partitionPath);
  if (index?.afterSeq !== afterSeq || index.noted > notedMax) index = new TailIndex(afterSeq);
  indexes.set(partitionPath, index);
  let noted = 0;
  for (const one of indexes.values()) noted += one.noted;
  for (const [path, one] of indexes) {
    if (noted <= notedMax || one === index) break;
    indexes.delete(path);
    noted -= one.noted;
  }
  return index;
}

function byOwner(entries: readonly Entry[]): Map<Ordinal, Entry[]> {
  const owners = new Map<Ordinal, Entry[]>();
  for (const entry of entries) {
    const own = owners.get(entry.owner);
    if (own === undefined) owners.set(entry.owner, [entry]);
    else own.push(entry);
  }
  return owners;
}

function holds(notes: Uint32Array, from: number, to: number, wanted: number): boolean {
  for (let i = from; i < to; i++) if (notes[i] === wanted) return true;
  return false;
}
