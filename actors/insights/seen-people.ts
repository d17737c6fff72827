// Whose events an insight may see, and who they are of. The one place where the ordinal that an event carries becomes a
// person of the answer: an erased one becomes nobody.

import { Bitset } from '../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import type { Facts } from './protocol.ts';

/** What `of` gives for somebody whose events are not to be seen. */
export const nobody = -1;

export class SeenPeople {
  readonly #gone = new Bitset();
  readonly #audience: Bitset | undefined;

  constructor({ erased, audience }: Pick<Facts, 'erased' | 'audience'>) {
    for (const person of erased) this.#gone.set(person);
    this.#audience = audience && Bitset.restore(audience);
  }

  /** Whether every event may be seen, so that nobody has to be looked at. */
  get isEverybody(): boolean {
    return this.#audience === undefined && this.#gone.isEmpty();
  }

  /** The person that an event is of, or `nobody`: for one who was erased, or is outside the audience that was asked for. */
  of(person: PersonOrdinal): PersonOrdinal | typeof nobody {
    if (this.#audience?.test(person) === false) return nobody;
    return this.#gone.test(person) ? nobody : person;
  }
}
