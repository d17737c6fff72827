// People by their last event, the number of events, and their value. Each quintile ends at an
// existing value, and equal values are in the same quintile: its edge is the value at rank ⌈i·n/5⌉,
// ascending. So ties make quintiles unequal, but never ambiguous.

import { dayMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { countsAsActivity } from '../../events/ingest/names.ts';
import { isByMachine } from '../../events/log/machine-mark.ts';
import type { StoredEvents } from '../../events/log/stored-events.ts';
import { noPerson, SeenPeople } from '../../events/read/seen-people.ts';
import type { StoredWalk } from '../../events/read/stored-walk.ts';
import { ExactSums } from './exact-sums.ts';
import { type Facts, type Question, quintiles, type Rfm } from './protocol.ts';

type Asked = Extract<Question, { kind: 'insight.rfm' }>;

/** Answers `insight.rfm`. */
export function rfm(
  { event, valueProp }: Pick<Asked, 'event' | 'valueProp'>,
  facts: Facts,
  walk: StoredWalk,
): Rfm {
  const fromMs = facts.nowMs - facts.span * dayMs;
  const isAsked = event === undefined ? countsAsActivity : (name: string) => name === event;
  const habits = new Habits(valueProp);
  const people = new SeenPeople(facts);
  const wanted = { fromMs, ...(event === undefined ? {} : { names: [event] }) };
  walk.all(wanted, (events, from, to) => {
    for (let row = from; row < to; row++) {
      const name = events.name(row);
      if (!isAsked(name) || isByMachine(name, events, row)) continue;
      const person = people.of(events.person(row));
      const atMs = events.atMs(row);
      if (person !== noPerson && atMs > fromMs) habits.add(person, atMs, events, row);
    }
  });
  return habits.table();
}

/**
 * The edges of ascending values: the last value of each quintile except the last; empty without
 * values.
 */
export function edgesOf(ascending: Float64Array): readonly number[] {
  const { length } = ascending;
  if (length === 0) return [];
  return Array.from(
    { length: quintiles - 1 },
    (_, i) => ascending[Math.ceil(((i + 1) * length) / quintiles) - 1] as number,
  );
}

/** The quintile of a value, from 1: after every lower edge. */
export function quintileOf(value: number, edges: readonly number[]): number {
  let quintile = 1;
  for (const edge of edges) if (edge < value) quintile++;
  return quintile;
}

/** Figures by ordinal of the person. */
class Habits {
  readonly #sums: ExactSums | undefined;
  readonly #prop: string;
  /** The property as JSON usually writes it: props without this text need not be parsed. */
  readonly #written: string;
  #lastMs = new Float64Array(1024);
  #times = new Uint32Array(1024);
  #people = 0;

  constructor(valueProp: string | undefined) {
    this.#prop = valueProp ?? '';
    this.#written = JSON.stringify(this.#prop);
    this.#sums = valueProp === undefined ? undefined : new ExactSums();
  }

  add(person: PersonOrdinal, atMs: Millis, events: StoredEvents, row: number): void {
    if (person >= this.#times.length) this.#grow(person + 1);
    if (this.#times[person] === 0) this.#people++;
    this.#times[person] = (this.#times[person] as number) + 1;
    if (atMs > (this.#lastMs[person] as number)) this.#lastMs[person] = atMs;
    if (this.#sums === undefined) return;
    const json = events.propsJson(row);
    if (json === undefined || !(json.includes(this.#written) || json.includes('\\'))) return;
    const props = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const value = Object.hasOwn(props, this.#prop) ? props[this.#prop] : undefined;
    if (typeof value === 'number') this.#sums.add(person, value);
  }

  table(): Rfm {
    const last = new Float64Array(this.#people);
    const often = new Float64Array(this.#people);
    const active: PersonOrdinal[] = [];
    this.#times.forEach((times, person) => {
      if (times === 0) return;
      last[active.length] = this.#lastMs[person] as number;
      often[active.length] = times;
      active.push(person);
    });
    const recencyEdges = edgesOf(last.sort());
    const frequencyEdges = edgesOf(often.sort());
    const cells = Array.from({ length: quintiles * quintiles }, () => 0);
    const cellOf = (person: PersonOrdinal) =>
      (quintileOf(this.#lastMs[person] as number, recencyEdges) - 1) * quintiles +
      quintileOf(this.#times[person] as number, frequencyEdges) -
      1;
    for (const person of active) {
      const cell = cellOf(person);
      cells[cell] = (cells[cell] as number) + 1;
    }
    const values = this.#sums?.grouped(active, cellOf, cells.length);
    return {
      people: this.#people,
      recencyEdges,
      frequencyEdges,
      cells: cells.map((people, cell) => ({
        recency: Math.floor(cell / quintiles) + 1,
        frequency: (cell % quintiles) + 1,
        people,
        ...(values === undefined ? {} : { value: values[cell] as number }),
      })),
    };
  }

  #grow(people: number): void {
    const length = Math.max(people, this.#times.length * 2);
    const lastMs = new Float64Array(length);
    lastMs.set(this.#lastMs);
    this.#lastMs = lastMs;
    const times = new Uint32Array(length);
    times.set(this.#times);
    this.#times = times;
  }
}
