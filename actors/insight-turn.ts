// What an insight sees of the queue in front of the pool: who asks, its turn, and the answer to
// one that took too long.

import { type Millis, minuteMs, type Ordinal } from '../engine/base/brand.ts';
import type { Fault } from '../engine/base/fault.ts';
import type { StopFlag } from '../engine/thread/shared-word.ts';
import { fault } from './faults.ts';

/** How long one may be read. */
export const insightLimitMs: Millis = minuteMs;

/** Who asks: `by` is the org, `agency` the org whose client it is. */
interface InsightAsker {
  readonly by: Ordinal;
  readonly agency?: Ordinal;
}

/** The holder must call `end` exactly once. */
export interface InsightTurn {
  /** Set when the read has to end. */
  readonly stop: StopFlag;
  end(): void;
}

export interface InsightTurns {
  /** Calls `begin` in turn, or `refuse`: at once without a free place, or later. */
  enter(
    asker: InsightAsker,
    app: Ordinal,
    begin: (turn: InsightTurn) => void,
    refuse: (refusal: Fault) => void,
  ): void;
}

/** The answer to a stopped insight. */
export const stoppedFault = fault(
  'overloaded',
  `this took longer than ${insightLimitMs / 1000} s and was stopped; narrow the query, or retry later`,
  { retryAfterSeconds: 60 },
);
