// Runs a shard's insights one at a time, so that a pool thread stays free for short reads. Apps
// take turns, and each has few places, so one tenant cannot use all. An insight that takes too long
// is stopped.

import { type Millis, minuteMs, type Ordinal } from '../engine/base/brand.ts';
import type { Fault } from '../engine/base/fault.ts';
import { StopFlag } from '../engine/thread/shared-word.ts';
import { fault } from './faults.ts';

/** Waiting questions of a shard, and of one app: a page of charts asks them all at once. */
const insightsWaitingMax = 64;
const waitingOfAppMax = 8;
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
  /** The number of each app's last turn. */
  readonly #turns = new Map<Ordinal, number>();
  #turn = 0;
  #isStopped = false;

  /** `after` runs a task later and returns a function that cancels it. */
  constructor(after: (ms: Millis, task: () => void) => () => void) {
    this.#after = after;
  }

  /** Calls `begin` in turn, or `refuse`: at once without a free place, or later. */
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
    if (waiting >= waitingOfAppMax) return busyApp;
    return this.#waiting.length >= insightsWaitingMax ? busy : undefined;
  }

  /** The longest wait of the app whose last turn is the longest ago. */
  #takeNext(): Waiting | undefined {
    const turnOf = ({ app }: Waiting) => this.#turns.get(app) ?? 0;
    let next = this.#waiting[0];
    for (const one of this.#waiting)
      if (next !== undefined && turnOf(one) < turnOf(next)) next = one;
    if (next === undefined) {
      this.#turns.clear(); // nobody waits, so nobody is behind
      return undefined;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#turns.set(next.app, ++this.#turn);
    return next;
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const next = this.#takeNext();
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
  `at most ${waitingOfAppMax} insights of an app wait for their turn; nothing was done and it is safe to retry`,
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
