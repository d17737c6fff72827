import * as fc from 'fast-check';
import t from 'tap';
import { usageOfApp } from '../../../../actors/tenants/usage/memory.ts';
import { StoredBytes } from '../../../../actors/tenants/usage/stored-bytes.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';

const start = Date.UTC(2026, 0, 1);

t.test('events count for as many days as they are kept, whatever was folded since', async (t) => {
  const step = fc.record({ days: fc.nat(5), bytes: fc.nat(1_000) });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 7, max: 90 }),
        (steps, kept) => {
          const stored = new StoredBytes();
          const all: { readonly day: number; readonly bytes: number }[] = [];
          let day = 0;
          for (const { days, bytes } of steps) {
            day += days;
            stored.addEvents(bytes, start + day * dayMs + 1, kept);
            all.push({ day, bytes });
            const now = day + 3;
            const due = all.filter((one) => one.day >= now - kept);
            const expected = due.reduce((sum, one) => sum + one.bytes, 0);
            const copy = StoredBytes.restore(stored.snapshot());
            for (const one of [stored, copy])
              if (one.events(start + now * dayMs, kept) !== expected) return false;
          }
          return true;
        },
      ),
      { seed: 5, numRuns: tries(200) },
    ),
  );
});

t.test('what is removed never counts below nothing', async (t) => {
  const stored = new StoredBytes();
  stored.addRecords(-100);
  stored.addRecords(30);
  t.equal(stored.people(0), 30);
  t.ok(stored.people(10) > 10 * 100, 'people count');
});

t.test('an app from before the count is restored without it', async (t) => {
  const { monthlyActive } = usageOfApp.snapshot(usageOfApp.make({} as never));
  const { stored } = usageOfApp.restore({ monthlyActive }, {} as never);
  t.equal(stored.people(0) + stored.events(start, 90) + stored.rows('content'), 0);
  t.not(stored.counted, 'all', 'its rows are to be counted');
});

t.test('events of a clock that was ahead count from the true day on', async (t) => {
  const stored = new StoredBytes();
  const ahead = start + 120 * dayMs;
  stored.addEvents(1, start, 200);
  stored.addEvents(2, ahead, 200);
  stored.rebase(start + dayMs);
  stored.addEvents(4, start + 2 * dayMs, 90);
  t.equal(stored.events(start + 2 * dayMs, 90), 7);
  t.equal(stored.events(start + 92 * dayMs, 90), 4);
});
