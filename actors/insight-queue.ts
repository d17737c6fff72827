// Whose insight is read now: one at a time in a shard, so that a thread of the pool is always left
// for short reads, and a few wait. An app has two places at most, or one tenant's dashboard would
// be all that is ever answered. An insight that takes too long is told to stop: what waits behind
// it must not wait for ever.

import { type Millis, minuteMs, type Ordinal } from '../engine/base/brand.ts';
import type { Fault } from '../engine/base/fault.ts';
import { StopFlag } from '../engine/thread/shared-word.ts';
import { fault } from './faults.ts';

/** Questions of a shard that wait, at most, and places of one app, the running one included. */
const insightsWaitingMax = 16;
const insightsOfAppMax = 2;
/** How long one may be read. */
const insightLimitMs: Millis = minuteMs;
/** How long one may wait for its turn: whoever asked has hardly waited longer. */
const insightWaitMs: Millis = minuteMs / 2;
const retryAfterSeconds = 5;

/** The turn of one question. Whoever has it ends it, once. */
export interface InsightTurn {
  /** Set when the reading has to end. */
  readonly stop: StopFlag;
  end(): void;
}

interface Waiting {
  readonly app: Ordinal;
  readonly begin: (turn: InsightTurn) => void;
  readonly refuse: (refusal: Fault) => void;
  /** Forgets that it may not wait for ever. */
  readonly forget: () => void;
}

export class InsightQueue {
  readonly #after: (ms: Millis, task: () => void) => () => void;
  readonly #waiting: Waiting[] = [];
  #running: { readonly app: Ordinal; readonly stop: StopFlag } | undefined;
  #isStopped = false;

  /** `after` runs a task later, and gives back what forgets it. */
  constructor(after: (ms: Millis, task: () => void) => () => void) {
    this.#after = after;
  }

  /**
   * Begins when it is this question's turn, or refuses: at once when the places are taken, later
   * when its turn does not come or the server stops.
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

  /** Tells the running one to stop and refuses those that wait. */
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

/** What the caller of an insight is told that was stopped. */
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
