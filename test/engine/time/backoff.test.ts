import t from 'tap';
import { dayMs, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import {
  longestWaitMs,
  nextTryMs,
  scheduledWaitMs,
  webhookWaitsMs,
} from '../../../engine/time/backoff.ts';

t.test(
  'waits are spread over all of [0, base doubled for each failure], never above 15 minutes',
  async (t) => {
    const rng = seededRng(1);
    for (let failed = 1; failed < 8; failed++) {
      const longest = Math.min(15 * minuteMs, secondMs * 2 ** (failed - 1));
      t.equal(longestWaitMs(failed), longest);
      const waits = Array.from(
        { length: 2000 },
        () => (nextTryMs({ failed, firstAtMs: 0, nowMs: 0 }, rng) ?? -1) / longest,
      );
      t.ok(waits.every((wait) => wait >= 0 && wait <= 1));
      for (let tenth = 0; tenth < 10; tenth++) {
        const share = waits.filter((wait) => wait >= tenth / 10 && wait < (tenth + 1) / 10).length;
        t.ok(share > 130 && share < 270, `${share} of 2,000 in a tenth`);
      }
    }
    t.equal(longestWaitMs(60), 15 * minuteMs);
  },
);

t.test('there is no ninth try, and none a day after the first', async (t) => {
  const rng = seededRng(2);
  t.equal(nextTryMs({ failed: 8, firstAtMs: 0, nowMs: 0 }, rng), undefined);
  t.equal(nextTryMs({ failed: 1, firstAtMs: 0, nowMs: dayMs + 1 }, rng), undefined);
  t.equal(
    nextTryMs({ failed: 1, firstAtMs: 0, nowMs: 0, retryAfterMs: 2 * dayMs }, rng),
    undefined,
  );
});

t.test('a try never comes before the provider asked for it', async (t) => {
  const rng = seededRng(3);
  for (let i = 0; i < 100; i++) {
    t.equal(
      nextTryMs({ failed: 1, firstAtMs: 0, nowMs: 1000, retryAfterMs: minuteMs }, rng),
      1000 + minuteMs,
    );
  }
});

t.test(
  'a webhook waits 1 m, 5 m, 30 m, 2 h and 8 h, at most a tenth longer, and then no more',
  async (t) => {
    const rng = seededRng(4);
    for (const [i, wait] of [60, 300, 1800, 7200, 28_800].entries()) {
      for (let draw = 0; draw < 50; draw++) {
        const waitMs = scheduledWaitMs(i + 1, webhookWaitsMs, rng) ?? -1;
        t.ok(waitMs >= wait * 1000 && waitMs <= wait * 1100);
      }
    }
    t.equal(scheduledWaitMs(6, webhookWaitsMs, rng), undefined);
  },
);

t.test(
  'a refusal draws as many numbers as a wait, so the next decision does not depend on it',
  async (t) => {
    const left = seededRng(5);
    const right = seededRng(5);
    nextTryMs({ failed: 8, firstAtMs: 0, nowMs: 0 }, left);
    nextTryMs({ failed: 1, firstAtMs: 0, nowMs: 0 }, right);
    scheduledWaitMs(9, webhookWaitsMs, left);
    scheduledWaitMs(1, webhookWaitsMs, right);
    t.equal(left.uint32(), right.uint32());
  },
);
