// Everything of an app's people that a filter can ask about, by column. A fold: the same changes in the same order give the
// same columns. What a reader would get wrong: it keeps no events and no records, only what answers filters exactly.

import { Bitset } from '../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { TagValue } from '../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../channels/catalog.ts';
import { countsAsActivity } from '../events/names.ts';
import { EventTimes, type EventTimesSnapshot } from './event-times.ts';
import { LastSeen, type LastSeenSnapshot } from './last-seen.ts';
import { TagColumn, type TagColumnSnapshot } from './tag-column.ts';

export interface TraitsSnapshot {
  readonly next: PersonOrdinal;
  readonly alive: Uint8Array;
  readonly created: LastSeenSnapshot;
  readonly activity: LastSeenSnapshot;
  readonly reach: readonly Uint8Array[];
  readonly tags: readonly (readonly [string, TagColumnSnapshot])[];
  readonly events: readonly (readonly [string, LastSeenSnapshot])[];
  readonly times: readonly (readonly [string, EventTimesSnapshot])[];
}

/** See the head of this file. */
export class Traits {
  /** The ordinal that the next new person gets. */
  next: PersonOrdinal = 0;
  /** Who is there and was not erased. */
  alive = new Bitset();
  created = new LastSeen();
  activity = new LastSeen();
  /** By the catalogue's order of channels: who has an enabled device whose identity is not suppressed. */
  readonly reach: Bitset[] = channelIds.map(() => new Bitset());
  readonly tags = new Map<string, TagColumn>();
  readonly events = new Map<string, LastSeen>();
  /** Only of names that a saved filter counts. */
  readonly times = new Map<string, EventTimes>();

  addPerson(person: PersonOrdinal, createdMs: Millis): void {
    this.next = Math.max(this.next, person + 1);
    this.alive.set(person);
    this.created.touch(person, createdMs, this.next);
  }

  /** Everything of a person goes; the ordinal stays used. */
  erase(person: PersonOrdinal): void {
    this.alive.clear(person);
    this.created.forget(person);
    this.activity.forget(person);
    for (const channel of this.reach) channel.clear(person);
    for (const [tag, column] of this.tags) this.#setTag(tag, column, person, null);
    for (const column of this.events.values()) column.forget(person);
    for (const column of this.times.values()) column.forget(person);
  }

  /** What one person did counts as another's from now on, and nothing of the first is left. Tags and reach are told apart. */
  merge(from: PersonOrdinal, into: PersonOrdinal, nowMs: Millis): void {
    if (!this.alive.test(from) || !this.alive.test(into)) return;
    const older = Math.min(this.created.at(from), this.created.at(into));
    this.created.forget(into);
    this.created.touch(into, older, this.next);
    for (const column of [this.activity, ...this.events.values()])
      column.touch(into, column.at(from), this.next);
    for (const column of this.times.values())
      for (const atMs of column.instantsOf(from)) column.add(into, atMs, nowMs);
    this.erase(from);
  }

  /** Tags that changed; `null` is one that was removed. */
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

  /** The channels that a person is reachable on now. */
  setReach(person: PersonOrdinal, channels: ReadonlySet<ChannelId>): void {
    channelIds.forEach((channel, index) => {
      const set = this.reach[index] as Bitset;
      if (channels.has(channel)) set.set(person);
      else set.clear(person);
    });
  }

  /** An event of a person; one of somebody who was erased leaves nothing. */
  track(person: PersonOrdinal, name: string, atMs: Millis, nowMs: Millis): void {
    this.tracker(name)(person, atMs, nowMs);
  }

  /** The same for many events of one name, whose columns are then looked up once. Good for one entry. */
  tracker(name: string): (person: PersonOrdinal, atMs: Millis, nowMs: Millis) => void {
    let column = this.events.get(name);
    if (column === undefined) {
      column = new LastSeen();
      this.events.set(name, column);
    }
    const seen = column;
    const times = this.times.get(name);
    const activity = countsAsActivity(name) ? this.activity : undefined;
    return (person, atMs, nowMs) => {
      if (!this.alive.test(person)) return;
      seen.touch(person, atMs, this.next);
      activity?.touch(person, atMs, this.next);
      times?.add(person, atMs, nowMs);
    };
  }

  snapshot(): TraitsSnapshot {
    const { next } = this;
    return {
      next,
      alive: this.alive.snapshot(),
      created: this.created.snapshot(),
      activity: this.activity.snapshot(),
      reach: this.reach.map((set) => set.snapshot()),
      tags: [...this.tags].map(([tag, column]) => [tag, column.snapshot()]),
      events: [...this.events].map(([name, column]) => [name, column.snapshot()]),
      times: [...this.times].map(([name, column]) => [name, column.snapshot()]),
    };
  }

  static restore(from: TraitsSnapshot): Traits {
    const traits = new Traits();
    traits.next = from.next;
    traits.alive = Bitset.restore(from.alive);
    traits.created = LastSeen.restore(from.created);
    traits.activity = LastSeen.restore(from.activity);
    from.reach.forEach((bytes, index) => {
      traits.reach[index] = Bitset.restore(bytes);
    });
    for (const [tag, column] of from.tags) traits.tags.set(tag, TagColumn.restore(column));
    for (const [name, column] of from.events) traits.events.set(name, LastSeen.restore(column));
    for (const [name, column] of from.times) traits.times.set(name, EventTimes.restore(column));
    return traits;
  }

  /** A tag that nobody has any more takes no memory. */
  #setTag(tag: string, column: TagColumn, person: PersonOrdinal, value: TagValue | null): void {
    column.set(person, value);
    if (value === null && column.isEmpty) this.tags.delete(tag);
  }
}
