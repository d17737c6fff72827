// An event's person in an insight: follows merges, hides people erased or outside the audience.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';

/** For people whose events must stay hidden. */
export const noPerson = -1;

export class SeenPeople {
  readonly #gone = new Bitset();
  readonly #audience: Bitset | undefined;
  /** By alias: the person plus one; 0 for no alias. */
  readonly #into: Uint32Array;

  constructor({ erased, audience, merged = new Uint32Array() }: SeenFacts) {
    for (const person of erased) this.#gone.set(person);
    this.#audience = audience && Bitset.restore(audience);
    // Aliases ascend, so the last pair has the greatest.
    this.#into = new Uint32Array((merged[merged.length - 2] ?? -1) + 1);
    for (let i = 0; i < merged.length; i += 2)
      this.#into[merged[i] as PersonOrdinal] = (merged[i + 1] as PersonOrdinal) + 1;
  }

  get isEverybody(): boolean {
    return this.#audience === undefined && this.#gone.isEmpty();
  }

  of(stored: PersonOrdinal): PersonOrdinal | typeof noPerson {
    const into = this.#into[stored] ?? 0;
    const person = into === 0 ? stored : into - 1;
    if (this.#audience?.test(person) === false) return noPerson;
    return this.#gone.test(person) ? noPerson : person;
  }
}

interface SeenFacts {
  readonly erased: readonly PersonOrdinal[];
  /** A bitset's snapshot; default everyone. */
  readonly audience?: Uint8Array;
  /** Pairs of alias and person, aliases ascending. */
  readonly merged?: Uint32Array;
}
