// Which people, times and names are in log blocks after the newest checkpoint: up to five minutes
// of everyone's events, which one person's page must not all read. Reading threads note blocks they
// read; the next checkpoint drops the index.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal, Seq } from '../../../engine/base/brand.ts';
import { nameHash } from '../history/name-index.ts';
import type { EventsOf } from '../log/entry-facts.ts';
import type { EventQuery } from '../protocol.ts';

/** People and names per thread; about 20 MB. Further blocks are read each time. */
const notedMax = 4_000_000;
/** With more distinct names of an app, a block may have any. */
const namesMax = 64;

interface TailPart {
  /** Lowest seq of its events. */
  readonly lowest: number;
  readonly count: number;
  readonly fromMs: Millis;
  readonly toMs: Millis;
}

interface Part extends TailPart {
  readonly app: Ordinal;
  /** People at `[from, from + count)` of the notes, then `names` names; -1: any name. */
  readonly from: number;
  readonly names: number;
}

type TailQuestion = Pick<EventQuery, 'person' | 'aliases' | 'name' | 'fromMs' | 'toMs'>;

export class TailIndex {
  readonly #afterSeq: Seq;
  /** By seq from the checkpoint's next; `undefined` for unread blocks. */
  readonly #parts: (readonly Part[] | undefined)[] = [];
  #notes = new Uint32Array(1024);
  #noted = 0;

  constructor(afterSeq: Seq) {
    this.#afterSeq = afterSeq;
  }

  get afterSeq(): Seq {
    return this.#afterSeq;
  }

  get noted(): number {
    return this.#noted;
  }

  knows(seq: Seq): boolean {
    return this.#parts[seq - this.#afterSeq - 1] !== undefined;
  }

  partOf(seq: Seq, app: Ordinal): TailPart | undefined {
    return this.#parts[seq - this.#afterSeq - 1]?.find((part) => part.app === app);
  }

  /** Whether a part may match. False positives: equal hashes, different events that match. */
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

/** By partition path, least recently used first. */
const indexes = new Map<string, TailIndex>();

/** Empty for a new checkpoint. */
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
