// Everything of an app's people that a filter can use, by column. A deterministic fold: it keeps no
// events and no records, only what answers filters exactly.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { countsAsActivity, deferral } from '../../events/ingest/names.ts';
import type { FactRows } from '../../events/log/fact-rows.ts';
import { LastSeen } from './last-seen.ts';
import { NewestTimes } from './newest-times.ts';
import type { LastSeenSnapshot } from './records.ts';
import { TagColumn, type TagColumnSnapshot } from './tag-column.ts';

export interface TraitsSnapshot {
  readonly next: PersonOrdinal;
  readonly alive: Uint8Array;
  readonly created: LastSeenSnapshot;
  readonly activity: LastSeenSnapshot;
  readonly reach: readonly Uint8Array[];
  readonly tags: readonly (readonly [string, TagColumnSnapshot])[];
  readonly events: readonly (readonly [string, LastSeenSnapshot])[];
  /** Absent before a retention was changed. */
  readonly goneBeforeMs?: Millis;
}

/** A counted name's times: whole once what came before the collecting was read. */
interface CountedName {
  readonly times: NewestTimes;
  isWhole: boolean;
}

export class Traits {
  /** The next new person's ordinal. */
  next: PersonOrdinal = 0;
  /** Events before this instant are gone, though the columns may hold their times. */
  goneBeforeMs: Millis = 0;
  /** People who exist and were not erased. */
  alive = new Bitset();
  created = new LastSeen();
  activity = new LastSeen();
  /** By channel in the catalog's order: people with an enabled, not suppressed device. */
  readonly reach: Bitset[] = channelIds.map(() => new Bitset());
  readonly tags = new Map<string, TagColumn>();
  readonly events = new Map<string, LastSeen>();
  /** Counted names. Derived from stored events, never written; see `counted-names.ts`. */
  readonly counted = new Map<string, CountedName>();

  addPerson(person: PersonOrdinal, createdMs: Millis): void {
    this.next = Math.max(this.next, person + 1);
    this.alive.set(person);
    this.created.touch(person, createdMs, this.next);
  }

  /** Removes all of a person; the ordinal stays used. */
  erase(person: PersonOrdinal): void {
    this.alive.clear(person);
    this.created.forget(person);
    this.activity.forget(person);
    for (const channel of this.reach) channel.clear(person);
    for (const [tag, column] of this.tags) this.#setTag(tag, column, person, null);
    for (const column of this.events.values()) column.forget(person);
    for (const { times } of this.counted.values()) times.forget(person);
  }

  /** Moves what `from` did to `into`, and erases `from`. Tags and reach have their own entries. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    if (!this.alive.test(from) || !this.alive.test(into)) return;
    const older = Math.min(this.created.at(from), this.created.at(into));
    this.created.forget(into);
    this.created.touch(into, older, this.next);
    for (const column of [this.activity, ...this.events.values()])
      column.touch(into, column.at(from), this.next);
    for (const { times } of this.counted.values()) times.addAll(times, from, into, this.next);
    this.erase(from);
  }

  /** Changed tags; `null` removes one. */
  setTags(person: PersonOrdinal, changed: Readonly<Record<string, TagValue | null>>): void {
    for (const [tag, value] of Object.entries(changed)) {
      let column = this.tags.get(tag);
      if (column === undefined) {
        if (value === null) continue;
        column = new TagColumn();
        this.tags.set(tag, column);
      }
      this.#setTag(tag, column, person, value);
    }
  }

  /** Values by code, from 1 on; with a code of 0 a person keeps theirs. */
  addTag(
    name: string,
    people: Uint32Array,
    { values, codes }: { readonly values: readonly TagValue[]; readonly codes: Uint16Array },
  ): void {
    const column = this.tags.get(name) ?? new TagColumn();
    this.tags.set(name, column);
    for (let i = 0; i < people.length; i++) {
      const code = codes[i] as number;
      if (code > 0) column.set(people[i] as number, values[code - 1] as TagValue, this.next);
    }
  }

  /** Of people who had none: channels as bits in the catalog's order. */
  addReach(people: Uint32Array, reach: Uint16Array): void {
    let all = 0;
    for (const channels of reach) all |= channels;
    for (const [index, channel] of this.reach.entries()) {
      const bit = 1 << index;
      if ((all & bit) === 0) continue;
      for (let i = 0; i < people.length; i++)
        if (((reach[i] as number) & bit) !== 0) channel.set(people[i] as number);
    }
  }

  setReach(person: PersonOrdinal, channels: ReadonlySet<ChannelId>): void {
    channelIds.forEach((channel, index) => {
      const set = this.reach[index] as Bitset;
      if (channels.has(channel)) set.set(person);
      else set.clear(person);
    });
  }

