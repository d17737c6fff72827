// Group commit in the client: as many runs at once as there are lanes, and what arrives while all
// of them are busy waits and goes together. With `itemsMax` 1 it is a plain queue in front of a
// pool. One that fails fails only its own items.

/** How a batcher runs. */
interface BatcherOptions<Item, Result> {
  /** Runs at once. */
  readonly lanes: number;
  /** The most that one run takes. */
  readonly itemsMax: number;
  /** Handles items together; one result for each, in order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Takes items one by one and hands them to `run` in groups. */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** The result of `item`, once the run that it went with is over. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running < this.#options.lanes) void this.#lane();
    });
  }

  async #lane(): Promise<void> {
    this.#running++;
    const { itemsMax, run } = this.#options;
    await Promise.resolve(); // what the same tick adds goes along
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, itemsMax);
      try {
        const results = await run(group.map(({ item }) => item));
        group.forEach(({ resolve }, i) => {
          resolve(results[i] as Result);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#running--;
  }
}
