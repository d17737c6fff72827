// This area's read in the pool.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { Facts, Insight, Question } from './protocol.ts';

/** A query with all facts of its app: the input of a pool task. */
export interface InsightRead {
  readonly app: Ordinal;
  readonly question: Question;
  readonly facts: Facts;
  readonly stop: Int32Array;
}

/** An insight; `null` when stopped. */
export const insightRead: PoolRead<InsightRead, Insight | null> = {
  name: 'insight',
  of: 'events',
};