  /** People reachable on a channel. Do not change it. */
  reachOn(channel: ChannelId): Bitset {
    return this.reach[channelIds.indexOf(channel)] as Bitset;
  }

  /** Folds an event of a person; ignores erased people. */
  track(person: PersonOrdinal, name: string, atMs: Millis): void {
    if (!this.alive.test(person)) return;
    this.#seen(name).touch(person, atMs, this.next);
    if (countsAsActivity(name)) this.activity.touch(person, atMs, this.next);
    this.counted.get(name)?.times.add(person, atMs, this.next);
  }

  /**
   * The same for an entry's events, with one look-up per name. Ignores deferrals, and rows that are
   * left out.
   */
  trackAll(events: FactRows, isLeftOut: (row: number) => boolean = () => false): void {
    const { names } = events;
    const { alive, activity, next } = this;
    const seen = names.map((name) => this.events.get(name));
    const unasked = names.indexOf(deferral);
    const isActivity = names.map(countsAsActivity);
    const counted = names.map((name) => this.counted.get(name)?.times);
    for (let row = 0; row < events.count; row++) {
      const person = events.person(row);
      const name = events.nameIndex(row);
      if (name === unasked || !alive.test(person) || isLeftOut(row)) continue;
      const atMs = events.atMs(row);
      let column = seen[name];
      if (column === undefined) {
        column = this.#seen(names[name] as string);
        seen[name] = column;
      }
      column.touch(person, atMs, next);
      if (isActivity[name]) activity.touch(person, atMs, next);
      counted[name]?.add(person, atMs, next);
    }
  }

  /** Begins to keep so many times of a name from the next event on. They are not whole yet. */
  collect(name: string, kept: number): void {
    this.counted.set(name, { times: new NewestTimes(kept), isWhole: false });
  }

  /** Adds earlier times of the people [from, to). `canonical` follows merges made meanwhile. */
  fillIn(
    name: string,
    before: NewestTimes,
    from: PersonOrdinal,
    to: PersonOrdinal,
    canonical: (person: PersonOrdinal) => PersonOrdinal = (person) => person,
  ): void {
    const times = this.counted.get(name)?.times;
    for (let person = from; person < to; person++) {
      const whose = canonical(person);
      if (this.alive.test(whose)) times?.addAll(before, person, whose, this.next);
    }
  }

  becomeWhole(name: string): void {
    const counted = this.counted.get(name);
    if (counted !== undefined) counted.isWhole = true;
  }

  timesOf(name: string): NewestTimes | undefined {
    const counted = this.counted.get(name);
    return counted?.isWhole ? counted.times : undefined;
  }

  /** These columns with more counted names, to read for one question; copies nothing else. */
  withTimes(more: Iterable<readonly [name: string, times: NewestTimes]>): Traits {
    const counted = new Map(this.counted);
    for (const [name, times] of more) counted.set(name, { times, isWhole: true });
    return Object.create(this, { counted: { value: counted } });
  }

  snapshot(): TraitsSnapshot {
    const { next, goneBeforeMs } = this;
    return {
      next,
      ...(goneBeforeMs === 0 ? {} : { goneBeforeMs }),
      alive: this.alive.snapshot(),
      created: this.created.snapshot(),
      activity: this.activity.snapshot(),
      reach: this.reach.map((set) => set.snapshot()),
      tags: [...this.tags].map(([tag, column]) => [tag, column.snapshot()]),
      events: [...this.events].map(([name, column]) => [name, column.snapshot()]),
    };
  }

  static restore(from: TraitsSnapshot): Traits {
    const traits = new Traits();
    traits.next = from.next;
    traits.goneBeforeMs = from.goneBeforeMs ?? 0;
    traits.alive = Bitset.restore(from.alive);
    traits.created = LastSeen.restore(from.created);
    traits.activity = LastSeen.restore(from.activity);
    from.reach.forEach((bytes, index) => {
      traits.reach[index] = Bitset.restore(bytes);
    });
    for (const [tag, column] of from.tags) traits.tags.set(tag, TagColumn.restore(column));
    for (const [name, column] of from.events) traits.events.set(name, LastSeen.restore(column));
    return traits;
  }

  #seen(name: string): LastSeen {
    let column = this.events.get(name);
    if (column === undefined) {
      column = new LastSeen();
      this.events.set(name, column);
    }
    return column;
  }

  /** Drops a tag that nobody has any more. */
  #setTag(tag: string, column: TagColumn, person: PersonOrdinal, value: TagValue | null): void {
    column.set(person, value, this.next);
    if (value === null && column.isEmpty) this.tags.delete(tag);
  }
}
