// Of the new people of each period, how many were active in it and in each later one. One bit per
// person and period marks who was counted, so the order and number of events do not matter.
// Receipts of tests are left out, as in trends.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { zoneOf } from '../../../engine/time/civil-time.ts';
import { countsAsActivity } from '../../events/ingest/names.ts';
import { isByMachine } from '../../events/log/machine-mark.ts';
import type { StoredEvents } from '../../events/log/stored-events.ts';
import { noPerson, SeenPeople } from '../../events/read/seen-people.ts';
import type { StoredWalk } from '../../events/read/stored-walk.ts';
import { type Buckets, lastPeriods } from './buckets.ts';
import { CreatedPeople } from './created-people.ts';
import type { Facts, Question, Retention } from './protocol.ts';
import { isOfTest, mayBeOfTest } from './test-sends.ts';

type Asked = Extract<Question, { kind: 'insight.retention' }>;

/** Answers `insight.retention`. */
export function retention(
  { event, interval }: Pick<Asked, 'event' | 'interval'>,
  facts: Facts,
  walk: StoredWalk,
): Retention {
  const periods = lastPeriods(interval, facts.span, facts.nowMs, zoneOf(facts.timezone));
  const cohorts = new Cohorts(periods, facts);
  const isAsked = event === undefined ? countsAsActivity : (name: string) => name === event;
  const wanted = {
    fromMs: periods.fromMs,
    ...(event === undefined ? {} : { names: [event] }),
  };
  walk.all(wanted, (events, from, to) => cohorts.take(events, from, to, isAsked));
  return { starts: [...periods.starts], cohorts: cohorts.counted() };
}

class Cohorts {
  readonly #periods: Buckets;
  readonly #people: SeenPeople;
  /**
   * The first person of any cohort; ordinals are in order of creation, so cohorts' people are close
   * together.
   */
  readonly #first: PersonOrdinal;
  /** By person from there: their cohort plus one; 0 for none. */
  readonly #cohortOf: Uint8Array;
  readonly #words: number;
  /** By person from there: a bit for each period in which they were active. */
  readonly #active: Uint32Array;
  readonly #sizes: number[];
  /** By cohort, then period. */
  readonly #counts: Uint32Array;

  constructor(periods: Buckets, facts: Facts) {
    const created = new CreatedPeople(facts);
    const { next } = created;
    this.#periods = periods;
    this.#people = new SeenPeople(facts);
    this.#sizes = new Array(periods.count).fill(0);
    this.#counts = new Uint32Array(periods.count * periods.count);
    let first = 0;
    while (first < next && periods.of(created.at(first)) < 0) first++;
    this.#first = first;
    this.#cohortOf = new Uint8Array(next - first);
    this.#words = Math.ceil(periods.count / 32);
    this.#active = new Uint32Array((next - first) * this.#words);
    for (let person = first; person < next; person++) {
      const cohort = periods.of(created.at(person));
      if (cohort < 0) continue;
      this.#cohortOf[person - first] = cohort + 1;
      this.#sizes[cohort] = (this.#sizes[cohort] as number) + 1;
    }
  }

  take(events: StoredEvents, from: number, to: number, isAsked: (name: string) => boolean): void {
    const { count } = this.#periods;
    const { mayHoldTests } = events;
    for (let row = from; row < to; row++) {
      const person = this.#people.of(events.person(row));
      if (person === noPerson) continue;
      const place = person - this.#first;
      const cohort = (this.#cohortOf[place] ?? 0) - 1;
      if (cohort < 0) continue;
      const name = events.name(row);
      if (!isAsked(name) || isByMachine(name, events, row)) continue;
      if (mayHoldTests && mayBeOfTest(name) && isOfTest(events, row)) continue;
      const period = this.#periods.of(events.atMs(row));
      if (period < cohort) continue; // before the person came, or too old
      const word = place * this.#words + (period >>> 5);
      const bit = 1 << (period & 31);
      const bits = this.#active[word] as number;
      if ((bits & bit) !== 0) continue;
      this.#active[word] = bits | bit;
      const cell = cohort * count + period;
      this.#counts[cell] = (this.#counts[cell] as number) + 1;
    }
  }

  counted(): Retention['cohorts'] {
    const { count } = this.#periods;
    return this.#sizes.map((people, cohort) => ({
      people,
      active: [...this.#counts.subarray(cohort * count + cohort, (cohort + 1) * count)],
    }));
  }
}
