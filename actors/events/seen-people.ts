// Maps the person that a stored event carries to the person in an insight's answer: follows merges,
// and hides erased people and those outside the audience.

import { Bitset } from '../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';

/** `of` gives this for a person whose events must not be seen. */
export const noPerson = -1;

export class SeenPeople {
  readonly #gone = new Bitset();
  readonly #audience: Bitset | undefined;
  /** By alias: the current person plus one; 0 for a person who is no alias. */
  readonly #into: Uint32Array;

  constructor({ erased, audience, merged = new Uint32Array() }: SeenFacts) {
    for (const person of erased) this.#gone.set(person);
    this.#audience = audience && Bitset.restore(audience);
    // Aliases ascend, so the last pair has the greatest.
    this.#into = new Uint32Array((merged[merged.length - 2] ?? -1) + 1);
    for (let i = 0; i < merged.length; i += 2)
      this.#into[merged[i] as PersonOrdinal] = (merged[i + 1] as PersonOrdinal) + 1;
  }

  /** Whether every event may be seen. */
  get isEverybody(): boolean {
    return this.#audience === undefined && this.#gone.isEmpty();
  }

  /** The current person of an event, or `noPerson`. */
  of(stored: PersonOrdinal): PersonOrdinal | typeof noPerson {
    const into = this.#into[stored] ?? 0;
    const person = into === 0 ? stored : into - 1;
    if (this.#audience?.test(person) === false) return noPerson;
    return this.#gone.test(person) ? noPerson : person;
  }
}

interface SeenFacts {
  readonly erased: readonly PersonOrdinal[];
  /** A snapshot of a bitset; without it everyone. */
  readonly audience?: Uint8Array;
  /** Pairs of an alias and the person, aliases ascending. */
  readonly merged?: Uint32Array;
}
