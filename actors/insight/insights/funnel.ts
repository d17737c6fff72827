// People who did a series of events, each strictly later than the previous one, all within a time
// of the first. Any occurrence of the first event may be the start. The result is exact: of all
// ways to reach a step, the one with the latest start is kept, because if any way can still be in
// time for the next step, that one can. Test sends are not counted. Days are read one
// after the other, so that a person's events come in order of time although files do not keep it.

import { dayMs, hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../storage/checkpoint.ts';
import { dayOf } from '../../../storage/history.ts';
import { isByMachine } from '../../events/log/machine-mark.ts';
import { noPerson, SeenPeople } from '../../events/read/seen-people.ts';
import type { EventSink, StoredWalk } from '../../events/read/stored-walk.ts';
import { DayRows } from './day-rows.ts';
import type { EventFunnel, Facts, Question } from './protocol.ts';
import { isOfTest, mayBeOfTest } from './test-sends.ts';

type Asked = Extract<Question, { kind: 'insight.funnel' }>;

/**
 * Rows of history that are sorted together, eight bytes each; a larger day is read in parts, by
 * person.
 */
const funnelRowsMax = 8_388_608;

/** Answers `insight.funnel`. `rowsMax` is for tests. */
export function funnel(
  { steps, withinHours }: Pick<Asked, 'steps' | 'withinHours'>,
  facts: Facts,
  walk: StoredWalk,
  rowsMax = funnelRowsMax,
): EventFunnel {
  const fromMs = facts.nowMs - facts.span * dayMs;
  const names = [...new Set(steps)];
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const mayBeTest = names.map(mayBeOfTest);
  const people = new SeenPeople(facts);
  const rowsInto =
    (rowsOf: (person: PersonOrdinal, atMs: Millis) => DayRows | undefined): EventSink =>
    (events, from, to) => {
      for (let row = from; row < to; row++) {
        const name = indexOf.get(events.name(row));
        if (name === undefined || (mayBeTest[name] === true && isOfTest(events, row))) continue;
        if (isByMachine(names[name] as string, events, row)) continue;
        const person = people.of(events.person(row));
        const atMs = events.atMs(row);
        if (person !== noPerson && atMs > fromMs) rowsOf(person, atMs)?.add(person, atMs, name);
      }
    };

  const tails = new Map<number, DayRows>();
  walk.tail(
    rowsInto((_person, atMs) => {
      const day = dayOf(atMs);
      let rows = tails.get(day);
      if (rows === undefined) tails.set(day, (rows = new DayRows(day)));
      return rows;
    }),
  );
  const wanted = { fromMs, names };
  const files = filesByDay(walk.filesFrom(wanted));
  const progress = new Progress(
    names.map((name) =>
      steps.reduce((mask, step, i) => (step === name ? mask | (1 << i) : mask), 0),
    ),
    steps.length,
    withinHours === undefined ? Number.POSITIVE_INFINITY : withinHours * hourMs,
  );
  for (const day of [...new Set([...files.keys(), ...tails.keys()])].sort((a, b) => a - b)) {
    const listed = files.get(day) ?? [];
    const stored = listed.reduce((sum, { count }) => sum + count, 0);
    const parts = Math.max(1, Math.ceil(stored / rowsMax));
    for (let part = 0; part < parts; part++) {
      const isOfPart = (person: PersonOrdinal) => person % parts === part;
      const rows = new DayRows(day);
      walk.files(
        listed,
        wanted,
        rowsInto((person) => (isOfPart(person) ? rows : undefined)),
      );
      const tail = tails.get(day) ?? new DayRows(day);
      for (let row = 0; row < tail.count; row++) {
        const person = tail.person(row);
        if (isOfPart(person)) rows.add(person, tail.atMs(row), tail.name(row));
      }
      rows.sort();
      progress.go(rows);
    }
    tails.delete(day);
  }
  return {
    steps: steps.map((event, step) => ({ event, ...progress.at(step) })),
  };
}

function filesByDay(files: readonly HistoryFile[]): ReadonlyMap<number, readonly HistoryFile[]> {
  const days = new Map<number, HistoryFile[]>();
  for (const file of files) {
    const ofDay = days.get(file.day);
    if (ofDay === undefined) days.set(file.day, [file]);
    else ofDay.push(file);
  }
  return days;
}

/**
 * The progress of all people: for each person who did the first step and each step but the last,
 * the start of the best way there and when it got there; 16 bytes per person and step.
 */
class Progress {
  /** By name: its steps, as bits. */
  readonly #stepsOf: readonly number[];
  readonly #steps: number;
  readonly #withinMs: Millis;
  /** By person: their place plus one; 0 for people without one. */
  #placeOf = new Uint32Array(1024);
  #places = 0;
  /** Times by place and step; 0 for none. */
  #began: Float64Array;
  #came: Float64Array;
  /** By place: the number of steps reached. */
  #depth = new Uint8Array(256);
  /** By step: the time from the previous one, of each person the first time. */
  readonly #gaps: readonly GapList[];
  #first = 0;

  constructor(stepsOf: readonly number[], steps: number, withinMs: Millis) {
    this.#stepsOf = stepsOf;
    this.#steps = steps;
    this.#withinMs = withinMs;
    this.#began = new Float64Array(256 * (steps - 1));
    this.#came = new Float64Array(256 * (steps - 1));
    this.#gaps = Array.from({ length: steps }, () => new GapList());
  }

  /** Adds a day's sorted rows. Days come in order. */
  go(rows: DayRows): void {
    for (let row = 0; row < rows.count; ) {
      const person = rows.person(row);
      const atMs = rows.atMs(row);
      let mask = 0;
      // An event is not later than another one in the same millisecond.
      for (; row < rows.count && rows.person(row) === person && rows.atMs(row) === atMs; row++)
        mask |= this.#stepsOf[rows.name(row)] as number;
      this.#happened(person, atMs, mask);
    }
  }

  /** How many people reached a step, and the median time from the previous one. */
  at(step: number): { readonly count: number; readonly medianMs: Millis | null } {
    if (step === 0) return { count: this.#first, medianMs: null };
    const gaps = this.#gaps[step] as GapList;
    return { count: gaps.count, medianMs: gaps.median() };
  }

  #happened(person: PersonOrdinal, atMs: Millis, mask: number): void {
    let place = (this.#placeOf[person] ?? 0) - 1;
    if (place < 0) {
      if ((mask & 1) === 0) return;
      place = this.#add(person);
      this.#first++;
    }
    const base = place * (this.#steps - 1);
    // From the last step to the first, so that one event is not two steps at once.
    for (let step = this.#steps - 1; step > 0; step--) {
      if ((mask & (1 << step)) === 0) continue;
      const beganMs = this.#began[base + step - 1] as number;
      if (beganMs === 0 || atMs - beganMs > this.#withinMs) continue;
      if ((this.#depth[place] as number) <= step) {
        this.#depth[place] = step + 1;
        this.#gaps[step]?.add(atMs - (this.#came[base + step - 1] as number));
      }
      if (step < this.#steps - 1) {
        this.#began[base + step] = beganMs;
        this.#came[base + step] = atMs;
      }
    }
    if ((mask & 1) === 0) return;
    this.#began[base] = atMs;
    this.#came[base] = atMs;
    if (this.#depth[place] === 0) this.#depth[place] = 1;
  }

  #add(person: PersonOrdinal): number {
    const place = this.#places++;
    if (person >= this.#placeOf.length) {
      const larger = new Uint32Array(Math.max(person + 1, this.#placeOf.length * 2));
      larger.set(this.#placeOf);
      this.#placeOf = larger;
    }
    this.#placeOf[person] = place + 1;
    if (place >= this.#depth.length) {
      const places = this.#depth.length * 2;
      const depth = new Uint8Array(places);
      depth.set(this.#depth);
      this.#depth = depth;
      this.#began = grown(this.#began, places * (this.#steps - 1));
      this.#came = grown(this.#came, places * (this.#steps - 1));
    }
    return place;
  }
}

/** Durations, for their median. */
class GapList {
  #gaps = new Float64Array(64);
  count = 0;

  add(gapMs: Millis): void {
    if (this.count === this.#gaps.length) this.#gaps = grown(this.#gaps, this.#gaps.length * 2);
    this.#gaps[this.count++] = gapMs;
  }

  /** The median; `null` without values. */
  median(): Millis | null {
    const { count } = this;
    if (count === 0) return null;
    const sorted = this.#gaps.subarray(0, count).sort();
    return ((sorted[(count - 1) >> 1] as number) + (sorted[count >> 1] as number)) / 2;
  }
}

function grown(array: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(length);
  larger.set(array);
  return larger;
}
