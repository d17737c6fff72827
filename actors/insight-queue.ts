// Runs a shard's insights one at a time, so that a pool thread stays free for short reads; a few
// wait. An app has two places, so one tenant's dashboard cannot use all. An insight that takes too
// long is stopped.

import { type Millis, minuteMs, type Ordinal } from '../engine/base/brand.ts';
import type { Fault } from '../engine/base/fault.ts';
import { StopFlag } from '../engine/thread/shared-word.ts';
import { fault } from './faults.ts';

/** Waiting questions of a shard, and places of one app including the running one. */
const insightsWaitingMax = 16;
const insightsOfAppMax = 2;
/** How long one may be read. */
const insightLimitMs: Millis = minuteMs;
/** How long one may wait; its caller hardly waits longer. */
const insightWaitMs: Millis = minuteMs / 2;
const retryAfterSeconds = 5;

/** The holder must call `end` exactly once. */
export interface InsightTurn {
  /** Set when the read has to end. */
  readonly stop: StopFlag;
  end(): void;
}

interface Waiting {
  readonly app: Ordinal;
  readonly begin: (turn: InsightTurn) => void;
  readonly refuse: (refusal: Fault) => void;
  /** Cancels the limit on waiting. */
  readonly forget: () => void;
}

export class InsightQueue {
  readonly #after: (ms: Millis, task: () => void) => () => void;
  readonly #waiting: Waiting[] = [];
  #running: { readonly app: Ordinal; readonly stop: StopFlag } | undefined;
  #isStopped = false;

  /** `after` runs a task later and returns a function that cancels it. */
  constructor(after: (ms: Millis, task: () => void) => () => void) {
    this.#after = after;
  }

  /**
   * Calls `begin` in turn, or `refuse`: at once without a free place, later if the turn does not
   * come or the server stops.
   */
  enter(app: Ordinal, begin: (turn: InsightTurn) => void, refuse: (refusal: Fault) => void): void {
    const refusal = this.#refusalOf(app);
    if (refusal !== undefined) {
      refuse(refusal);
      return;
    }
    const forget = this.#after(insightWaitMs, () => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      refuse(busy);
    });
    const waiting: Waiting = { app, begin, refuse, forget };
    this.#waiting.push(waiting);
    this.#next();
  }

  /** Stops the running insight and refuses those that wait. */
  stop(): void {
    this.#isStopped = true;
    this.#running?.stop.set();
    for (const { refuse, forget } of this.#waiting.splice(0)) {
      forget();
      refuse(stopping);
    }
  }

  #refusalOf(app: Ordinal): Fault | undefined {
    if (this.#isStopped) return stopping;
    const waiting = this.#waiting.filter((one) => one.app === app).length;
    if (waiting + (this.#running?.app === app ? 1 : 0) >= insightsOfAppMax) return busyApp;
    return this.#waiting.length >= insightsWaitingMax ? busy : undefined;
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    next.forget();
    const stop = new StopFlag();
    const forget = this.#after(insightLimitMs, () => stop.set());
    const running = { app: next.app, stop };
    this.#running = running;
    next.begin({
      stop,
      end: () => {
        if (this.#running !== running) return;
        forget();
        this.#running = undefined;
        this.#next();
      },
    });
  }
}

/** The answer to a stopped insight. */
export const stoppedFault = fault(
  'overloaded',
  `this took longer than ${insightLimitMs / 1000} s and was stopped; narrow the query, or retry later`,
  { retryAfterSeconds: 60 },
);

const busyApp = fault(
  'overloaded',
  `an app may run at most ${insightsOfAppMax} insights at once; nothing was done and it is safe to retry`,
  { retryAfterSeconds },
);
const busy = fault(
  'overloaded',
  'too many insights are queued; nothing was done and it is safe to retry',
  { retryAfterSeconds },
);
const stopping = fault('shutting_down', 'the server is shutting down; nothing was done', {
  retryAfterSeconds,
});
