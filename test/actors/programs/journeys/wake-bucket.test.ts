// A bucket by itself: what `Wakes` passes over would hide what a bucket gets wrong.

import { equal } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { WakeBucket } from '../../../../actors/programs/journeys/wake-bucket.ts';
import { tries } from '../../../support/tries.ts';

t.test(
  'a bucket gives everybody back by millisecond, equal ones as they were added, and holds nobody else',
  async () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.tuple(fc.nat(2 ** 32 - 1), fc.constantFrom(0, 1, 7, 998, 999)) },
      { weight: 1, arbitrary: fc.constant('shift' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (script) => {
        const bucket = new WakeBucket();
        const naive: (readonly [person: number, millis: number])[] = [];
        for (const one of script) {
          if (one !== 'shift') {
            bucket.add(...one);
            const later = naive.findIndex(([, millis]) => millis > one[1]);
            naive.splice(later < 0 ? naive.length : later, 0, one);
          } else if (naive.length > 0) equal(bucket.shift(), naive.shift()?.[0]);
          equal(bucket.isEmpty, naive.length === 0);
          equal(bucket.firstMillis, naive[0]?.[1] ?? Number.POSITIVE_INFINITY);
        }
      }),
      { seed: 11, numRuns: tries(500) },
    );
  },
);
