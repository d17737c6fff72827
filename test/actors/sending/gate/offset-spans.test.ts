import fc from 'fast-check';
import t from 'tap';
import { offsetSpan } from '../../../../actors/sending/gate/offset-spans.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { changesIn, reader } from './read-clock.ts';

const zones = Intl.supportedValuesOf('timeZone');

t.test('every zone has the offset that its wall clock shows, from 1975 to 2100', async (t) => {
  let changing = 0;
  const readers = new Map<string, ReturnType<typeof reader>>();
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2100, 11, 31) }),
      (zone, atMs) => {
        const read = readers.get(zone) ?? reader(zone);
        readers.set(zone, read);
        const { fromMs, untilMs, offsetMs } = offsetSpan(zone, atMs);
        if (fromMs > atMs || untilMs <= atMs)
          throw new Error(`${zone} ${atMs} is outside its stretch`);
        if (untilMs - fromMs < 300 * dayMs) changing++;
        for (const ms of [atMs, fromMs, (fromMs + untilMs) / 2, untilMs - minuteMs]) {
          const { day, minute } = read(ms);
          const shown = day * dayMs + minute * minuteMs;
          if (Math.floor((ms + offsetMs) / minuteMs) * minuteMs !== shown)
            throw new Error(`${zone} ${new Date(ms).toISOString()}`);
        }
      },
    ),
    { seed: 4, numRuns: tries(1_500) },
  );
  t.ok(changing > tries(300), `${changing} in years in which the clock was changed`);
});

t.test('stretches follow each other, and where the offset changes they part', async (t) => {
  for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Tokyo']) {
    const changes: number[] = [];
    let span = offsetSpan(zone, Date.UTC(2026, 0, 1));
    while (span.untilMs < Date.UTC(2027, 0, 1)) {
      const next = offsetSpan(zone, span.untilMs);
      t.equal(next.fromMs, span.untilMs);
      if (next.offsetMs !== span.offsetMs) changes.push(next.fromMs);
      span = next;
    }
    t.same(changes, changesIn(zone, 2026), zone);
  }
});

t.test('a zone goes by any case of its letters, and what is no zone is UTC for ever', async (t) => {
  const june = Date.UTC(2026, 5, 1);
  t.equal(offsetSpan('europe/LONDON', june).offsetMs, hourMs);
  t.equal(offsetSpan('US/Pacific', june).offsetMs, -7 * hourMs);
  for (const zone of ['', 'UTC', 'Nowhere/Land', 'subscriber', 'x'.repeat(10_000)])
    t.equal(offsetSpan(zone, june).offsetMs, 0, zone.slice(0, 20));
});
