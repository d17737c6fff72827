import fc from 'fast-check';
import t from 'tap';
import { campaignSeries } from '../../../../actors/insight/insights/campaign-series.ts';
import {
  campaignEvents,
  type Facts,
  seriesIntervals,
} from '../../../../actors/insight/insights/protocol.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { scattered } from '../../../support/scattered-events.ts';
import { tries } from '../../../support/tries.ts';

const sinceMs = Date.UTC(2026, 2, 27, 22, 40); // two days before Europe changes its clocks
const eventArb = fc.record({
  name: fc.constantFrom(...campaignEvents, 'visit'),
  person: fc.integer({ min: 0, max: 9 }),
  atMs: fc.integer({ min: 0, max: 4 * 24 * 60 }).map((minutes) => sinceMs + minutes * minuteMs),
  campaignId: fc.constantFrom('mine', 'mine', 'other'),
});

t.test('each bucket is a recount of the stored events', async (t) => {
  fc.assert(
    fc.property(
      fc.array(eventArb, { maxLength: 60 }),
      fc.constantFrom(...seriesIntervals),
      fc.constantFrom('UTC', 'Europe/Paris', 'Asia/Kathmandu'),
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 20 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { maxLength: 2 }),
      fc.integer(),
      (events, interval, timezone, skipped, long, erased, seed) => {
        // The eighth and ninth turned out to be the first.
        const merged = Uint32Array.from([8, 0, 9, 0]);
        const unit = { minute: minuteMs * 15, hour: hourMs, day: dayMs }[interval];
        const fromMs = sinceMs + skipped * hourMs;
        const series = { fromMs, toMs: fromMs + long * unit, sinceMs };
        const facts: Facts = { nowMs: 0, timezone, span: 0, erased, merged, series };
        const walk = scattered(events, seededRng(seed));
        const found = campaignSeries({ campaignId: 'mine', interval }, facts, walk);
        const { starts } = found;
        t.ok((starts[0] ?? 0) <= fromMs && (starts.at(-1) ?? 0) < series.toMs);
        const endMs = starts.at(-1) as number;
        const whole = (person: number) => (person >= 8 ? 0 : person);
        const mine = events
          .map((one) => ({ ...one, person: whole(one.person) }))
          .filter((one) => one.campaignId === 'mine' && !erased.includes(one.person));
        const reached = new Set(
          mine
            .filter(({ name }) => /^(delivered|bounced|failed)$/.test(name))
            .map((one) => one.person),
        );
        const inBucket = (atMs: number) => starts.findLastIndex((start) => start <= atMs);
        for (const name of campaignEvents) {
          const expected = starts.map(() => 0);
          const first = new Map<number, number>();
          for (const one of mine.toSorted((a, b) => a.atMs - b.atMs)) {
            // Who clicked has opened it, perhaps without its pictures.
            const isOpen = name === 'opened' && one.name === 'clicked';
            if ((one.name !== name && !isOpen) || one.atMs < (starts[0] ?? 0)) continue;
            // The last bucket is whole, however long it is.
            if (one.atMs >= endMs + unit) continue;
            if (interval === 'minute' && one.atMs >= endMs + minuteMs) continue;
            if (/opened|clicked/.test(name) && !reached.has(one.person)) continue;
            const place = inBucket(one.atMs);
            if (!isOpen) expected[place] = (expected[place] ?? 0) + 1;
            if (!first.has(one.person)) first.set(one.person, place);
          }
          t.same(found.events[name], expected, name);
          if (name !== 'opened' && name !== 'clicked') continue;
          const people = starts.map((_, i) => [...first.values()].filter((at) => at === i).length);
          t.same(found.people[name], people);
        }
      },
    ),
    { seed: 3, numRuns: tries(300) },
  );
});

t.test('a campaign that never began has no buckets', async (t) => {
  const facts: Facts = { nowMs: 0, timezone: 'UTC', span: 0, erased: [] };
  const walk = scattered([], seededRng(1));
  t.same(campaignSeries({ campaignId: 'mine', interval: 'hour' }, facts, walk).starts, []);
});
