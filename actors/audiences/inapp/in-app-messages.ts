// An app's in-app messages in memory, with five sets of people each: one bit per person and beacon,
// however often a beacon comes. A beacon that names no message of the app is an ordinary event.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { WeighedMap } from '../../weight.ts';
import { countedNames } from '../segments/evaluate.ts';
import { conditionCount } from '../segments/filter.ts';
import type { InAppCounts, InAppRecord } from './protocol.ts';

const beaconNames = {
  inapp_viewed: 'viewed',
  inapp_clicked: 'clicked',
  inapp_dismissed: 'dismissed',
  inbox_read: 'read',
  inbox_archived: 'archived',
} as const;

export type Beacon = (typeof beaconNames)[keyof typeof beaconNames];
const beacons = Object.values(beaconNames);
const beaconOf: ReadonlyMap<string, Beacon> = new Map(Object.entries(beaconNames));

/** Checkpoints of earlier builds have no `archived`. */
export interface InAppSnapshot extends Readonly<Record<Exclude<Beacon, 'archived'>, Uint8Array>> {
  readonly record: InAppRecord;
  readonly archived?: Uint8Array;
}

interface Kept {
  readonly record: InAppRecord;
  /** Whether its filter counts events; cached, because every feed asks. */
  readonly isCounting: boolean;
  /** Of its filter; 0 without one. */
  readonly conditions: number;
  readonly people: Readonly<Record<Beacon, CountedPeople>>;
}

export class InAppMessages {
  readonly #byId = new WeighedMap<Kept>(({ record }) => record);

  /** What their records weigh. */
  get bytes(): Bytes {
    return this.#byId.bytes;
  }

  growth(record: InAppRecord): Bytes {
    return this.#byId.growth(record.id, record);
  }

  get size(): number {
    return this.#byId.size;
  }

  /** In the order of their creation. */
  *records(): Generator<InAppRecord> {
    for (const { record } of this.#byId.values()) yield record;
  }

  *dueAt(nowMs: Millis): Generator<InAppRecord> {
    for (const { record } of this.#byId.values()) if (isDue(record, nowMs)) yield record;
  }

  *countingAt(nowMs: Millis): Generator<InAppRecord> {
    for (const { record, isCounting } of this.#byId.values())
      if (isCounting && isDue(record, nowMs)) yield record;
  }

  /** Conditions tried to find who the due messages are for. */
  conditionsAt(nowMs: Millis): number {
    let conditions = 0;
    for (const kept of this.#byId.values())
      if (isDue(kept.record, nowMs)) conditions += kept.conditions;
    return conditions;
  }

  get(id: string): InAppRecord | undefined {
    return this.#byId.get(id)?.record;
  }

  /** Zeros for an unknown id. */
  countsOf(id: string): InAppCounts {
    const people = this.#byId.get(id)?.people;
    return perBeacon((beacon) => people?.[beacon].count ?? 0);
  }

  has(id: string, beacon: Beacon, person: PersonOrdinal): boolean {
    return this.#byId.get(id)?.people[beacon].has(person) ?? false;
  }

  /** The id of an in-app message that shows this saved message. */
  userOf(messageId: string): string | undefined {
    for (const { id, messageId: used } of this.records()) if (used === messageId) return id;
    return undefined;
  }

  save(record: InAppRecord): void {
    const kept = this.#byId.get(record.id);
    // Keeps its place in the order.
    this.#byId.set(record.id, keptOf(record, kept?.people ?? perBeacon(() => new CountedPeople())));
  }

  delete(id: string): void {
    this.#byId.delete(id);
  }

  /** The beacon of each name; `undefined` if none is one, or the app has no messages. */
  beaconsAmong(names: readonly string[]): readonly (Beacon | undefined)[] | undefined {
    if (this.#byId.size === 0 || !names.some((name) => beaconOf.has(name))) return undefined;
    return names.map((name) => beaconOf.get(name));
  }

  /** Folds a beacon of a person who exists. */
  note(beacon: Beacon, id: string | undefined, person: PersonOrdinal): void {
    if (id !== undefined) this.#byId.get(id)?.people[beacon].add(person);
  }

  forget(person: PersonOrdinal): void {
    for (const { people } of this.#byId.values())
      for (const beacon of beacons) people[beacon].remove(person);
  }

  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    for (const { people } of this.#byId.values()) {
      for (const beacon of beacons) {
        if (people[beacon].remove(from)) people[beacon].add(into);
      }
    }
  }

  snapshot(): InAppSnapshot[] {
    return [...this.#byId.values()].map(({ record, people }) => ({
      record,
      ...perBeacon((beacon) => people[beacon].snapshot()),
    }));
  }

  static restore(from: readonly InAppSnapshot[]): InAppMessages {
    const messages = new InAppMessages();
    for (const { record, ...sets } of from) {
      const people = perBeacon((beacon) => CountedPeople.restore(sets[beacon]));
      messages.#byId.set(record.id, keptOf(record, people));
    }
    return messages;
  }
}

function isDue({ startMs, endMs }: InAppRecord, nowMs: Millis): boolean {
  return (startMs === undefined || startMs <= nowMs) && (endMs === undefined || nowMs < endMs);
}

function keptOf(record: InAppRecord, people: Kept['people']): Kept {
  const { filter } = record;
  const isCounting = filter !== undefined && countedNames(filter).length > 0;
  return { record, isCounting, conditions: conditionCount(filter), people };
}

/** The order of members is that of a snapshot. */
function perBeacon<Value>(make: (beacon: Beacon) => Value): Readonly<Record<Beacon, Value>> {
  return {
    viewed: make('viewed'),
    clicked: make('clicked'),
    dismissed: make('dismissed'),
    read: make('read'),
    archived: make('archived'),
  };
}

/** Knows its count: a list of messages shows four counts each. */
class CountedPeople {
  #set = new Bitset(32);
  count = 0;

  has(person: PersonOrdinal): boolean {
    return this.#set.test(person);
  }

  add(person: PersonOrdinal): void {
    if (this.#set.test(person)) return;
    this.#set.set(person);
    this.count++;
  }

  remove(person: PersonOrdinal): boolean {
    if (!this.#set.test(person)) return false;
    this.#set.clear(person);
    this.count--;
    return true;
  }

  snapshot(): Uint8Array {
    return this.#set.snapshot();
  }

  static restore(snapshot: Uint8Array | undefined): CountedPeople {
    const people = new CountedPeople();
    if (snapshot === undefined) return people;
    people.#set = Bitset.restore(snapshot);
    people.count = people.#set.count();
    return people;
  }
}
