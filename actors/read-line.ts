// The line in front of a shard's reading threads: orgs take turns, so that one that lists and
// exports all day delays another by one read at most.

import { slotOf } from '../engine/actor/placement.ts';
import { type Millis, type Ordinal, secondMs } from '../engine/base/brand.ts';
import { FairLine } from '../engine/base/fair-line.ts';
import { FaultError } from '../engine/base/fault.ts';
import { fault } from './faults.ts';

const waitingMax = 1_024;
const waitingOfOrgMax = 256;
/** How long a read may wait; its caller hardly waits longer. */
const waitMs: Millis = 30 * secondMs;

export class ReadLine {
  readonly #line: FairLine;

  /** `after` runs a task later and returns a function that cancels it. */
  constructor(threads: number, after: (ms: Millis, task: () => void) => () => void) {
    this.#line = new FairLine({
      runningMax: threads,
      runningOfOwnerMax: threads,
      waitingMax,
      waitingOfOwnerMax: waitingOfOrgMax,
      waitMs,
      after,
    });
  }

  /** Runs a read in the turn of the app's org. Throws `overloaded` if it does not come in time. */
  run<Found>(app: Ordinal, read: () => Promise<Found>): Promise<Found> {
    return new Promise((resolve, reject) => {
      this.#line.enter({
        owner: slotOf(app),
        part: app,
        begin: (end) => void read().then(resolve, reject).finally(end),
        refuse: () => reject(new FaultError(busy)),
      });
    });
  }
}

const busy = fault(
  'overloaded',
  'too many reads are waiting; nothing was done and it is safe to retry',
  { retryAfterSeconds: 5 },
);
