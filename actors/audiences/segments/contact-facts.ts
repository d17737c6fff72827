// What marketing policy needs of a person beside `Traits.reach`: time zone, preferred channels,
// channels with several devices, channels with an opted-out address. By column, so that a decision
// reads no record. A fold of the same entry as the traits.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { Column } from '../../../engine/columns/column.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import type { ContactChange } from './records.ts';

export interface ContactFactsSnapshot {
  /** By code, from 1. */
  readonly zones: readonly string[];
  readonly zoneOf: Uint16Array;
  readonly preferred: Uint16Array;
  readonly several: readonly Uint8Array[];
  readonly optedOut: readonly Uint8Array[];
}

/** IANA names, and by person the place of theirs from 1; 0 or absent for none. */
export interface ZonesOfPeople {
  readonly names: readonly string[];
  readonly codeOf: Uint16Array;
}

/** There are fewer zones than codes: names come in canonical form. */
/** By person; channels as bits. Zones by code, from 1 on. */
interface NewContacts {
  readonly zones?: { readonly values: readonly string[]; readonly codes: Uint16Array };
  readonly preferred?: Uint16Array;
  readonly several?: Uint16Array;
  readonly optedOut?: Uint16Array;
}

export class ContactFacts {
  readonly #zones: string[] = [];
  readonly #codeOf = new Map<string, number>();
  readonly #zoneOf = new Column<Uint16Array>(2);
  readonly #preferred = new Column<Uint16Array>(2);
  readonly #several = channelIds.map(() => new Bitset(0));
  readonly #optedOut = channelIds.map(() => new Bitset(0));

  /** 0 without a zone; else a code for `zoneName`. */
  zoneCode(person: PersonOrdinal): number {
    return this.#zoneOf.values[person] ?? 0;
  }

  /** One more than the greatest code. */
  get zoneCodes(): number {
    return this.#zones.length + 1;
  }

  zoneName(code: number): string | undefined {
    return this.#zones[code - 1];
  }

  /** A copy. */
  zonesOfPeople(): ZonesOfPeople {
    return { names: [...this.#zones], codeOf: this.#zoneOf.trimmed() };
  }

  /** One bit per channel; 0 for no preference. */
  preferred(person: PersonOrdinal): number {
    return this.#preferred.values[person] ?? 0;
  }

  /** Whether a person has more than one enabled device on a channel. */
  hasSeveral(person: PersonOrdinal, channel: number): boolean {
    return this.#several[channel]?.test(person) ?? false;
  }

  /** Whether a person has an enabled device on a channel whose address opted out. */
  hasOptedOut(person: PersonOrdinal, channel: number): boolean {
    return this.#optedOut[channel]?.test(person) ?? false;
  }

  /** People with such a device on a channel. Do not change it. */
  optedOutOn(channel: number): Bitset | undefined {
    return this.#optedOut[channel];
  }

  change(person: PersonOrdinal, { zone, preferred, several, optedOut }: ContactChange): void {
    if (zone !== undefined) put(this.#zoneOf, person, zone === null ? 0 : this.#code(zone));
    if (preferred !== undefined) put(this.#preferred, person, preferred);
    if (several !== undefined) spread(this.#several, person, several);
    if (optedOut !== undefined) spread(this.#optedOut, person, optedOut);
  }

  /** Sets the facts of people who have none yet. */
  addAll(people: Uint32Array, { zones, preferred, several, optedOut }: NewContacts): void {
    const zoneCodes = zones?.values.map((zone) => this.#code(zone));
    for (let i = 0; i < people.length; i++) {
      const person = people[i] as PersonOrdinal;
      const zone = zones?.codes[i] ?? 0;
      if (zone > 0) put(this.#zoneOf, person, zoneCodes?.[zone - 1] as number);
      if (preferred?.[i]) put(this.#preferred, person, preferred[i] as number);
      if (several?.[i]) spread(this.#several, person, several[i] as number);
      if (optedOut?.[i]) spread(this.#optedOut, person, optedOut[i] as number);
    }
  }

  forget(person: PersonOrdinal): void {
    this.change(person, { zone: null, preferred: 0, several: 0, optedOut: 0 });
  }

  snapshot(): ContactFactsSnapshot {
    return {
      zones: [...this.#zones],
      zoneOf: this.#zoneOf.trimmed(),
      preferred: this.#preferred.trimmed(),
      several: this.#several.map((set) => set.snapshot()),
      optedOut: this.#optedOut.map((set) => set.snapshot()),
    };
  }

  static restore(from: ContactFactsSnapshot): ContactFacts {
    const facts = new ContactFacts();
    for (const zone of from.zones) facts.#code(zone);
    facts.#zoneOf.fill(from.zoneOf);
    facts.#preferred.fill(from.preferred);
    from.several.forEach((bytes, channel) => {
      facts.#several[channel] = Bitset.restore(bytes);
    });
    from.optedOut.forEach((bytes, channel) => {
      facts.#optedOut[channel] = Bitset.restore(bytes);
    });
    return facts;
  }

  #code(zone: string): number {
    let code = this.#codeOf.get(zone);
    if (code === undefined) {
      code = this.#zones.push(zone);
      this.#codeOf.set(zone, code);
    }
    return code;
  }
}

function put(column: Column<Uint16Array>, person: PersonOrdinal, value: number): void {
  if (value === 0 && person >= column.values.length) return;
  column.reach(person);
  column.values[person] = value;
}

function spread(sets: readonly Bitset[], person: PersonOrdinal, channels: number): void {
  sets.forEach((set, channel) => {
    if ((channels & (1 << channel)) !== 0) set.set(person);
    else set.clear(person);
  });
}
