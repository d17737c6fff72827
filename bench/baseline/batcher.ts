// Group commit in the client: `lanes` runs at once; items that arrive meanwhile go together. With
// `itemsMax` 1 it is a plain queue before a pool. A failed run fails only its own items.

interface BatcherOptions<Item, Result> {
  readonly lanes: number;
  /** Per run. */
  readonly itemsMax: number;
  /** One result per item, in order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** The item's result, once its run is over. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running < this.#options.lanes) void this.#lane();
    });
  }

  async #lane(): Promise<void> {
    this.#running++;
    const { itemsMax, run } = this.#options;
    await Promise.resolve(); // include items of the same tick
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
