// The pool read of journeys.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { ForecastFacts, ForecastReply } from './protocol.ts';

/** The task of a forecast. */
export interface ForecastRead {
  readonly app: Ordinal;
  readonly facts: ForecastFacts;
  /** The word of a `StopFlag`. */
  readonly stop: Int32Array;
}

/** `null` if stopped. */
export const forecastRead: PoolRead<ForecastRead, ForecastReply | null> = {
  name: 'forecast',
  of: 'events',
};
