// How many entries each of many groups put into something they share, by the hour of the put, so
// that none of them takes all of it.

const minutesOfHour = 60;

export class HourlyShares {
  /** By hour, then by group. */
  readonly #hours = new Map<number, Map<number, number>>();
  readonly #totals = new Map<number, number>();

  /** Entries of a group; those of the oldest hour count until all of it is dropped. */
  of(group: number): number {
    return this.#totals.get(group) ?? 0;
  }

  /** Without the hours that end at or before a minute. At most as many steps as there are hours. */
  since(minute: number, group: number): number {
    let count = this.of(group);
    for (const [hour, counts] of this.#hours)
      if (hasEnded(hour, minute)) count -= counts.get(group) ?? 0;
    return count;
  }

  add(group: number, minute: number): void {
    const hour = Math.floor(minute / minutesOfHour);
    let counts = this.#hours.get(hour);
    if (counts === undefined) {
      counts = new Map();
      this.#hours.set(hour, counts);
    }
    counts.set(group, (counts.get(group) ?? 0) + 1);
    this.#totals.set(group, this.of(group) + 1);
  }

  /** Drops the hours that end at or before a minute. */
  drop(minute: number): void {
    for (const [hour, counts] of this.#hours) {
      if (!hasEnded(hour, minute)) continue;
      this.#hours.delete(hour);
      for (const [group, count] of counts) {
        const left = this.of(group) - count;
        if (left === 0) this.#totals.delete(group);
        else this.#totals.set(group, left);
      }
    }
  }

  clear(): void {
    this.#hours.clear();
    this.#totals.clear();
  }
}

function hasEnded(hour: number, minute: number): boolean {
  return (hour + 1) * minutesOfHour <= minute;
}
