// When each person came, read from a snapshot of the column where it lies. Not restored into a
// column: that would take column memory, which belongs to the shards' threads and comes back only
// with the garbage.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Facts } from './protocol.ts';

export class CreatedPeople {
  /** Ordinals are below it. */
  readonly next: PersonOrdinal;
  readonly #seconds: Uint32Array;
  readonly #millis: Uint16Array;
  readonly #sparse: ReadonlyMap<PersonOrdinal, Millis>;

  constructor({ created }: Pick<Facts, 'created'>) {
    const { seconds, millis, sparse } = created?.column ?? {};
    this.next = created?.next ?? 0;
    this.#seconds = seconds ?? new Uint32Array();
    this.#millis = millis ?? new Uint16Array();
    this.#sparse = new Map(sparse);
  }

  /** When a person came; 0 for one who is not there any more. */
  at(person: PersonOrdinal): Millis {
    const seconds = this.#seconds[person];
    if (seconds === undefined) return this.#sparse.get(person) ?? 0;
    return seconds === 0 ? 0 : seconds * 1000 + (this.#millis[person] as number);
  }
}
