import fc from 'fast-check';
import t from 'tap';
import { RateWindow } from '../../../engine/base/rate-window.ts';
import { tries } from '../../support/tries.ts';

const startMs = 1_763_700_000_000;
const op = fc.record({
  inMs: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 1500 }),
    fc.integer({ min: 0, max: 70_000 }),
    fc.constant(60_000),
  ),
  n: fc.integer({ min: 0, max: 6 }),
  limit: fc.constantFrom(10, 10, 10, 3, 25, null),
  restart: fc.boolean(),
});

t.test(
  'no 60 seconds ever hold more than the limit, and nothing is refused that a second-wide window would take',
  async (t) => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 120 }), (ops) => {
        let window = new RateWindow();
        const taken: { atMs: number; n: number }[] = [];
        let nowMs = startMs;
        for (const { inMs, n, limit, restart } of ops) {
          nowMs += inMs;
          const within = (ms: number) =>
            taken.reduce((sum, each) => sum + (each.atMs > nowMs - ms ? each.n : 0), 0);
          const verdict = window.take(nowMs, n, limit);
          if (limit === null) {
            if (!verdict.ok || verdict.remaining !== null) throw new Error('no limit');
          } else if (verdict.ok) {
            if (within(60_000) + n > limit) throw new Error('over the limit');
          } else {
            if (within(61_000) + n <= limit) throw new Error('refused too much');
            if (verdict.retryAfterSeconds < 1 || verdict.retryAfterSeconds > 61)
              throw new Error('retry');
          }
          if (verdict.ok && n > 0) taken.push({ atMs: nowMs, n });
          if (limit !== null && verdict.remaining !== Math.max(0, limit - window.used(nowMs)))
            throw new Error('remaining');
          if (restart) window = RateWindow.restore(window.snapshot());
          if (!verdict.ok && limit !== null && n <= limit) {
            const later = RateWindow.restore(window.snapshot());
            if (!later.take(nowMs + verdict.retryAfterSeconds * 1000, n, limit).ok)
              throw new Error('retry too early');
          }
        }
      }),
      { seed: 51, numRuns: tries(500) },
    );
    t.pass();
  },
);

t.test('a batch that fills the window fits again exactly 60 seconds later', async (t) => {
  for (const offset of [0, 1, 500, 999]) {
    const window = new RateWindow();
    t.same(window.take(startMs + offset, 6000, 6000), {
      ok: true,
      remaining: 0,
      resetSeconds: 60,
      retryAfterSeconds: 0,
    });
    t.same(window.take(startMs + offset + 1000, 1, 6000), {
      ok: false,
      remaining: 0,
      resetSeconds: 59,
      retryAfterSeconds: 59,
    });
    t.notOk(window.take(startMs + offset + 59_999, 1, 6000).ok);
    t.ok(window.take(startMs + offset + 60_000, 6000, 6000).ok);
  }
});

t.test('a refused batch takes nothing', async (t) => {
  const window = new RateWindow();
  window.take(startMs, 4, 10);
  t.same(window.take(startMs, 7, 10), {
    ok: false,
    remaining: 6,
    resetSeconds: 60,
    retryAfterSeconds: 60,
  });
  t.ok(window.take(startMs, 6, 10).ok);
});

t.test(
  'a lowered limit counts what was taken under the higher one, and a charge over the limit itself waits a minute',
  async (t) => {
    const window = new RateWindow();
    window.take(startMs, 9, 10);
    t.match(window.take(startMs + 1000, 1, 5), { ok: false, remaining: 0, retryAfterSeconds: 59 });
    t.match(new RateWindow().take(startMs, 11, 10), {
      ok: false,
      remaining: 10,
      retryAfterSeconds: 60,
    });
  },
);

t.test('time that runs backwards gives nothing back', async (t) => {
  const window = new RateWindow();
  window.take(startMs, 10, 10);
  t.notOk(window.take(startMs - 120_000, 1, 10).ok);
  t.notOk(window.take(startMs + 59_999, 1, 10).ok);
});
