import t from 'tap';
import { minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { longestWaitMs } from '../../../engine/time/backoff.ts';

t.test('waits double from a second for each failure, never above 15 minutes', async (t) => {
  for (let failed = 1; failed < 8; failed++)
    t.equal(longestWaitMs(failed), Math.min(15 * minuteMs, secondMs * 2 ** (failed - 1)));
  t.equal(longestWaitMs(60), 15 * minuteMs);
});
