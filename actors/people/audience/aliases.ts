// Which people of an app are one person. Every alias points directly at the current person, so a
// chain of merges costs one step; and a person's ordinals form a ring, so a merge swaps two places.
// Eight bytes a person from an app's first merge on. The ring's order depends on the order of
// merges, so results must not show it.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';

export class Aliases {
  /** How many ordinals are aliases. */
  count = 0;
  /** By person: the person they were merged into, plus one; 0 for none. */
  #into = new Uint32Array(0);
  /** By person: the next ordinal of the same person, plus one; 0 for a ring of one. */
  #next = new Uint32Array(0);

  get byteLength(): number {
    return this.#into.byteLength + this.#next.byteLength;
  }

  /** Makes `from` and its aliases aliases of `into`'s current person, unless they are already. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    const last = this.canonical(from);
    const first = this.canonical(into);
    if (last === first) return;
    this.#grow(Math.max(last, first));
    for (const person of [last, ...this.of(last)]) this.#into[person] = first + 1;
    const after = this.#nextOf(last);
    this.#next[last] = this.#nextOf(first) + 1;
    this.#next[first] = after + 1;
    this.count++;
  }

  canonical(person: PersonOrdinal): PersonOrdinal {
    const into = this.#into[person] ?? 0;
    return into === 0 ? person : into - 1;
  }

  /** The other ordinals of the same person, ascending. */
  of(person: PersonOrdinal): PersonOrdinal[] {
    const found: PersonOrdinal[] = [];
    for (let one = this.#nextOf(person); one !== person; one = this.#nextOf(one)) found.push(one);
    return found.sort((a, b) => a - b);
  }

  /** Removes one ordinal. Without the person themselves, all their aliases end. */
  forget(person: PersonOrdinal): void {
    const others = this.of(person);
    if (others.length === 0) return;
    if (this.#into[person] === 0) {
      for (const one of [person, ...others]) this.#into[one] = this.#next[one] = 0;
      this.count -= others.length;
      return;
    }
    const next = this.#nextOf(person);
    let before = next;
    while (this.#nextOf(before) !== person) before = this.#nextOf(before);
    this.#next[before] = before === next ? 0 : next + 1;
    this.#into[person] = this.#next[person] = 0;
    this.count--;
  }

  /** Pairs of alias and person. Equal aliases give equal pairs, whatever the order of merges. */
  pairs(): Uint32Array {
    const pairs = new Uint32Array(2 * this.count);
    let at = 0;
    for (let person = 0; at < pairs.length; person++) {
      const into = this.#into[person] as number;
      if (into === 0) continue;
      pairs[at++] = person;
      pairs[at++] = into - 1;
    }
    return pairs;
  }

  #nextOf(person: PersonOrdinal): PersonOrdinal {
    const next = this.#next[person] ?? 0;
    return next === 0 ? person : next - 1;
  }

  #grow(person: PersonOrdinal): void {
    if (person < this.#into.length) return;
    const length = Math.max(person + 1, this.#into.length * 2, 256);
    const into = new Uint32Array(length);
    into.set(this.#into);
    const next = new Uint32Array(length);
    next.set(this.#next);
    this.#into = into;
    this.#next = next;
  }
}
