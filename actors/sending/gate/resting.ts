// Addresses that rest after soft bounces: marketing is not sent to them, receipts are. A fold. In
// the order of their rests, whose ends nearly always come in the same order.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';

interface Rest {
  readonly person: PersonOrdinal;
  readonly untilMs: Millis;
}

export type RestingSnapshot = readonly (readonly [deviceId: string, PersonOrdinal, Millis])[];

export class Resting {
  readonly #rests = new Map<string, Rest>();
  readonly #people = new Map<PersonOrdinal, Set<string>>();

  get isEmpty(): boolean {
    return this.#rests.size === 0;
  }

  /** Forgets rests that are over; one that ends now is. */
  rest(person: PersonOrdinal, deviceId: string, untilMs: Millis, nowMs: Millis): void {
    for (const [id, known] of this.#rests) {
      if (known.untilMs > nowMs) break;
      this.#drop(id, known.person);
    }
    if (untilMs > nowMs) this.#put(deviceId, { person, untilMs });
    else this.#drop(deviceId, person);
  }

  /** When the rest of an address ends; `undefined` if it does not rest. */
  untilOfDevice(deviceId: string, nowMs: Millis): Millis | undefined {
    const untilMs = this.#rests.get(deviceId)?.untilMs ?? 0;
    return untilMs > nowMs ? untilMs : undefined;
  }

  restsDevice(deviceId: string, nowMs: Millis): boolean {
    return this.untilOfDevice(deviceId, nowMs) !== undefined;
  }

  /** When the rest of some address of a person ends; `undefined` if none rests. */
  untilOf(person: PersonOrdinal, nowMs: Millis): Millis | undefined {
    const ends = [...(this.#people.get(person) ?? [])].map((id) => this.#rests.get(id)?.untilMs);
    const last = Math.max(...ends.map((untilMs) => untilMs ?? 0));
    return last > nowMs ? last : undefined;
  }

  forget(person: PersonOrdinal): void {
    for (const id of this.#people.get(person) ?? []) this.#rests.delete(id);
    this.#people.delete(person);
  }

  /** Rests are off. */
  clear(): void {
    this.#rests.clear();
    this.#people.clear();
  }

  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    for (const id of [...(this.#people.get(from) ?? [])]) {
      const known = this.#rests.get(id);
      if (known !== undefined) this.#rests.set(id, { ...known, person: into });
      this.#of(into).add(id);
    }
    this.#people.delete(from);
  }

  rebase(stamp: (atMs: Millis) => Millis): void {
    for (const [id, known] of this.#rests)
      this.#rests.set(id, { ...known, untilMs: stamp(known.untilMs) });
  }

  snapshot(): RestingSnapshot {
    return [...this.#rests].map(([id, { person, untilMs }]) => [id, person, untilMs]);
  }

  static restore(from: RestingSnapshot = []): Resting {
    const resting = new Resting();
    for (const [id, person, untilMs] of from) resting.#put(id, { person, untilMs });
    return resting;
  }

  #put(deviceId: string, rest: Rest): void {
    this.#rests.delete(deviceId);
    this.#rests.set(deviceId, rest);
    this.#of(rest.person).add(deviceId);
  }

  #drop(deviceId: string, person: PersonOrdinal): void {
    this.#rests.delete(deviceId);
    const theirs = this.#people.get(person);
    theirs?.delete(deviceId);
    if (theirs?.size === 0) this.#people.delete(person);
  }

  #of(person: PersonOrdinal): Set<string> {
    let theirs = this.#people.get(person);
    if (theirs === undefined) {
      theirs = new Set();
      this.#people.set(person, theirs);
    }
    return theirs;
  }
}
