// Gathers the mails of one turn of the event loop into few calls, for services that take several in
// one. A mail waits for the end of its turn at most, and never for another turn.

import { atTickEnd } from '../../../engine/thread/tick-end.ts';
import type { MayBegin } from '../port/adapter.ts';
import type { Failure, Outcome } from '../port/outcome.ts';

/**
 * One call for all items, in their order. Asks `mayBegin` right before the first byte; if that says
 * no, it sends nothing and what it returns does not matter.
 */
type GatheredCall<Item> = (items: readonly Item[], mayBegin: MayBegin) => Promise<Gathered>;

/**
 * An outcome for each item; `undefined` for one that was not sent because of the others: it goes
 * again without those that have an outcome. Or one failure of the whole call, of which the service
 * took nothing: if it is `permanent`, some item is to blame, which is found by halves.
 */
export type Gathered = readonly (Outcome | undefined)[] | Failure;

/** An item of a call that was not made, because its send was recalled. */
const recalledOutcome: Outcome = { outcome: 'retry', reason: 'recalled' };

/**
 * Calls have at most `itemsMax` items, and together at most `sizeMax`, in the unit of the sizes
 * that `add` is given. A larger item has a call of its own.
 */
export class Gather<Item> {
  readonly #call: GatheredCall<Item>;
  readonly #itemsMax: number;
  readonly #sizeMax: number;
  readonly #open = new Map<string, OpenCall<Item>>();

  constructor(call: GatheredCall<Item>, itemsMax: number, sizeMax = Number.POSITIVE_INFINITY) {
    this.#call = call;
    this.#itemsMax = itemsMax;
    this.#sizeMax = sizeMax;
  }

  /** Its outcome. Only items of equal keys share a call; rejects as the call does. */
  add(key: string, item: Item, size = 0, mayBegin?: MayBegin): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      let open = this.#open.get(key);
      if (open !== undefined && open.size + size > this.#sizeMax) {
        this.#leave(key, open);
        open = undefined;
      }
      if (open === undefined) {
        open = { waiting: [], size: 0 };
        this.#open.set(key, open);
        if (this.#open.size === 1) atTickEnd(this.#leaveAll);
      }
      open.waiting.push({ item, mayBegin, resolve, reject });
      open.size += size;
      if (open.waiting.length >= this.#itemsMax) this.#leave(key, open);
    });
  }

  readonly #leaveAll = (): void => {
    for (const [key, open] of this.#open) this.#leave(key, open);
  };

  #leave(key: string, open: OpenCall<Item>): void {
    this.#open.delete(key);
    void this.#send(open.waiting);
  }

  /** Until a call has left, or nothing is left to send. Never rejects. */
  async #send(all: readonly Waiting<Item>[]): Promise<void> {
    let left = all;
    while (left.length > 0) {
      const sent = left;
      let staying: ReadonlySet<Waiting<Item>> = new Set();
      const mayBegin = () => {
        staying = new Set(sent.filter((one) => one.mayBegin?.() === false));
        return staying.size === 0;
      };
      try {
        const gathered = await this.#call(
          sent.map(({ item }) => item),
          mayBegin,
        );
        if (staying.size === 0) {
          if ('outcome' in gathered) return await this.#refused(sent, gathered);
          left = settled(sent, gathered);
          continue;
        }
      } catch (error) {
        for (const { reject } of sent) reject(error);
        return;
      }
      // Those that stay must not hold back the others.
      for (const { resolve } of staying) resolve(recalledOutcome);
      left = sent.filter((one) => !staying.has(one));
    }
  }

  async #refused(sent: readonly Waiting<Item>[], failed: Failure): Promise<void> {
    if (failed.outcome !== 'permanent' || sent.length === 1) {
      for (const { resolve } of sent) resolve(failed);
      return;
    }
    const half = Math.ceil(sent.length / 2);
    await Promise.all([this.#send(sent.slice(0, half)), this.#send(sent.slice(half))]);
  }
}

/** The items that go again. */
function settled<Item>(
  sent: readonly Waiting<Item>[],
  outcomes: readonly (Outcome | undefined)[],
): readonly Waiting<Item>[] {
  const again = sent.filter((_, index) => outcomes[index] === undefined);
  // Each call must end one item at least.
  if (outcomes.length !== sent.length || again.length === sent.length)
    throw new Error('a call lacks the outcome of an item');
  for (const [index, { resolve }] of sent.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined) resolve(outcome);
  }
  return again;
}

interface OpenCall<Item> {
  readonly waiting: Waiting<Item>[];
  size: number;
}

interface Waiting<Item> {
  readonly item: Item;
  readonly mayBegin: MayBegin | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}
