import fc from 'fast-check';
import t from 'tap';
import { noHistory } from '../../../../actors/events/history/event-history.ts';
import { StoredWalk } from '../../../../actors/events/read/stored-walk.ts';
import type { Interval, Trends } from '../../../../actors/insight/insights/protocol.ts';
import { trends } from '../../../../actors/insight/insights/trends.ts';
import { eventLog } from '../../../../actors/runtime/event-log.ts';
import { StopFlag } from '../../../../engine/thread/shared-word.ts';
import {
  daysLater,
  InsightWorld,
  mondayOf,
  type RawEvent,
  shownIn,
} from '../../../support/insight-world.ts';
import { tries } from '../../../support/tries.ts';

const zones = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Cairo'];
const names = ['purchase', 'session', 'delivered', 'ปุ่ม', 'nothing'];

/** Counts by the label of a bucket, straight from the raw events. */
function expected(
  events: readonly RawEvent[],
  {
    zone,
    interval,
    days,
    nowMs,
  }: { zone: string; interval: Interval; days: number; nowMs: number },
) {
  const today = shownIn(zone, nowMs).date;
  const first = daysLater(today, 1 - days);
  const counts = new Map<string, Map<string, number>>();
  const label = (atMs: number) => {
    const { date, hour, offset } = shownIn(zone, atMs);
    if (interval === 'hour') return `${date} ${hour} ${offset}`;
    if (interval === 'day') return date;
    return mondayOf(date) < first ? first : mondayOf(date);
  };
  // Time may be a little ahead of now within the last bucket only.
  const isIn = (atMs: number) =>
    shownIn(zone, atMs).date >= first && (atMs <= nowMs || label(atMs) === label(nowMs));
  for (const { name, atMs } of events) {
    if (!isIn(atMs)) continue;
    const of = counts.get(name) ?? new Map<string, number>();
    counts.set(name, of.set(label(atMs), (of.get(label(atMs)) ?? 0) + 1));
  }
  return { counts, label, first };
}

t.test('trends are the counts of the raw events, in every zone, wherever they lie', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 1e6 }),
      fc.constantFrom(...zones),
      fc.constantFrom<Interval>('hour', 'day', 'week'),
      fc.integer({ min: 1, max: 30 }),
      fc.option(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }), { nil: undefined }),
      async (seed, zone, interval, days, asked) => {
        const world = await InsightWorld.begin(seed);
        const { app } = world;
        await world.one.value(app, 'app.update', { timezone: zone });
        await world.live(48);
        if (!world.days.apps.includes(app)) return world.close();
        const question = {
          kind: 'insight.trends' as const,
          interval,
          days,
          ...(asked === undefined ? {} : { events: asked }),
        };
        const { starts, events } = await world.ask<Trends>(app, question);
        const nowMs = world.one.clock.nowMs;
        const { counts, label, first } = expected(world.raw(app), { zone, interval, days, nowMs });
        t.equal(shownIn(zone, starts[0] as number).date, first);
        t.equal(label(starts.at(-1) as number), label(nowMs));
        t.same(
          starts,
          [...new Set(starts)].sort((a, b) => a - b),
          'ascending, none twice',
        );
        const told = new Map(events.map(({ name, counts }) => [name, counts]));
        t.same([...told.keys()].sort(), (asked ?? [...counts.keys()]).toSorted());
        for (const [name, by] of told) {
          const found = new Map<string, number>();
          starts.forEach((at, bucket) => {
            const n = by[bucket] as number;
            if (n > 0) found.set(label(at), (found.get(label(at)) ?? 0) + n);
          });
          t.same(found, counts.get(name) ?? new Map());
        }
        await world.fold(true);
        t.same(await world.ask<Trends>(app, question), { starts, events }, 'after a checkpoint');
        return world.close();
      },
    ),
    { seed: 71, numRuns: tries(10) },
  );
});

t.test(
  'the names of trends are the most frequent, and the same however few counts fit',
  async (t) => {
    const world = await InsightWorld.begin(5);
    const { app } = world;
    const track = (name: string, times: number) =>
      world.one.value(
        app,
        'events.ingest',
        { keyless: false },
        {
          bytes: Buffer.from(
            JSON.stringify({ events: Array(times).fill({ name, externalUserId: 'ana' }) }),
          ),
        },
      );
    for (let n = 0; n < 40; n++) await track(`name-${n}`, 1 + (n % 8));
    await track('__proto__', 9);
    const question = { kind: 'insight.trends' as const, interval: 'hour' as const, days: 3 };
    const facts = await world.facts(app, question);
    const walk = new StoredWalk(app, eventLog(world.store), noHistory, new StopFlag());
    const whole = trends(question, facts, walk);
    const order = [
      '__proto__',
      15,
      23,
      31,
      39,
      7,
      14,
      22,
      30,
      38,
      6,
      13,
      21,
      29,
      37,
      5,
      12,
      20,
      28,
      36,
    ];
    t.same(
      whole.events.map(({ name }) => name),
      order.map((n) => (typeof n === 'string' ? n : `name-${n}`)),
    );
    t.same(trends(question, facts, walk, 1), whole);
    await world.close();
  },
);

t.test('a stopped insight ends at the next file', async (t) => {
  const world = await InsightWorld.begin(6);
  const { app } = world;
  await world.live(40);
  const stop = new StopFlag();
  stop.set();
  const question = { kind: 'insight.trends' as const, interval: 'day' as const };
  t.equal(await world.ask(app, question, stop), null);
  await world.close();
});
