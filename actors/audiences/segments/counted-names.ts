// Keeps the columns of names that saved filters count (`atLeast` of two and more). Such a column
// collects from when it is wanted, and the pool reads what came before; until both are joined,
// history answers. It is derived: no checkpoint has it, each start builds it anew, and it changes
// between turns without an entry, which only derived memory may.

import type { Ordinal, PersonOrdinal, Seq } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import { countedNames, cutOf } from './evaluate.ts';
import type { Filter } from './filter.ts';
import type { SegmentsMemory, SegmentsView } from './memory.ts';
import { NewestTimes } from './newest-times.ts';
import type { TimesRead } from './pool-read.ts';
import type { CountedName, CountedTimes } from './protocol.ts';
import { savedFilters } from './saved-filters.ts';
import type { Traits } from './traits.ts';

interface CountedNamesHost {
  readonly state: SegmentsMemory;
  /** The newest turn in memory. */
  seq(): Seq;
  durableSeq(): Seq;
  now(): number;
  read(app: Ordinal, read: TimesRead): Promise<CountedTimes>;
  /** Runs a task between turns. */
  soon(task: () => void): void;
  onWhole(app: Ordinal): void;
  onFailed(app: Ordinal, error: unknown): void;
}

/** People per slice between two turns: some milliseconds' work. */
const peoplePerSlice = 20_000;
/** Ticks skipped after a failed read. */
const restTicks = 60;

interface Filling {
  readonly app: Ordinal;
  readonly traits: Traits;
  readonly names: readonly CountedName[];
  /** What had been folded when the collecting began. */
  readonly seq: Seq;
  readonly beforeSeq: number;
  isReading: boolean;
}

/** The columns of one partition. Call `tick` about once a second. */
export class CountedNames {
  readonly #host: CountedNamesHost;
  readonly #namesOf = new WeakMap<Filter, readonly CountedName[]>();
  #filling: Filling | undefined;
  /** By app: ticks still to skip after a failed read. */
  readonly #rests = new Map<Ordinal, number>();

  constructor(host: CountedNamesHost) {
    this.#host = host;
  }

  tick(): void {
    for (const [app, left] of this.#rests) {
      if (left > 1) this.#rests.set(app, left - 1);
      else this.#rests.delete(app);
    }
    if (this.#filling === undefined) this.#begin();
    const filling = this.#filling;
    // The pool sees durable blocks only, so what was folded before must be durable.
    if (filling !== undefined && !filling.isReading && this.#host.durableSeq() >= filling.seq)
      this.#read(filling);
  }

  /** Drops columns that no filter wants, and begins those that the first app lacks. */
  #begin(): void {
    const { state } = this.#host;
    for (const [app, memory] of state.apps) {
      if (this.#rests.has(app)) continue;
      const { traits, nextEvent } = memory;
      const wanted = this.#wanted(memory);
      for (const name of traits.counted.keys()) if (!wanted.has(name)) traits.counted.delete(name);
      const names = [...wanted].filter(([name, kept]) => kept > (traits.timesOf(name)?.kept ?? 0));
      if (names.length === 0) continue;
      for (const [name, kept] of names) traits.collect(name, kept);
      const seq = this.#host.seq();
      this.#filling = { app, traits, names, seq, beforeSeq: nextEvent, isReading: false };
      return;
    }
  }

  #wanted(app: SegmentsView): Map<string, number> {
    const wanted = new Map<string, number>();
    for (const { filter } of savedFilters(app)) {
      let names = this.#namesOf.get(filter);
      if (names === undefined) {
        names = countedNames(filter);
        this.#namesOf.set(filter, names);
      }
      for (const [name, kept] of names) wanted.set(name, Math.max(kept, wanted.get(name) ?? 0));
    }
    return wanted;
  }

  #read(filling: Filling): void {
    filling.isReading = true;
    const { app, names, beforeSeq } = filling;
    const people = this.#host.state.apps.get(app)?.people;
    const erased = [...(people?.erased ?? [])];
    const merged = people?.merged() ?? new Uint32Array(0);
    const fromMs = cutOf(limits.windowDaysMax, this.#host.now());
    this.#host.read(app, { app, names, fromMs, beforeSeq, erased, merged }).then(
      (times) => this.#install(filling, times),
      (error: unknown) => {
        this.#host.onFailed(app, error);
        this.#rests.set(app, restTicks);
        this.#end(filling, false);
      },
    );
  }

  /** Adds what was read, one slice between two turns at a time. */
  #install(filling: Filling, times: CountedTimes): void {
    const { traits } = filling;
    const columns = times.map(([name, read]) => [name, NewestTimes.restore(read)] as const);
    let from = 0;
    const slice = () => {
      const app = this.#host.state.apps.get(filling.app);
      if (app?.traits !== traits) return this.#end(filling, false);
      const canonical = (person: PersonOrdinal) => app.people.canonical(person);
      const to = Math.min(from + peoplePerSlice, traits.next);
      for (const [name, column] of columns) traits.fillIn(name, column, from, to, canonical);
      from = to;
      if (from < traits.next) this.#host.soon(slice);
      else this.#end(filling, true);
    };
    slice();
  }

  #end({ app, traits, names }: Filling, isWhole: boolean): void {
    this.#filling = undefined;
    for (const [name] of names) {
      if (isWhole) traits.becomeWhole(name);
      else traits.counted.delete(name);
    }
    if (isWhole) this.#host.onWhole(app);
  }
}
