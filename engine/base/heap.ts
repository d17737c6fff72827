// A binary heap of 32-bit numbers. The owner orders them and learns positions, so that it can
// remove any. An item's key must not change while in the heap.

import { assert } from './assert.ts';

interface HeapOrder {
  /** A strict total order: whether `first` comes out first. */
  before(first: number, second: number): boolean;
  /** `item` is now at `position`. */
  moved(item: number, position: number): void;
}

export class Heap {
  readonly #order: HeapOrder;
  #items = new Uint32Array(16);
  #count = 0;

  constructor(order: HeapOrder) {
    this.#order = order;
  }

  get count(): number {
    return this.#count;
  }

  get first(): number | undefined {
    return this.#count === 0 ? undefined : this.#items[0];
  }

  /** O(log n), and O(1) for an item after most others. */
  push(item: number): void {
    if (this.#count === this.#items.length) {
      const grown = new Uint32Array(this.#count * 2);
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#rise(this.#count++, item);
  }

  /** At `position` as last reported by `moved`; O(log n). */
  removeAt(position: number): void {
    assert(position < this.#count, 'heap: no item at that position');
    const last = this.#items[--this.#count] as number;
    if (position === this.#count) return;
    const removed = this.#items[position] as number;
    if (this.#order.before(last, removed)) this.#rise(position, last);
    else this.#sink(position, last);
  }

  /** The first `limit` items in order, without removing them; O(limit · log limit). */
  leading(limit: number): number[] {
    const out: number[] = [];
    if (this.#count === 0 || limit <= 0) return out;
    const items = this.#items;
    const frontier = new Heap({
      before: (first, second) =>
        this.#order.before(items[first] as number, items[second] as number),
      moved: () => {},
    });
    frontier.push(0);
    while (out.length < limit) {
      const position = frontier.first;
      if (position === undefined) break;
      frontier.removeAt(0);
      out.push(items[position] as number);
      const child = position * 2 + 1;
      if (child < this.#count) frontier.push(child);
      if (child + 1 < this.#count) frontier.push(child + 1);
    }
    return out;
  }

  #rise(position: number, item: number): void {
    let at = position;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      const above = this.#items[parent] as number;
      if (!this.#order.before(item, above)) break;
      this.#put(at, above);
      at = parent;
    }
    this.#put(at, item);
  }

  #sink(position: number, item: number): void {
    let at = position;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.#count) break;
      const right = child + 1;
      if (
        right < this.#count &&
        this.#order.before(this.#items[right] as number, this.#items[child] as number)
      ) {
        child = right;
      }
      const below = this.#items[child] as number;
      if (!this.#order.before(below, item)) break;
      this.#put(at, below);
      at = child;
    }
    this.#put(at, item);
  }

  #put(position: number, item: number): void {
    this.#items[position] = item;
    this.#order.moved(item, position);
  }
}
