// People handed to dispatch together on one channel of an occurrence. A row is a person with
// exactly one device there; the entry that settles it takes it out.

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
  /** Shared by the ids of its sends; kept because the campaign may be deleted. */
  readonly sendParts: IdParts;
  /** Those in flight, ascending. */
  readonly people: Uint32Array;
  readonly isHeld?: boolean;
  readonly relay?: string | undefined;
  /** It finds out whether that relay takes messages again; absent in earlier checkpoints. */
  readonly probes?: boolean | undefined;
}

export class Wave {
  readonly id: number;
  readonly campaignId: string;
  readonly occurrence: number;
  readonly phase: Phase;
  /** Index in the catalog. */
  readonly channel: number;
  readonly atMs: Millis;
  readonly sendParts: IdParts;
  /** Ascending, settled rows included. */
  readonly people: Uint32Array;
  readonly #isBack: Uint8Array;
  open: number;
  /** Set by a restore that gives up what was in flight. */
  isHeld: boolean;
  /** By which it leaves, where its channel has relays. */
  readonly relay: string | undefined;
  /** It finds out whether that relay takes messages again. */
  readonly probes: boolean;

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
    this.relay = from.relay;
    this.probes = from.probes ?? false;
  }

  isOpenAt(row: number): boolean {
    return row < this.people.length && this.#isBack[row] === 0;
  }

  /** The row of a person in flight, or -1. */
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

  /** Takes a row out; false if it was not in flight. */
  takeBack(person: PersonOrdinal): boolean {
    const row = this.find(person);
    if (row < 0) return false;
    this.#isBack[row] = 1;
    this.open--;
    return true;
  }

  inFlight(): Uint32Array {
    const people = new Uint32Array(this.open);
    let count = 0;
    this.people.forEach((person, row) => {
      if (this.isOpenAt(row)) people[count++] = person;
    });
    return people;
  }

  snapshot(): WaveSnapshot {
    const { id, campaignId, occurrence, phase, channel, atMs, sendParts, relay, probes } = this;
    const by = relay === undefined ? {} : { relay, ...(probes ? { probes } : {}) };
    const held = this.isHeld ? { isHeld: true } : {};
    const people = this.inFlight();
    return { id, campaignId, occurrence, phase, channel, atMs, sendParts, people, ...held, ...by };
  }
}
