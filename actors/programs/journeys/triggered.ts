// The people that events without proof enrolled in a journey in the current hour of UTC. Anyone can
// send such an event, so it enrolls a person once an hour: the journey may send a text message.

import { Bitset } from '../../../engine/base/bitset.ts';
import { type Bytes, hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';

export interface TriggeredSnapshot {
  readonly hour: number;
  readonly people: Uint8Array;
}

export class Triggered {
  #hour = 0;
  #people = new Bitset(0);

  get byteLength(): Bytes {
    return this.#people.byteLength;
  }

  has(person: PersonOrdinal, nowMs: Millis): boolean {
    return this.#hour === Math.floor(nowMs / hourMs) && this.#people.test(person);
  }

  note(person: PersonOrdinal, atMs: Millis): void {
    const hour = Math.floor(atMs / hourMs);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#people = new Bitset(0);
    }
    this.#people.set(person);
  }

  /** Adds the people of another journey, if its hour is not over here. */
  takeOver(replaced: Triggered): void {
    if (replaced.#hour < this.#hour) return;
    if (replaced.#hour > this.#hour) this.#people = new Bitset(0);
    this.#hour = replaced.#hour;
    this.#people.or(replaced.#people);
  }

  forget(person: PersonOrdinal): void {
    this.#people.clear(person);
  }

  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    if (this.#people.test(from)) this.#people.set(into);
    this.#people.clear(from);
  }

  snapshot(): TriggeredSnapshot {
    return { hour: this.#hour, people: this.#people.snapshot() };
  }

  /** Checkpoints of older versions have none. */
  static restore(from: TriggeredSnapshot | undefined): Triggered {
    const triggered = new Triggered();
    if (from === undefined) return triggered;
    triggered.#hour = from.hour;
    triggered.#people = Bitset.restore(from.people);
    return triggered;
  }
}
