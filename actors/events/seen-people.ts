// Whose events an insight may see, and who they are of. The one place where the ordinal that an
// event carries becomes a person of the answer: one that was merged into somebody becomes that
// person, and an erased one nobody.

import { Bitset } from '../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';

/** What `of` gives for somebody whose events are not to be seen. */
export const nobody = -1;

export class SeenPeople {
  readonly #gone = new Bitset();
  readonly #audience: Bitset | undefined;
  /** By alias: the person they are now, plus one; 0 for who is no alias. */
  readonly #into: Uint32Array;

  constructor({ erased, audience, merged = new Uint32Array() }: SeenFacts) {
    for (const person of erased) this.#gone.set(person);
    this.#audience = audience && Bitset.restore(audience);
    // Aliases ascend, so the last pair has the greatest.
    this.#into = new Uint32Array((merged[merged.length - 2] ?? -1) + 1);
    for (let i = 0; i < merged.length; i += 2)
      this.#into[merged[i] as PersonOrdinal] = (merged[i + 1] as PersonOrdinal) + 1;
  }

  /** Whether every event may be seen, so that nobody has to be looked at. */
  get isEverybody(): boolean {
    return this.#audience === undefined && this.#gone.isEmpty();
  }

  /**
   * The person that an event is of, or `nobody`: for one who was erased, or is outside the audience
   * that was asked for.
   */
  of(stored: PersonOrdinal): PersonOrdinal | typeof nobody {
    const into = this.#into[stored] ?? 0;
    const person = into === 0 ? stored : into - 1;
    if (this.#audience?.test(person) === false) return nobody;
    return this.#gone.test(person) ? nobody : person;
  }
}

interface SeenFacts {
  readonly erased: readonly PersonOrdinal[];
  /** A snapshot of a bitset; everybody where it is left out. */
  readonly audience?: Uint8Array;
  /** Pairs of an alias and the person, aliases ascending. */
  readonly merged?: Uint32Array;
}
