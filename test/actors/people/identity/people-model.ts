// Who there is and what they did, kept in the most naive way: one object a person, and a merge that
// pours one into the other. The truth that random histories of logins, merges and erasures are
// compared with.

import type { ChannelId } from '../../../../actors/channels/channel-ids.ts';
import { countsAsActivity, countsInMonth } from '../../../../actors/events/ingest/names.ts';

/**
 * A person of the model. Somebody who was merged into another points there, and has nothing any
 * more.
 */
export interface ModelPerson {
  /** Every id that ever named them, the present one first. */
  ids: string[];
  externalUserId: string | null;
  tags: Record<string, string>;
  timezone: string | null;
  preferredChannels: ChannelId[] | null;
  createdMs: number;
  state: 'there' | 'erased' | ModelPerson;
}

interface ModelEvent {
  readonly name: string;
  readonly atMs: number;
  readonly who: ModelPerson;
}

/** One app. */
export class PeopleModel {
  readonly people: ModelPerson[] = [];
  /** By `channel endpoint`. */
  readonly devices = new Map<string, ModelPerson>();
  readonly #events: ModelEvent[] = [];

  create(id: string, externalUserId: string | null, atMs: number): ModelPerson {
    const person: ModelPerson = {
      ids: [id],
      externalUserId,
      tags: {},
      timezone: null,
      preferredChannels: null,
      createdMs: atMs,
      state: 'there',
    };
    this.people.push(person);
    return person;
  }

  /** Whom the record of somebody is now; `undefined` when they were erased. */
  now(person: ModelPerson): ModelPerson | undefined {
    if (typeof person.state === 'object') return this.now(person.state);
    return person.state === 'there' ? person : undefined;
  }

  known(externalUserId: string): ModelPerson | undefined {
    return this.there().find((person) => person.externalUserId === externalUserId);
  }

  there(): ModelPerson[] {
    return this.people.filter(({ state }) => state === 'there');
  }

  did(who: ModelPerson, name: string, atMs: number): void {
    this.#events.push({ name, atMs, who });
  }

  merge(from: ModelPerson, into: ModelPerson): void {
    into.tags = { ...from.tags, ...into.tags };
    into.timezone ??= from.timezone;
    into.preferredChannels ??= from.preferredChannels;
    into.createdMs = Math.min(into.createdMs, from.createdMs);
    into.ids.push(...from.ids);
    for (const [device, owner] of this.devices) if (owner === from) this.devices.set(device, into);
    from.state = into;
  }

  erase(person: ModelPerson): void {
    person.state = 'erased';
    for (const [device, owner] of this.devices) if (owner === person) this.devices.delete(device);
  }

  devicesOf(person: ModelPerson): string[] {
    return [...this.devices]
      .flatMap(([device, owner]) => (owner === person ? [device] : []))
      .sort();
  }

  /** Everything that people who are there did, newest first, under their present names. */
  events(
    of?: ModelPerson,
  ): { readonly name: string; readonly subscriberId: string; readonly atMs: number }[] {
    const found = this.#events.flatMap(({ name, atMs, who }) => {
      const person = this.now(who);
      if (person === undefined || (of !== undefined && person !== of)) return [];
      return [{ name, subscriberId: person.ids[0] as string, atMs }];
    });
    return found.reverse();
  }

  /**
   * People who count in the month's meter: erased ones too, each once whatever they were merged
   * from.
   */
  monthlyActive(): number {
    const last = (person: ModelPerson): ModelPerson =>
      typeof person.state === 'object' ? last(person.state) : person;
    return new Set(
      this.#events.flatMap(({ name, who }) => (countsInMonth(name) ? [last(who)] : [])),
    ).size;
  }

  lastActiveMs(person: ModelPerson): number | null {
    const times = this.events(person).flatMap(({ name, atMs }) =>
      countsAsActivity(name) ? [atMs] : [],
    );
    return times.length === 0 ? null : Math.max(...times);
  }
}
