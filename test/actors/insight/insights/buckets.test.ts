import t from 'tap';
import {
  Buckets,
  lastDays,
  lastPeriods,
  startOfDay,
} from '../../../../actors/insight/insights/buckets.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { zoneOf } from '../../../../engine/time/civil-time.ts';

const at = (text: string) => Date.parse(text);
const texts = (buckets: Buckets) =>
  [...buckets.starts, buckets.endMs].map((ms) => new Date(ms).toISOString());
const dayOf = (date: string) => at(date) / dayMs;

t.test('a day begins when the wall clock first shows it', async (t) => {
  for (const [zone, date, expected] of [
    ['UTC', '2026-03-15', '2026-03-15T00:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-15', '2026-03-14T18:15:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    // Midnight is skipped: the day begins at one.
    ['Africa/Cairo', '2025-04-25', '2025-04-24T22:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    // Midnight comes twice, and the first time it is still the day before.
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z'],
    // A whole day is skipped: 30 December 2011 does not exist, and starts with the 31st.
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ] as const) {
    const startMs = startOfDay(dayOf(date), zoneOf(zone));
    t.equal(new Date(startMs).toISOString(), expected, `${date} in ${zone}`);
  }
});

t.test('a day that a zone skipped is no bucket', async (t) => {
  const days = lastDays('day', 4, at('2012-01-01T00:00:00Z'), zoneOf('Pacific/Apia'));
  t.same(texts(days), [
    '2011-12-29T10:00:00.000Z',
    '2011-12-30T10:00:00.000Z',
    '2011-12-31T10:00:00.000Z',
    '2012-01-01T10:00:00.000Z',
  ]);
});

t.test(
  'hours are those that the clock shows, on a day that has another number of them too',
  async (t) => {
    const hoursOf = (zone: string, nowMs: number) => lastDays('hour', 1, nowMs, zoneOf(zone));
    const short = hoursOf('Europe/Berlin', at('2026-03-29T21:30:00Z'));
    t.equal(short.count, 23);
    const long = hoursOf('Europe/Berlin', at('2026-10-25T22:30:00Z'));
    t.equal(long.count, 25);
    t.equal(long.endMs - long.fromMs, 25 * hourMs);
    const half = hoursOf('Asia/Kathmandu', at('2026-03-15T00:20:00Z'));
    t.same(texts(half).slice(-2), ['2026-03-15T00:15:00.000Z', '2026-03-15T01:15:00.000Z']);
    // Clocks go half an hour back at two o'clock, so half past one to two comes twice.
    const howe = hoursOf('Australia/Lord_Howe', at('2026-04-04T16:30:00Z'));
    t.same(texts(howe).slice(0, 5), [
      '2026-04-04T13:00:00.000Z',
      '2026-04-04T14:00:00.000Z',
      '2026-04-04T15:00:00.000Z',
      '2026-04-04T15:30:00.000Z',
      '2026-04-04T16:30:00.000Z',
    ]);
  },
);

t.test('weeks begin on Monday, and the first one begins with the span', async (t) => {
  const weeks = lastDays('week', 10, at('2026-03-18T12:00:00Z'), zoneOf('UTC'));
  t.same(texts(weeks), [
    '2026-03-09T00:00:00.000Z',
    '2026-03-16T00:00:00.000Z',
    '2026-03-23T00:00:00.000Z',
  ]);
  const cut = lastDays('week', 8, at('2026-03-18T12:00:00Z'), zoneOf('UTC'));
  t.equal(texts(cut)[0], '2026-03-11T00:00:00.000Z');
  t.same(texts(lastPeriods('week', 2, at('2026-03-22T23:59:59Z'), zoneOf('UTC'))), texts(weeks));
});

t.test('months go over the ends of years', async (t) => {
  const months = lastPeriods('month', 3, at('2026-01-31T23:00:00Z'), zoneOf('America/New_York'));
  t.same(texts(months), [
    '2025-11-01T04:00:00.000Z',
    '2025-12-01T05:00:00.000Z',
    '2026-01-01T05:00:00.000Z',
    '2026-02-01T05:00:00.000Z',
  ]);
});

t.test(
  'an instant is in the bucket that begins last before it, in any order of asking',
  async (t) => {
    const buckets = new Buckets([10, 20, 40], 50);
    const asked = [
      [49, 2],
      [10, 0],
      [9, -1],
      [50, -1],
      [19, 0],
      [20, 1],
      [39, 1],
      [40, 2],
      [25, 1],
    ];
    for (const [ms, bucket] of asked) t.equal(buckets.of(ms as number), bucket, String(ms));
  },
);
