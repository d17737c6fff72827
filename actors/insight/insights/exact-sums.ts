// Exact sums of events' values, independent of the order in which events are read: sums of binary
// fractions are not, and a checkpoint moves events to other files. A value is stored as whole units
// and millionths, so 0.1 and 0.2 make 0.3.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';

const millionths = 1_000_000;
/** Larger values are left out. Below, a person's sum is exact for nine thousand of the largest. */
const amountMax = 1e12;

export class ExactSums {
  #units = new Float64Array(1024);
  #millionths = new Float64Array(1024);

  /** Adds a value, rounded to millionths. */
  add(person: PersonOrdinal, value: number): void {
    if (!(Math.abs(value) <= amountMax)) return;
    if (person >= this.#units.length) this.#grow(person + 1);
    const units = Math.trunc(value);
    this.#units[person] = (this.#units[person] as number) + units;
    this.#millionths[person] =
      (this.#millionths[person] as number) + Math.round((value - units) * millionths);
  }

  /** The sums of groups of these people, rounded to the nearest number. */
  grouped(
    people: readonly PersonOrdinal[],
    groupOf: (person: PersonOrdinal) => number,
    groups: number,
  ): readonly number[] {
    const sums: bigint[] = new Array(groups).fill(0n);
    for (const person of people) {
      const group = groupOf(person);
      sums[group] =
        (sums[group] as bigint) +
        BigInt(this.#units[person] ?? 0) * BigInt(millionths) +
        BigInt(this.#millionths[person] ?? 0);
    }
    return sums.map(numberOf);
  }

  #grow(people: number): void {
    const length = Math.max(people, this.#units.length * 2);
    const units = new Float64Array(length);
    units.set(this.#units);
    this.#units = units;
    const parts = new Float64Array(length);
    parts.set(this.#millionths);
    this.#millionths = parts;
  }
}

/** Millionths as the nearest number, by way of decimal text: a division would round twice. */
function numberOf(sum: bigint): number {
  const digits = (sum < 0n ? -sum : sum).toString().padStart(7, '0');
  const value = Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
  return sum < 0n ? -value : value;
}
