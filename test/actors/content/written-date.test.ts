import t from 'tap';
import { instantOf } from '../../../actors/content/written-date.ts';
import { hourMs, type Millis } from '../../../engine/base/brand.ts';
import { zoneOf } from '../../../engine/time/civil-time.ts';

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

t.test('now and today are the instant of the render, numbers are seconds', async (t) => {
  t.equal(instantOf('now', nowMs, zoneOf('UTC')), nowMs);
  t.equal(instantOf('today', nowMs, zoneOf('Asia/Tokyo')), nowMs);
  t.equal(read(86_400), '1970-01-02T00:00:00.000Z');
  t.equal(read('86400'), '1970-01-02T00:00:00.000Z');
});

t.test('what is no date, or lies outside the years 1 to 9999, is none', async (t) => {
  const none = [
    ...['soon', '', '2026-13-01', '2026-00-01', '2026-02-29', '2026-04-31', '2026-3-1'],
    ...['2026-03-01T24:00', '2026-03-01T10:60', '2026-03-01T10:00:61', '0000-12-31', '9999-12-31'],
    ...[Number.NaN, Number.POSITIVE_INFINITY, 1e15, -1e15, '9'.repeat(20), '1'.repeat(65)],
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
