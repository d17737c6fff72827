// Runs a shard's insights one at a time, so that a pool thread stays free for short reads. Orgs
// take turns, then their apps; an agency and its clients count as one org. An insight that takes
// too long is stopped.

import { type Millis, minuteMs } from '../engine/base/brand.ts';
import { FairLine, type FairLineRefusal } from '../engine/base/fair-line.ts';
import type { Fault } from '../engine/base/fault.ts';
import { StopFlag } from '../engine/thread/shared-word.ts';
import { fault } from './faults.ts';
import { type InsightTurn, type InsightTurns, insightLimitMs } from './insight-turn.ts';

/** Waiting questions of a shard, and of one org: a page of charts asks eight at once. */
const insightsWaitingMax = 64;
const waitingOfOrgMax = 16;
/** How long one may wait; its caller hardly waits longer. */
const insightWaitMs: Millis = minuteMs / 2;
const retryAfterSeconds = 5;

export class InsightQueue implements InsightTurns {
  readonly #after: (ms: Millis, task: () => void) => () => void;
  readonly #line: FairLine;
  #running: StopFlag | undefined;

  /** `after` runs a task later and returns a function that cancels it. */
  constructor(after: (ms: Millis, task: () => void) => () => void) {
    this.#after = after;
    this.#line = new FairLine({
      runningMax: 1,
      runningOfOwnerMax: 1,
      waitingMax: insightsWaitingMax,
      waitingOfOwnerMax: waitingOfOrgMax,
      waitMs: insightWaitMs,
      after,
    });
  }

  /** Calls `begin` in turn, or `refuse`: at once without a free place, or later. */
  enter(...[{ by, agency = by }, app, begin, refuse]: Parameters<InsightTurns['enter']>): void {
    this.#line.enter({
      owner: agency,
      part: app,
      begin: (end) => this.#begin(begin, end),
      refuse: (why) => refuse(refusals[why]),
    });
  }

  /** Stops the running insight and refuses those that wait. */
  stop(): void {
    this.#running?.set();
    this.#line.stop();
  }

  #begin(begin: (turn: InsightTurn) => void, end: () => void): void {
    const stop = new StopFlag();
    const forget = this.#after(insightLimitMs, () => stop.set());
    this.#running = stop;
    begin({
      stop,
      end: () => {
        if (this.#running === stop) this.#running = undefined;
        forget();
        end();
      },
    });
  }
}

const refusals: Readonly<Record<FairLineRefusal, Fault>> = {
  owner: fault(
    'overloaded',
    `at most ${waitingOfOrgMax} insights of an org wait for their turn; nothing was done and it is safe to retry`,
    { retryAfterSeconds },
  ),
  line: fault(
    'overloaded',
    'too many insights are queued; nothing was done and it is safe to retry',
    { retryAfterSeconds },
  ),
  stopped: fault('shutting_down', 'the server is shutting down; nothing was done', {
    retryAfterSeconds,
  }),
};
