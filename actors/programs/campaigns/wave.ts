// People handed to dispatch together, on one channel of one occurrence: what is in flight by name.
// A row is one person with exactly one device there; it is taken out once, by the entry that says
// what became of it.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { IdParts } from '../../../engine/base/id.ts';
import type { Phase } from '../../sending/dispatch/entries.ts';

export interface WaveSnapshot {
  readonly id: number;
  readonly campaignId: string;
  readonly occurrence: number;
  readonly phase: Phase;
  readonly channel: number;
  readonly atMs: Millis;
  /** What the ids of its sends share, though the campaign may be deleted. */
  readonly sendParts: IdParts;
  /** Those still in flight, ascending. */
  readonly people: Uint32Array;
  readonly isHeld?: boolean;
}

export class Wave {
  readonly id: number;
  readonly campaignId: string;
  readonly occurrence: number;
  readonly phase: Phase;
  /** In the catalogue's order. */
  readonly channel: number;
  readonly atMs: Millis;
  readonly sendParts: IdParts;
  /** Ascending; also those that came back. */
  readonly people: Uint32Array;
  readonly #isBack: Uint8Array;
  open: number;
  /** Set by a restore that gives up what was in flight. */
  isHeld: boolean;

  constructor(from: WaveSnapshot) {
    this.id = from.id;
    this.campaignId = from.campaignId;
    this.occurrence = from.occurrence;
    this.phase = from.phase;
    this.channel = from.channel;
    this.atMs = from.atMs;
    this.sendParts = from.sendParts;
    this.people = from.people;
    this.#isBack = new Uint8Array(from.people.length);
    this.open = from.people.length;
    this.isHeld = from.isHeld ?? false;
  }

  /** Whether the row at a place is in flight. */
  isOpenAt(row: number): boolean {
    return row < this.people.length && this.#isBack[row] === 0;
  }

  /** The place of somebody's row that is in flight; -1 for none. */
  find(person: PersonOrdinal): number {
    let low = 0;
    let high = this.people.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.people[middle] as number;
      if (found === person) return this.isOpenAt(middle) ? middle : -1;
      if (found < person) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The row of a person is back; false where it was not out. */
  takeBack(person: PersonOrdinal): boolean {
    const row = this.find(person);
    if (row < 0) return false;
    this.#isBack[row] = 1;
    this.open--;
    return true;
  }

  /** Those in flight, ascending. */
  inFlight(): Uint32Array {
    const people = new Uint32Array(this.open);
    let count = 0;
    this.people.forEach((person, row) => {
      if (this.isOpenAt(row)) people[count++] = person;
    });
    return people;
  }

  snapshot(): WaveSnapshot {
    const { id, campaignId, occurrence, phase, channel, atMs, sendParts } = this;
    const held = this.isHeld ? { isHeld: true } : {};
    const people = this.inFlight();
    return { id, campaignId, occurrence, phase, channel, atMs, sendParts, people, ...held };
  }
}
