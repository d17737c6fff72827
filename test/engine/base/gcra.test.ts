import fc from 'fast-check';
import t from 'tap';
import { Gcra } from '../../../engine/base/gcra.ts';

const startMs = 1_763_700_000_000;

t.test(
  'over any stretch a key passes at most its burst and its rate, and a refusal says when to come back',
  async (t) => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom('a', 'b'),
            fc.integer({ min: 0, max: 4000 }),
            fc.integer({ min: 1, max: 3 }),
          ),
          { maxLength: 150 },
        ),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 3, max: 10 }),
        (calls, limit, burst) => {
          const rule = { limit, periodMs: 60_000, burst };
          let gcra = new Gcra(rule, 100);
          const passed = new Map<string, { atMs: number; n: number }[]>([
            ['a', []],
            ['b', []],
          ]);
          let nowMs = startMs;
          for (const [key, inMs, n] of calls) {
            nowMs += inMs;
            const verdict = gcra.take(key, nowMs, n);
            const list = passed.get(key) ?? [];
            if (verdict.ok) list.push({ atMs: nowMs, n });
            else {
              const later = Gcra.restore(gcra.snapshot(), rule, 100);
              if (!later.take(key, nowMs + verdict.retryAfterSeconds * 1000, n).ok)
                throw new Error('retry too early');
            }
            let sum = 0;
            for (const each of list.toReversed()) {
              sum += each.n;
              if (sum > burst + ((nowMs - each.atMs) * limit) / 60_000 + 1e-3)
                throw new Error('too many');
            }
            gcra = Gcra.restore(gcra.snapshot(), rule, 100);
          }
        },
      ),
      { seed: 61, numRuns: 300 },
    );
    t.pass();
  },
);

t.test('a rested key has its whole burst, to the last one', async (t) => {
  for (const limit of [1200, 7, 20, 60]) {
    const gcra = new Gcra({ limit, periodMs: 60_000, burst: 20 }, 10);
    for (let left = 19; left >= 0; left--)
      t.match(gcra.take('k', startMs), { ok: true, remaining: left });
    t.notOk(gcra.take('k', startMs).ok);
  }
});

t.test(
  'however many keys come, it holds no more than it may, and the rest share one allowance',
  async (t) => {
    const gcra = new Gcra({ limit: 60, periodMs: 60_000, burst: 5 }, 50);
    let passed = 0;
    for (let i = 0; i < 10_000; i++) {
      if (gcra.take(`address-${i}`, startMs).ok) passed++;
      if (gcra.keys > 50) t.fail('too many keys');
    }
    t.equal(passed, 55);
    t.ok(gcra.take('address-3', startMs).ok, 'a key that is known keeps its own allowance');
  },
);

t.test('keys at rest are forgotten as others come', async (t) => {
  const gcra = new Gcra({ limit: 60, periodMs: 60_000, burst: 5 }, 1000);
  for (let i = 0; i < 5000; i++) gcra.take(`address-${i}`, startMs + i * 1000);
  t.ok(gcra.keys < 10, `${gcra.keys} keys`);
});
