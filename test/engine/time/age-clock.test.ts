// Ages without unconfirmed time, against a clock that counts every gap by itself.

import fc from 'fast-check';
import t from 'tap';
import type { Gap } from '../../../engine/actor/machine.ts';
import { AgeClock } from '../../../engine/time/age-clock.ts';
import { tries } from '../../support/tries.ts';

const dayMs = 86_400_000;

t.test('without a gap, an instant is as old as the clock says', async (t) => {
  t.equal(new AgeClock().cutMs(10 * dayMs, dayMs), 9 * dayMs);
});

t.test('a gap ages nothing until the clock is confirmed', async (t) => {
  const ages = new AgeClock();
  ages.doubt({ fromMs: 10 * dayMs, toMs: 130 * dayMs });
  t.equal(ages.unconfirmedMs, 120 * dayMs);
  t.equal(ages.cutMs(130 * dayMs, dayMs), 9 * dayMs, 'what came before');
  t.equal(ages.cutMs(131 * dayMs, dayMs), 130 * dayMs, 'what came since');
  t.ok(ages.isUnsure(9 * dayMs));
  t.notOk(ages.isUnsure(130 * dayMs));
  ages.confirm();
  t.equal(ages.cutMs(130 * dayMs, dayMs), 129 * dayMs);
  t.equal(ages.unconfirmedMs, 0);
});

t.test('any gaps: an instant is old when the time outside of gaps since is long', async () => {
  const spans = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 })),
    {
      maxLength: 16,
    },
  );
  fc.assert(
    fc.property(spans, fc.integer({ min: 0, max: 300 }), (lengths, windowMs) => {
      const ages = new AgeClock();
      const gaps: Gap[] = [];
      let nowMs = 0;
      for (const [calm, gap] of lengths) {
        nowMs += calm;
        gaps.push({ fromMs: nowMs, toMs: nowMs + gap });
        ages.doubt({ fromMs: nowMs, toMs: nowMs + gap });
        nowMs += gap;
      }
      nowMs += 20;
      const ageOf = (atMs: number) =>
        gaps.reduce(
          (age, { fromMs, toMs }) => (atMs < toMs ? age - (toMs - fromMs) : age),
          nowMs - atMs,
        );
      const cut = ages.cutMs(nowMs, windowMs);
      for (let atMs = 0; atMs <= nowMs; atMs++) {
        if (gaps.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs)) continue;
        if (atMs < cut !== ageOf(atMs) > windowMs) return false;
      }
      return true;
    }),
    { seed: 7, numRuns: tries(500) },
  );
});

t.test('more gaps than are kept make things younger, never older', async (t) => {
  const ages = new AgeClock();
  for (let gap = 1; gap <= 40; gap++)
    ages.doubt({ fromMs: gap * 10 * dayMs, toMs: (gap * 10 + 5) * dayMs });
  t.equal(ages.gaps.length, 16);
  t.ok(ages.cutMs(410 * dayMs, dayMs * 100) <= 410 * dayMs - 100 * dayMs - 15 * 5 * dayMs);
});
