// The read of this area that the pool makes.

import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { CountedName, CountedTimes } from './protocol.ts';

/** What to read. */
export interface TimesRead {
  readonly app: Ordinal;
  /** How many instants of each person to keep. */
  readonly names: readonly CountedName[];
  /** Only of this one. */
  readonly person?: PersonOrdinal;
  readonly fromMs: Millis;
  /** Only events with a smaller number in the app. */
  readonly beforeSeq?: number;
  readonly erased: readonly PersonOrdinal[];
  /** Pairs of an alias and the person whose their events are; see `People.merged`. */
  readonly merged: Uint32Array;
}

/** When people did what a filter counts. */
export const timesRead: PoolRead<TimesRead, CountedTimes> = {
  name: 'times',
  of: 'events',
};
