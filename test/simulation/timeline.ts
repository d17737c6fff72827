// Virtual time: one queue of future events, run one at a time in one thread. Time moves only when
// an event is taken, so a virtual day costs what its events cost. Two events at one instant run in
// the order they were planned in: nothing about a run depends on anything but its seed.

import { Heap } from '../../engine/base/heap.ts';

/** The queue of what will happen, and the monotonic clock that it drives. */
export class Timeline {
  /** Monotonic virtual milliseconds since the world began; may have a fraction. */
  nowMs = 0;
  /** Events run so far. */
  executed = 0;
  #planned = 0;
  readonly #dueMs: number[] = [];
  readonly #order: number[] = [];
  readonly #tasks: ((() => void) | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #heap = new Heap({
    before: (first, second) => {
      const firstMs = this.#dueMs[first] as number;
      const secondMs = this.#dueMs[second] as number;
      if (firstMs !== secondMs) return firstMs < secondMs;
      return (this.#order[first] as number) < (this.#order[second] as number);
    },
    moved: () => {},
  });

  /** How many events are still to come. */
  get pending(): number {
    return this.#heap.count;
  }

  /** The instant of the next event; infinity when nothing is planned. */
  get nextMs(): number {
    const { first } = this.#heap;
    return first === undefined ? Number.POSITIVE_INFINITY : (this.#dueMs[first] as number);
  }

  /** Plans a task `delayMs` from now; a negative delay counts as none. */
  after(delayMs: number, task: () => void): void {
    const slot = this.#free.pop() ?? this.#tasks.length;
    this.#dueMs[slot] = this.nowMs + Math.max(0, delayMs);
    this.#order[slot] = this.#planned++;
    this.#tasks[slot] = task;
    this.#heap.push(slot);
  }

  /** Takes the next event, moves time to it and runs it. False when there is none. */
  step(): boolean {
    const slot = this.#heap.first;
    if (slot === undefined) return false;
    this.#heap.removeAt(0);
    const task = this.#tasks[slot] as () => void;
    this.#tasks[slot] = undefined;
    this.#free.push(slot);
    this.nowMs = this.#dueMs[slot] as number;
    this.executed++;
    task();
    return true;
  }
}
