// The few things of most people out of many, in one pass and without sorting all of them.

interface Used {
  readonly people: number;
}

/** Most people first; where equally many, by name. */
export class MostUsed<Item extends Used> {
  readonly items: Item[] = [];
  readonly #most: number;
  readonly #nameOf: (item: Item) => string;

  constructor(most: number, nameOf: (item: Item) => string) {
    this.#most = most;
    this.#nameOf = nameOf;
  }

  offer(item: Item): void {
    const { items } = this;
    let low = 0;
    let high = items.length;
    const last = items[high - 1];
    if (high === this.#most && (last === undefined || !this.#isBefore(item, last))) return;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(item, items[middle] as Item)) high = middle;
      else low = middle + 1;
    }
    items.splice(low, 0, item);
    if (items.length > this.#most) items.pop();
  }

  /** Whether so many people are surely among them; cheaper than offers that names decide. */
  takes(people: number): boolean {
    const last = this.items[this.#most - 1];
    return last === undefined || people > last.people;
  }

  #isBefore(one: Item, other: Item): boolean {
    if (one.people !== other.people) return one.people > other.people;
    return this.#nameOf(one) < this.#nameOf(other);
  }
}
