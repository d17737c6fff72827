import fc from 'fast-check';
import t from 'tap';
import { instantOf } from '../../../../actors/content/liquid/written-date.ts';
import { hourMs, type Millis } from '../../../../engine/base/brand.ts';
import { zoneOf } from '../../../../engine/time/civil-time.ts';
import { tries } from '../../../support/tries.ts';

const nowMs = Date.UTC(2026, 2, 1, 12);

/** As a text, for the test to be read; the zone is London's unless told. */
function read(value: unknown, zone = 'Europe/London'): string | undefined {
  const ms = instantOf(value, nowMs, zoneOf(zone));
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

t.test('a date without a zone is local time, a bare day its local midnight', async (t) => {
  t.equal(read('2026-07-01'), '2026-06-30T23:00:00.000Z');
  t.equal(read('2026-03-01', 'America/Lima'), '2026-03-01T05:00:00.000Z');
  t.equal(read('2026-07-01 09:30'), '2026-07-01T08:30:00.000Z');
  t.equal(read(' 2026-07-01t09:30:05,25 '), '2026-07-01T08:30:05.250Z');
});

t.test('a zone that is written wins over the local one', async (t) => {
  t.equal(read('2026-07-01T09:30:00Z'), '2026-07-01T09:30:00.000Z');
  t.equal(read('2026-07-01 09:30 +02:00'), '2026-07-01T07:30:00.000Z');
  t.equal(read('2026-07-01T09:30-0530'), '2026-07-01T15:00:00.000Z');
});

t.test('a local time that a change of the clocks skips moves forward', async (t) => {
  t.equal(read('2026-03-29 00:59'), '2026-03-29T00:59:00.000Z');
  t.equal(read('2026-03-29 01:30'), '2026-03-29T01:30:00.000Z', 'shown as 02:30');
  t.equal(read('2026-03-29 02:00'), '2026-03-29T01:00:00.000Z');
});

t.test('dates are read as databases and programs print them', async (t) => {
  const at = '2025-06-09T20:00:00.000Z';
  const forms = {
    PostgreSQL: ['2025-06-10 03:00:00+07', '2025-06-09 20:00:00+00', '2025-06-09 17:00:00-03'],
    'ISO 8601': ['2025-06-10T03:00:00+07', '2025-06-10T03:00+0700'],
    zones: ['2025-06-09 20:00:00 UTC', '2025-06-09 20:00:00Z', '2025-06-09 20:00 Z'],
    GMT: ['2025-06-09 20:00:00 GMT', '2025-06-09T20:00:00 utc', '2025-06-10 03:00 UTC+07'],
    'SQL Server': ['2025-06-10 03:00:00.0000000 +07:00'],
    Ruby: ['2025-06-10 03:00:00 +0700'],
    Go: ['2025-06-10 03:00:00 +0700 WIB', '2025-06-10 03:00:00.000000000 +0700 +07'],
    Java: ['2025-06-10T03:00+07:00[Asia/Bangkok]', 'Mon Jun 09 20:00:00 UTC 2025'],
    JavaScript: [
      'Tue Jun 10 2025 03:00:00 GMT+0700 (Indochina Time)',
      'Mon Jun 09 2025 20:00:00 GMT+0000 (Coordinated Universal Time)',
    ],
    'RFC 2822': [
      'Tue, 10 Jun 2025 03:00:00 +0700',
      '10 Jun 2025 03:00 +0700',
      'Mon, 9 Jun 2025 20:00:00 GMT',
      'Mon, 09 Jun 2025 16:00:00 EDT',
      'Mon,  9 Jun 2025 20:00:00 +0000 (UTC)',
    ],
    English: ['June 9, 2025 20:00 UTC', '9th June 2025, 20:00 GMT'],
    Oracle: ['09-JUN-2025 20:00:00 Z'],
    numbers: ['1749499200', '1749499200000', '1749499200000000', '1749499200000000000'],
    fractions: ['1749499200.0', '2025-06-09T20:00:00.000000Z', '2025-06-09T20:00:00,0Z'],
  };
  for (const [what, texts] of Object.entries(forms))
    for (const text of texts) t.equal(read(text), at, `${what}: ${text}`);
  t.equal(read(1749499200000), at);
  t.equal(read(1749499200.5), '2025-06-09T20:00:00.500Z');
  t.equal(read('1749499200.25'), '2025-06-09T20:00:00.250Z');
  t.equal(read('-86400'), '1969-12-31T00:00:00.000Z');
  t.equal(read('2025-06-10 03:00:00.123456+07'), '2025-06-09T20:00:00.123Z');
  t.equal(read('2025-06-10 03:00:00.5-03'), '2025-06-10T06:00:00.500Z');
  t.equal(read('March 14, 2016'), '2016-03-14T00:00:00.000Z');
  t.equal(read('1 July 2026'), '2026-06-30T23:00:00.000Z', 'local midnight');
});

t.test('every instant is read in every form that has its parts', async () => {
  const minutes = fc.integer({ min: -840, max: 840 });
  const instant = fc.integer({ min: Date.UTC(1000, 0, 2), max: Date.UTC(9999, 0, 1) });
  fc.assert(
    fc.property(instant, minutes, (ms, east) => {
      const second = Math.floor(ms / 1000) * 1000;
      const at = new Date(second).toISOString();
      const local = new Date(second + east * 60_000);
      const [, weekday, day, month, year] =
        /^(\w+), (\d+) (\w+) (\d+)/.exec(local.toUTCString()) ?? [];
      const [date = '', time = ''] = local.toISOString().slice(0, 19).split('T');
      const size = Math.abs(east);
      const [hours, rest] = [Math.floor(size / 60), size % 60].map((n) =>
        String(n).padStart(2, '0'),
      );
      const sign = east < 0 ? '-' : '+';
      for (const text of [
        `${date}T${time}${sign}${hours}:${rest}`,
        `${date} ${time} ${sign}${hours}${rest}`,
        ...(rest === '00' ? [`${date} ${time}${sign}${hours}`] : []),
        `${weekday}, ${day} ${month} ${year} ${time} ${sign}${hours}${rest}`,
        `${weekday} ${month} ${day} ${year} ${time} GMT${sign}${hours}${rest} (Somewhere)`,
      ])
        if (read(text) !== at) throw new Error(`${text} is ${read(text)}, not ${at}`);
    }),
    { seed: 39, numRuns: tries(3_000) },
  );
});

t.test('a date with one meaning is read, whoever wrote it', async (t) => {
  const at = '2026-11-29T15:00:00.000Z';
  const forms = {
    'year first': [
      '2026/11/29 15:00',
      '2026/11/29 15:00:00',
      '2026.11.29 15:00',
      '2026/11/29, 15:00',
    ],
    'ISO 8601, basic': [
      '20261129T150000Z',
      '20261129T1500Z',
      '20261129T220000+0700',
      '20261129150000',
    ],
    'with halves of the day': [
      'Nov 29, 2026, 3:00:00 PM',
      'Nov 29, 2026, 3:00:00\u202fPM',
      'November 29, 2026 at 3:00 PM UTC',
      '2026-11-29 03:00 pm',
      '29 November 2026 3:00 p.m.',
    ],
    'years of two digits': [
      'Sun, 29 Nov 26 15:00:00 +0000',
      'Sunday, 29-Nov-26 15:00:00 GMT',
      '29-NOV-26 15:00:00',
      '29-NOV-26 03.00.00 PM'.replaceAll('.', ':'),
    ],
    offsets: [
      '2026-11-29 22:00 GMT+7',
      '2026-11-29 22:00 UTC+7',
      '2026-11-29 22:00:00 +7',
      '2026-11-29T20:30+5:30',
      '2026-11-29T10:00:00\u221205:00',
    ],
    'zones of programs': [
      'Sun Nov 29 22:00:00 WIB 2026',
      'Sun Nov 29 22:00:00 ICT 2026',
      'Mon Nov 30 00:00:00 JST 2026',
      '2026-11-29 16:00:00 CET',
      '2026-11-30 00:30 ACST',
    ],
  };
  for (const [what, texts] of Object.entries(forms))
    for (const text of texts) t.equal(read(text), at, `${what}: ${text}`);
  t.equal(read('2026-11-29T24:00:00Z'), '2026-11-30T00:00:00.000Z', 'the end of a day');
  t.equal(read('2026-12-31 24:00'), '2027-01-01T00:00:00.000Z');
  t.equal(read('2026-11-29 12:05 AM'), '2026-11-29T00:05:00.000Z');
  t.equal(read('2026-11-29 12:05 PM'), '2026-11-29T12:05:00.000Z');
  t.equal(read('2026-3-1 9:05'), '2026-03-01T09:05:00.000Z');
  t.equal(read('2026/3/1'), '2026-03-01T00:00:00.000Z');
  t.equal(read('29-NOV-71'), '1971-11-29T00:00:00.000Z');
  for (const day of ['20261129', 20261129]) t.equal(read(day), '2026-11-29T00:00:00.000Z');
  t.equal(read('20261329'), '1970-08-23T12:08:49.000Z', 'no day, so a number');
  t.equal(read(20261129.5), '1970-08-23T12:05:29.500Z');
});

t.test('now and today are the instant of the render, numbers are seconds', async (t) => {
  t.equal(instantOf('now', nowMs, zoneOf('UTC')), nowMs);
  t.equal(instantOf('today', nowMs, zoneOf('Asia/Tokyo')), nowMs);
  t.equal(read(86_400), '1970-01-02T00:00:00.000Z');
  t.equal(read('86400'), '1970-01-02T00:00:00.000Z');
});

t.test('what is no date, or lies outside the years 1 to 9999, is none', async (t) => {
  const none = [
    ...['soon', '', '2026-13-01', '2026-00-01', '2026-02-29', '2026-04-31', '2026-3-32'],
    ...['2026-03-01T24:01', '2026-03-01T10:60', '2026-03-01T10:00:61', '0000-12-31', '9999-12-31'],
    ...['2026-03-01 10:00 XYZ', '2026-03-01 10:00 IST', '2026-03-01T10', '2026-03-01 10:00+24'],
    ...[
      '2026-03/01',
      '2026/03-01',
      '2026-03-01 13:00 PM',
      '2026-03-01 0:30 AM',
      '2026-03-01 24:00 AM',
    ],
    ...[
      '20261301T100000Z',
      '20260230T100000Z',
      '20261129T246000Z',
      '1/2/26',
      '01.02.2026',
      '26-03-01',
    ],
    ...['31 Jun 2026', 'Juny 1, 2026', 'March 2026', '1/2/2026', '10:00', '1749499200,5', '--1'],
    ...[Number.NaN, Number.POSITIVE_INFINITY, 1e20, -1e20, '9'.repeat(20), '1'.repeat(129)],
    ...[undefined, null, true, {}],
  ];
  for (const value of none) t.equal(read(value), undefined, String(value));
  t.equal(read('2028-02-29', 'UTC'), '2028-02-29T00:00:00.000Z');
  const zones: readonly Millis[] = [-14 * hourMs, 14 * hourMs];
  for (const offsetMs of zones) {
    const ms = instantOf('0001-01-03', nowMs, () => offsetMs);
    t.equal(ms, new Date('0001-01-03T00:00:00Z').getTime() - offsetMs);
  }
});
