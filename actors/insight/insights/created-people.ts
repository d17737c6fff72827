// When each person was created, read from a snapshot of the column in place. Restoring it into a
// column would use column memory, which belongs to the shards' threads and is freed only by garbage
// collection.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Facts } from './protocol.ts';

export class CreatedPeople {
  /** All ordinals are below it. */
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

  /** When a person was created; 0 for a deleted one. */
  at(person: PersonOrdinal): Millis {
    const seconds = this.#seconds[person];
    if (seconds === undefined) return this.#sparse.get(person) ?? 0;
    return seconds === 0 ? 0 : seconds * 1000 + (this.#millis[person] as number);
  }
}
