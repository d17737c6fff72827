import t from 'tap';
import { hourMs, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { longestWaitMs } from '../../../engine/time/backoff.ts';

t.test('waits grow from a second to half an hour, and then stay at an hour', async (t) => {
  const waits = Array.from({ length: 10 }, (_, failed) => longestWaitMs(failed + 1));
  const seconds = [1, 5, 30].map((count) => count * secondMs);
  const minutes = [2, 5, 15, 30].map((count) => count * minuteMs);
  t.same(waits, [...seconds, ...minutes, hourMs, hourMs, hourMs]);
});
