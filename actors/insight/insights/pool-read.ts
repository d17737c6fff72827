// The read of this area that the pool makes.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { Facts, Insight, Question } from './protocol.ts';

/** A question with everything about its app settled: what a pool task is given. */
export interface InsightRead {
  readonly app: Ordinal;
  readonly question: Question;
  readonly facts: Facts;
  /** The word of a `StopFlag`. */
  readonly stop: Int32Array;
}

/** An insight; `null` when it was told to stop. */
export const insightRead: PoolRead<InsightRead, Insight | null> = {
  name: 'insight',
  of: 'events',
};
