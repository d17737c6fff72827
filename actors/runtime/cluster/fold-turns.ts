// A thread that loses many partitions at once folds them anew one after the other, and rests
// between two as long as one took: its other partitions take turns meanwhile, and keep their
// leases.

import { type Millis, secondMs } from '../../../engine/base/brand.ts';
import type { MemberTime } from './ports.ts';

const restMsMax: Millis = 2 * secondMs;

export class FoldTurns {
  readonly #time: Pick<MemberTime, 'wait'>;
  #last: Promise<void> = Promise.resolve();
  #tookMs: Millis = 0;

  constructor(time: Pick<MemberTime, 'wait'>) {
    this.#time = time;
  }

  /** Resolves once the next fold may run. */
  next(): Promise<void> {
    const turn = this.#last;
    // How long this one takes is known when its turn is over.
    this.#last = turn.then(() => this.#time.wait(0)).then(() => this.#rest());
    return turn;
  }

  /** How long the last fold kept the thread. */
  took(ms: Millis): void {
    this.#tookMs = ms;
  }

  #rest(): Promise<void> {
    return this.#time.wait(Math.min(this.#tookMs, restMsMax));
  }
}
