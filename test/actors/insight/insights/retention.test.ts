import fc from 'fast-check';
import t from 'tap';
import { LastSeen } from '../../../../actors/audiences/segments/last-seen.ts';
import { growth } from '../../../../actors/insight/insights/growth.ts';
import type {
  Facts,
  Growth,
  Period,
  Retention,
} from '../../../../actors/insight/insights/protocol.ts';
import { retention } from '../../../../actors/insight/insights/retention.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { daysLater, InsightWorld, mondayOf, shownIn } from '../../../support/insight-world.ts';
import { scattered } from '../../../support/scattered-events.ts';
import { tries } from '../../../support/tries.ts';

const nowMs = Date.UTC(2026, 2, 31, 12); // two days after clocks changed in Europe
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland'];

/** The period that an instant is in, by its first day. */
function periodOf(zone: string, interval: Period, atMs: number): string {
  const { date } = shownIn(zone, atMs);
  if (interval === 'day') return date;
  return interval === 'week' ? mondayOf(date) : `${date.slice(0, 7)}-01`;
}

/** The period before. */
function before(interval: Period, period: string): string {
  if (interval === 'month') return `${daysLater(period, -1).slice(0, 7)}-01`;
  return daysLater(period, interval === 'day' ? -1 : -7);
}

const people = 8;
const instants = fc.integer({ min: 0, max: 90 * 24 }).map((hours) => nowMs - hours * hourMs + 1);

t.test('each cohort is followed through each period, whatever lies where', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.option(instants), { minLength: people, maxLength: people }),
      fc.array(
        fc.record({
          name: fc.constantFrom('order', 'session', 'delivered', 'journey_enrolled'),
          person: fc.integer({ min: 0, max: people + 1 }),
          atMs: instants,
        }),
        { maxLength: 60 },
      ),
      fc.constantFrom<Period>('day', 'week', 'month'),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 'order', 'delivered'),
      fc.constantFrom(...zones),
      fc.integer(),
      (created, events, interval, periods, asked, zone, seed) => {
        const span = interval === 'month' ? Math.min(3, periods) : periods;
        const column = new LastSeen();
        // Who has none was erased.
        created.forEach((atMs, person) => {
          if (atMs !== null) column.touch(person, atMs, people);
        });
        const facts: Facts = {
          nowMs,
          timezone: zone,
          span,
          erased: created.flatMap((atMs, person) => (atMs === null ? [person] : [])),
          created: { next: people, column: column.snapshot() },
        };
        const found = retention(
          { interval, ...(asked === undefined ? {} : { event: asked }) },
          facts,
          scattered(events, seededRng(seed)),
        );
        const names = [periodOf(zone, interval, nowMs)];
        while (names.length < span) names.unshift(before(interval, names[0] as string));
        t.strictSame(
          found.starts
            .map((startMs) => shownIn(zone, startMs))
            .map(({ date, hour }) => [date, hour]),
          names.map((name) => [name, '00']),
        );
        const isActive = (name: string) =>
          asked === undefined ? name === 'order' || name === 'session' : name === asked;
        const expected = names.map((cohort, first) => {
          const theirs = created.flatMap((atMs, person) =>
            atMs !== null && periodOf(zone, interval, atMs) === cohort ? [person] : [],
          );
          const active = names
            .slice(first)
            .map(
              (period) =>
                theirs.filter((person) =>
                  events.some(
                    (one) =>
                      one.person === person &&
                      isActive(one.name) &&
                      periodOf(zone, interval, one.atMs) === period,
                  ),
                ).length,
            );
          return { people: theirs.length, active };
        });
        t.strictSame(found.cohorts, expected);
        if (interval === 'month') return;
        // Growth counts the same people by the same calendar.
        const days = interval === 'week' ? 7 * span : span;
        const grown = growth({ interval: 'day' }, { ...facts, span: days });
        const came = created.filter((atMs) => atMs !== null);
        grown.starts.forEach((startMs, bucket) => {
          const { date } = shownIn(zone, startMs);
          const shown = came.map((atMs) => shownIn(zone, atMs).date);
          t.equal(grown.new[bucket], shown.filter((one) => one === date).length);
          t.equal(grown.total[bucket], shown.filter((one) => one <= date).length);
        });
        t.equal(grown.starts.length, days);
      },
    ),
    { seed: 23, numRuns: tries(120) },
  );
});

t.test(
  'cohorts and growth are of the people who are there, and the same after a checkpoint',
  async (t) => {
    const world = await InsightWorld.begin(8);
    await world.live(80);
    const { app } = world;
    const { erased, count, next } = world.one.product.state.apps.get(app)?.people ?? {
      count: 0,
      next: 0,
      erased: new Set(),
    };
    t.ok(erased.size > 0);
    const cohorts = { kind: 'insight.retention' as const, interval: 'week' as const, periods: 12 };
    const before = await world.ask<Retention>(app, cohorts);
    const grown = await world.ask<Growth>(app, {
      kind: 'insight.growth',
      interval: 'week',
      days: 365,
    });
    t.equal(grown.total.at(-1), count);
    t.equal(next, count + erased.size);
    t.equal(
      before.cohorts.reduce((sum, one) => sum + one.people, 0),
      count,
    );
    t.ok(before.cohorts.some(({ active }) => active.slice(1).some((some) => some > 0)));
    await world.fold(true);
    t.strictSame(await world.ask<Retention>(app, cohorts), before);
    await world.close();
  },
);

t.test('what an app cannot answer exactly is refused with what it can', async (t) => {
  const world = await InsightWorld.begin(9);
  const { app } = world;
  const refusal = async (question: Parameters<typeof world.facts>[1]) => {
    const answer = await world.one.ask(app, 'insight.facts', {
      question: { ...question, by: -1 } as never,
    });
    return answer.ok ? undefined : [answer.fault.field, answer.fault.message];
  };
  const spanOf = async (question: Parameters<typeof world.facts>[1]) =>
    (await world.facts(app, question)).span;
  t.equal(await spanOf({ kind: 'insight.retention', interval: 'month' }), 2);
  t.equal(await spanOf({ kind: 'insight.retention', interval: 'week' }), 8);
  t.same(await refusal({ kind: 'insight.retention', interval: 'week', periods: 13 }), [
    'periods',
    'periods: this app keeps events for 90 days; expected 1 to 12 weeks',
  ]);
  t.equal(await spanOf({ kind: 'insight.growth', interval: 'day', days: 3_660 }), 3_660);
  t.same((await refusal({ kind: 'insight.growth', interval: 'day', days: 3_661 }))?.[0], 'days');
  t.same((await refusal({ kind: 'insight.growth', interval: 'hour', days: 91 }))?.[0], 'interval');
  await world.one.value(app, 'settings.patch', { patch: { eventsRetentionDays: 7 } });
  t.same((await refusal({ kind: 'insight.retention', interval: 'month' }))?.[0], 'interval');
  t.equal(await spanOf({ kind: 'insight.rfm' }), 7);
  t.same((await refusal({ kind: 'insight.rfm', days: 8 }))?.[0], 'days');
  t.same((await refusal({ kind: 'insight.funnel', steps: ['a', 'b'], days: 8 }))?.[0], 'days');
  const filter = { tag: 'plan', eq: 1, event: 'x' };
  t.same((await refusal({ kind: 'insight.funnel', steps: ['a', 'b'], filter }))?.[0], 'filter');
  await world.close();
});
