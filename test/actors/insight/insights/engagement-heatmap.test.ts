import fc from 'fast-check';
import t from 'tap';
import { engagementHeatmap } from '../../../../actors/insight/insights/engagement-heatmap.ts';
import { hoursOfWeek, LocalHours } from '../../../../actors/insight/insights/local-hours.ts';
import type { Facts, Heatmap } from '../../../../actors/insight/insights/protocol.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { zoneOf } from '../../../../engine/time/civil-time.ts';
import { receiptsArb, receiptsNowMs, standing } from '../../../support/corrected-receipts.ts';
import { daysLater, InsightWorld, shownIn } from '../../../support/insight-world.ts';
import { type ScatteredEvent, scattered } from '../../../support/scattered-events.ts';
import { tries } from '../../../support/tries.ts';

const zones = [
  'UTC',
  'America/New_York',
  'Europe/Paris',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
];

/** Weekday and hour, asked of Intl alone. */
function cellIn(zone: string, atMs: number): number {
  const { date, hour } = shownIn(zone, atMs);
  return ((new Date(Date.parse(date)).getUTCDay() + 6) % 7) * 24 + Number(hour);
}

t.test('the hour of the week is what the wall clock shows, also around its changes', async (t) => {
  // Changes of clocks, and the day that Apia left out.
  const near = [
    Date.UTC(2026, 2, 8, 7),
    Date.UTC(2026, 2, 29, 1),
    Date.UTC(2026, 3, 4, 15),
    Date.UTC(2026, 9, 3, 15, 30),
    Date.UTC(2026, 10, 1, 6),
    Date.UTC(2011, 11, 30, 10),
  ];
  for (const zone of zones) {
    const hours = new LocalHours(zoneOf(zone));
    for (const at of near)
      for (let minute = -40 * 60; minute <= 40 * 60; minute += 7)
        for (const off of [-1, 0]) {
          const atMs = at + minute * 60_000 + off;
          if (hours.cellOf(atMs) !== cellIn(zone, atMs))
            t.equal(
              hours.cellOf(atMs),
              cellIn(zone, atMs),
              `${zone} ${new Date(atMs).toISOString()}`,
            );
        }
    for (const at of near) {
      t.equal(hours.cellOf(at), cellIn(zone, at));
      t.equal(hours.cellOf(at - 1), cellIn(zone, at - 1));
    }
  }
});

t.test('every hour of the week is there, by each person’s own clock', async (t) => {
  fc.assert(
    fc.property(
      receiptsArb,
      fc.integer({ min: 1, max: 13 }),
      fc.constantFrom(...zones),
      fc.array(fc.integer({ min: 0, max: zones.length }), { maxLength: 9 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer(),
      (events, span, timezone, codes, erased, comparedMax, seed) => {
        const merged = Uint32Array.from([8, 0, 9, 0]);
        const zonesOf = { names: zones, codeOf: Uint16Array.from(codes) };
        const facts: Facts = {
          nowMs: receiptsNowMs,
          timezone,
          span,
          erased,
          merged,
          zones: zonesOf,
        };
        const seqs = new Map<ScatteredEvent, number>();
        const walk = scattered(events, seededRng(seed), seqs);
        const { cells } = engagementHeatmap(facts, walk, comparedMax);
        t.same(
          cells.map(({ weekday, hour }) => weekday * 24 + hour),
          Array.from({ length: hoursOfWeek }, (_, cell) => cell),
        );
        const first = daysLater(shownIn(timezone, receiptsNowMs).date, 1 - span);
        const personOf = ({ person }: ScatteredEvent) => (person >= 8 ? 0 : person);
        const seen = events.filter(
          (one) => shownIn(timezone, one.atMs).date >= first && !erased.includes(personOf(one)),
        );
        const delivered = standing(seen, seqs).filter(({ name }) => name === 'delivered');
        const engaged = seen.filter(({ name }) => name === 'opened' || name === 'clicked');
        const expected = new Map<number, Record<string, number>>();
        for (const one of [...delivered, ...engaged]) {
          const cell = cellIn(zones[(codes[personOf(one)] ?? 0) - 1] ?? timezone, one.atMs);
          const counts = expected.get(cell) ?? { delivered: 0, opened: 0, clicked: 0 };
          expected.set(cell, { ...counts, [one.name]: (counts[one.name] ?? 0) + 1 });
        }
        const none = { delivered: 0, opened: 0, clicked: 0 };
        t.same(
          cells.map(({ weekday: _weekday, hour: _hour, ...counts }) => counts),
          cells.map((_, cell) => expected.get(cell) ?? none),
        );
      },
    ),
    { seed: 13, numRuns: tries(150) },
  );
});

t.test('a person’s current zone counts, otherwise the app’s', async (t) => {
  const world = await InsightWorld.begin(3, Date.UTC(2026, 6, 1, 12));
  const { app, one } = world;
  const at = new Date(one.clock.nowMs - hourMs).toISOString(); // a Wednesday, 11:00 UTC
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', timezone: 'America/New_York' },
  });
  const events = ['ana', 'bo'].map((externalUserId) => ({ name: 'opened', externalUserId, at }));
  const bytes = Buffer.from(JSON.stringify({ events }));
  await one.value(app, 'events.ingest', { keyless: false }, { bytes });
  const opened = async () => {
    const { cells } = await world.ask<Heatmap>(app, { kind: 'insight.heatmap', days: 7 });
    return cells
      .filter((cell) => cell.opened > 0)
      .map((cell) => [cell.weekday, cell.hour, cell.opened]);
  };
  t.same(await opened(), [
    [2, 7, 1],
    [2, 11, 1],
  ]);
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', timezone: 'Pacific/Kiritimati' },
  });
  await one.value(app, 'app.update', { timezone: 'Asia/Kathmandu' });
  t.same(await opened(), [
    [2, 16, 1],
    [3, 1, 1],
  ]);
  one.clock.nowMs += 7 * dayMs;
  t.same(await opened(), [], 'a week later it is out of the span');
  await world.close();
});
