// At which hours of the day people open and click: 24 small counters for each who ever did, by
// hours of UTC, so that folding an event asks no table of zones. What somebody did often and lately
// weighs most: a counter that is full halves all of theirs. From them the hour at which somebody
// mostly reads, and, by the local clocks of everybody, that of an app.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { hourMs } from '../../../engine/base/brand.ts';

const hours = 24;
const pageBits = 10;
const pagePeople = 1 << pageBits;
const full = 255;

/** Pairs of a page's number and its counters, ascending. */
export type ReadingHoursSnapshot = readonly (readonly [page: number, counts: Uint8Array])[];

export class ReadingHours {
  readonly #pages: (Uint8Array | undefined)[] = [];

  /** Somebody opened or clicked. */
  note(person: PersonOrdinal, atMs: Millis): void {
    const at = person >>> pageBits;
    let page = this.#pages[at];
    if (page === undefined) {
      page = new Uint8Array(pagePeople * hours);
      while (this.#pages.length < at) this.#pages.push(undefined);
      this.#pages[at] = page;
    }
    const own = page.subarray(...placeOf(person));
    const hour = Math.floor(atMs / hourMs) % hours;
    if (own[hour] === full) for (let i = 0; i < hours; i++) own[i] = (own[i] as number) >>> 1;
    own[hour] = (own[hour] as number) + 1;
  }

  /**
   * The hour of UTC at which somebody mostly reads, the earliest of equals; `undefined` for who
   * never did.
   */
  hourOf(person: PersonOrdinal): number | undefined {
    const own = this.#pages[person >>> pageBits]?.subarray(...placeOf(person));
    return own === undefined ? undefined : greatest(own);
  }

  /**
   * The local hour at which most reading is done. `offsetOf` says how many hours somebody's clock
   * is ahead of UTC. Looks at no more than about `peopleMax` people, spread over all.
   */
  appHour(offsetOf: (person: PersonOrdinal) => number, peopleMax: number): number | undefined {
    const pages = this.#pages.filter((page) => page !== undefined).length;
    const step = Math.max(1, Math.ceil((pages * pagePeople) / peopleMax));
    const sums = new Float64Array(hours);
    this.#pages.forEach((page, at) => {
      if (page === undefined) return;
      for (let i = 0; i < pagePeople; i += step) {
        const ahead = Math.round(offsetOf((at << pageBits) | i));
        for (let hour = 0; hour < hours; hour++) {
          const local = (((hour + ahead) % hours) + hours) % hours;
          sums[local] = (sums[local] as number) + (page[i * hours + hour] as number);
        }
      }
    });
    return greatest(sums);
  }

  forget(person: PersonOrdinal): void {
    this.#pages[person >>> pageBits]?.subarray(...placeOf(person)).fill(0);
  }

  /** What one person did counts as another's. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    const theirs = this.#pages[from >>> pageBits]?.slice(...placeOf(from));
    this.forget(from);
    theirs?.forEach((count, hour) => {
      for (let i = 0; i < count; i++) this.note(into, hour * hourMs);
    });
  }

  snapshot(): ReadingHoursSnapshot {
    const pages: [number, Uint8Array][] = [];
    this.#pages.forEach((page, at) => {
      if (page?.some((count) => count !== 0)) pages.push([at, page.slice()]);
    });
    return pages;
  }

  static restore(from: ReadingHoursSnapshot): ReadingHours {
    const reading = new ReadingHours();
    for (const [at, page] of from) {
      while (reading.#pages.length < at) reading.#pages.push(undefined);
      reading.#pages[at] = new Uint8Array(page);
    }
    return reading;
  }
}

function placeOf(person: PersonOrdinal): [number, number] {
  const at = (person & (pagePeople - 1)) * hours;
  return [at, at + hours];
}

function greatest(counts: ArrayLike<number>): number | undefined {
  let best = 0;
  let at: number | undefined;
  for (let hour = 0; hour < hours; hour++)
    if ((counts[hour] as number) > best) {
      best = counts[hour] as number;
      at = hour;
    }
  return at;
}
