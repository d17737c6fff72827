// The pool's read of counted times.

import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { CountedName, CountedTimes } from './protocol.ts';

export interface TimesRead {
  readonly app: Ordinal;
  /** With how many instants to keep per person. */
  readonly names: readonly CountedName[];
  readonly person?: PersonOrdinal;
  readonly fromMs: Millis;
  /** Only events with a smaller seq. */
  readonly beforeSeq?: number;
  readonly erased: readonly PersonOrdinal[];
  /** Pairs of an alias and its person; see `People.merged`. */
  readonly merged: Uint32Array;
}

export const timesRead: PoolRead<TimesRead, CountedTimes> = {
  name: 'times',
  of: 'events',
};
