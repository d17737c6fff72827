// When people open and click: 24 one-byte counters per person, by hour of UTC, so that folding an
// event needs no time zone. A full counter halves all of that person's, so recent habits weigh
// most.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { hourMs } from '../../../engine/base/brand.ts';

const hours = 24;
const pageBits = 10;
const pagePeople = 1 << pageBits;
const full = 255;

/** Pages in ascending order. */
export type ReadingHoursSnapshot = readonly (readonly [page: number, counts: Uint8Array])[];

export class ReadingHours {
  readonly #pages: (Uint8Array | undefined)[] = [];

  /** Counts an open or click. */
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

  /** The UTC hour with the most opens, the earliest of equals; `undefined` without opens. */
  hourOf(person: PersonOrdinal): number | undefined {
    const own = this.#pages[person >>> pageBits]?.subarray(...placeOf(person));
    return own === undefined ? undefined : greatest(own);
  }

  /** The most common local hour in a sample of about `peopleMax`; `offsetOf`: hours from UTC. */
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
