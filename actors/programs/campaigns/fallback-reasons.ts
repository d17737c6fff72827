// Why people got no fallback: the first reason of each person who was sent it on no channel. Beside
// the statuses of people, which keep what the primary pass led to.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { PagedBytes, type PagedBytesSnapshot } from '../../../engine/base/paged-bytes.ts';

/** Codes of reasons are bytes. */
const reasonsMax = 255;

export interface FallbackReasonsSnapshot {
  readonly why: PagedBytesSnapshot;
  readonly counts: readonly (readonly [string, number])[];
}

export class FallbackReasons {
  /** Its index in `#counts`, plus 1. */
  #why = new PagedBytes();
  /** Reasons keep their index even at 0. */
  readonly #counts = new Map<string, number>();

  suppress(person: PersonOrdinal, reason: string): void {
    if (this.#why.get(person) !== 0) return;
    if (!this.#counts.has(reason) && this.#counts.size < reasonsMax) this.#counts.set(reason, 0);
    const place = [...this.#counts.keys()].indexOf(reason);
    this.#put(person, place < 0 ? reasonsMax : place + 1);
  }

  /** A person is sent it on some channel after all. */
  sent(person: PersonOrdinal): void {
    this.#put(person, 0);
  }

  /** `isSent`: one of the two was sent it. */
  merge(from: PersonOrdinal, into: PersonOrdinal, isSent: boolean): void {
    const theirs = this.#why.get(from);
    this.#put(from, 0);
    if (isSent) this.#put(into, 0);
    else if (this.#why.get(into) === 0) this.#put(into, theirs);
  }

  counts(): readonly (readonly [string, number])[] {
    return [...this.#counts].filter(([, people]) => people > 0);
  }

  snapshot(): FallbackReasonsSnapshot {
    return { why: this.#why.snapshot(), counts: [...this.#counts] };
  }

  static restore({ why, counts }: FallbackReasonsSnapshot): FallbackReasons {
    const reasons = new FallbackReasons();
    reasons.#why = PagedBytes.restore(why);
    for (const [reason, people] of counts) reasons.#counts.set(reason, people);
    return reasons;
  }

  #put(person: PersonOrdinal, place: number): void {
    const before = this.#why.get(person);
    if (before === place) return;
    this.#why.set(person, place);
    const names = [...this.#counts.keys()];
    for (const [at, more] of [
      [before, -1],
      [place, 1],
    ] as const) {
      const name = names[at - 1];
      if (name !== undefined) this.#counts.set(name, (this.#counts.get(name) ?? 0) + more);
    }
  }
}
