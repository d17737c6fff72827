// When each person of an audience has the same local time; computed once per zone.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type LocalDelivery, localDelivery } from './local-time.ts';
import type { GateView } from './memory.ts';

export class LocalTimes {
  readonly #app: Pick<GateView, 'contact' | 'record'>;
  readonly #at: string;
  readonly #fromMs: Millis;
  readonly #known: (LocalDelivery | undefined)[] = [];

  /** The first `at` (`HH:mm`) at or after `fromMs`. */
  constructor(app: Pick<GateView, 'contact' | 'record'>, at: string, fromMs: Millis) {
    this.#app = app;
    this.#at = at;
    this.#fromMs = fromMs;
  }

  of(person: PersonOrdinal): LocalDelivery {
    const { contact, record } = this.#app;
    const code = contact.zoneCode(person);
    const known = this.#known[code];
    if (known !== undefined) return known;
    const zone = contact.zoneName(code) ?? record.timezone;
    const delivery = localDelivery(zone, this.#at, this.#fromMs);
    while (this.#known.length < code) this.#known.push(undefined);
    this.#known[code] = delivery;
    return delivery;
  }
}
