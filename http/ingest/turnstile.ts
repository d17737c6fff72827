// Bounds how many large bodies are read at once: each may take 8 MiB plus its values. Others wait
// in order, compressed, at most 1 MiB each; when too many wait, calls are refused as overloaded.

import { fault } from '../../actors/faults.ts';
import { FaultError } from '../../engine/base/fault.ts';

export class Turnstile {
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places: number, waitingMax: number) {
    this.#free = places;
    this.#waitingMax = waitingMax;
  }

  /** Works when a place is free. Throws `overloaded` when too many wait. */
  async pass<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.length < this.#waitingMax)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else {
      throw new FaultError(
        fault(
          'overloaded',
          'too many batches are being read; nothing was stored and it is safe to retry',
          {
            retryAfterSeconds: 1,
          },
        ),
      );
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
