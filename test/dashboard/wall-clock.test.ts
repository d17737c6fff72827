// The dashboard's wall clock against Temporal, which the server uses, over all zones.

import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { axisTime, bucketTime } from '../../dashboard/time/buckets.ts';
import { instantOfWall, nightsThatSkip, wallOf } from '../../dashboard/time/wall-clock.ts';
import { zoneNames } from '../../dashboard/time/zones.ts';

const yearMs = Date.parse('2026-01-01T00:00:00Z');
const dayMs = 86_400_000;

/** Instants at which the zone's clock is changed within two years. */
function changesOf(zone: string): readonly number[] {
  const found: number[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(yearMs).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds > yearMs + 730 * dayMs) return found;
    found.push(next.epochMilliseconds);
    at = next;
  }
}

t.test('every zone: around each change of its clock, and on plain days', async (t) => {
  const wrong: string[] = [];
  for (const zone of zoneNames()) {
    const around = changesOf(zone).flatMap((atMs) =>
      [-61, -1, 0, 29, 61].map((minutes) => atMs + minutes * 60_000),
    );
    for (const atMs of [yearMs, yearMs + 181 * dayMs, ...around]) {
      const instant = Temporal.Instant.fromEpochMilliseconds(atMs);
      const wall = instant.toZonedDateTimeISO(zone).toPlainDateTime().toString().slice(0, 16);
      if (wallOf(atMs, zone) !== wall) wrong.push(`${zone} ${atMs}: ${wallOf(atMs, zone)}`);
      // Also a time of day an hour on, which the change may skip.
      for (const minutes of [0, 30, 60]) {
        const plain = Temporal.PlainDateTime.from(wall).add({ minutes });
        const text = plain.toString().slice(0, 16);
        const known = plain.toZonedDateTime(zone, { disambiguation: 'compatible' });
        const found = instantOfWall(text, zone);
        const isSkipped = !known.toPlainDateTime().equals(plain);
        if (found?.atMs !== known.epochMilliseconds || (found.kind === 'skipped') !== isSkipped)
          wrong.push(`${zone} ${text}: ${found?.atMs} ${found?.kind}`);
      }
    }
  }
  t.strictSame(wrong, []);
});

t.test('a time of day that a zone skips within a year is told with its night', async (t) => {
  t.strictSame(nightsThatSkip('02:30', 'Europe/Berlin', Date.parse('2026-11-24T09:00:00Z')), [
    Date.parse('2027-03-28T01:00:00Z'),
  ]);
  t.strictSame(nightsThatSkip('09:00', 'Europe/Berlin', yearMs), []);
  t.strictSame(nightsThatSkip('02:30', 'Asia/Bangkok', yearMs), []);
  t.strictSame(nightsThatSkip('half past', 'UTC', yearMs), []);
});

t.test('a bucket is named by the clock of its zone', async (t) => {
  const midnightInBangkok = Date.parse('2026-11-23T17:00:00Z');
  t.equal(axisTime(midnightInBangkok, 'day', 'Asia/Bangkok'), '24 Nov');
  t.match(bucketTime(midnightInBangkok, 'hour', 'Asia/Bangkok'), /24 Nov 2026, 00:00/);
});
