// The read of this area that the pool makes.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { ForecastFacts, ForecastReply } from './protocol.ts';

/** A forecast's reading: what a pool task is given. */
export interface ForecastRead {
  readonly app: Ordinal;
  readonly facts: ForecastFacts;
  /** The word of a `StopFlag`. */
  readonly stop: Int32Array;
}

/** What a journey would have caught; `null` when it was told to stop. */
export const forecastRead: PoolRead<ForecastRead, ForecastReply | null> = {
  name: 'forecast',
  of: 'events',
};
