import fc from 'fast-check';
import t from 'tap';
import { funnel } from '../../../../actors/insight/insights/funnel.ts';
import type { EventFunnel, Facts } from '../../../../actors/insight/insights/protocol.ts';
import { Bitset } from '../../../../engine/base/bitset.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { InsightWorld } from '../../../support/insight-world.ts';
import { type ScatteredEvent, scattered } from '../../../support/scattered-events.ts';
import { tries } from '../../../support/tries.ts';

const nowMs = Date.UTC(2026, 2, 15, 12);

/** Tries every way through the steps. */
function oracle(
  events: readonly ScatteredEvent[],
  steps: readonly string[],
  fromMs: number,
  withinMs: number,
): EventFunnel {
  const counts = steps.map(() => 0);
  const gaps = steps.map((): number[] => []);
  for (const person of new Set(events.map((one) => one.person))) {
    const theirs = events.filter((one) => one.person === person && one.atMs > fromMs);
    /** First arrival by step, with the latest arrival at the step before on any way to it. */
    const arrivals = steps.map((): { atMs: number; beforeMs: number }[] => []);
    const go = (step: number, beganMs: number, lastMs: number) => {
      for (const { name, atMs } of theirs) {
        if (name !== steps[step] || atMs <= lastMs) continue;
        const began = step === 0 ? atMs : beganMs;
        if (atMs - began > withinMs) continue;
        arrivals[step]?.push({ atMs, beforeMs: lastMs });
        if (step + 1 < steps.length) go(step + 1, began, atMs);
      }
    };
    go(0, 0, Number.NEGATIVE_INFINITY);
    arrivals.forEach((ways, step) => {
      if (ways.length === 0) return;
      counts[step] = (counts[step] as number) + 1;
      const firstMs = Math.min(...ways.map(({ atMs }) => atMs));
      const beforeMs = Math.max(
        ...ways.filter(({ atMs }) => atMs === firstMs).map((way) => way.beforeMs),
      );
      if (step > 0) gaps[step]?.push(firstMs - beforeMs);
    });
  }
  const median = (some: number[]) => {
    const sorted = some.toSorted((a, b) => a - b);
    if (sorted.length === 0) return null;
    const middle = Math.floor(sorted.length / 2);
    return sorted.length % 2 === 1
      ? (sorted[middle] as number)
      : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
  };
  return {
    steps: steps.map((event, step) => ({
      event,
      count: counts[step] as number,
      medianMs: step === 0 ? null : median(gaps[step] as number[]),
    })),
  };
}

const name = fc.constantFrom('a', 'b', 'c', 'other');
// A coarse grid of times, so that events fall together and onto the very end of the time allowed.
const event = fc.record({
  name,
  person: fc.integer({ min: 0, max: 9 }),
  atMs: fc.integer({ min: 0, max: 40 }).map((step) => nowMs - 4 * dayMs + step * 3 * hourMs),
});

t.test('a funnel finds every person who completed it, however the events are stored', async (t) => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 44 }),
      fc.array(name, { minLength: 2, maxLength: 4 }),
      fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      fc.integer({ min: 1, max: 5 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 2 }),
      fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 4 })), { nil: undefined }),
      fc.uniqueArray(fc.tuple(fc.integer({ min: 5, max: 9 }), fc.integer({ min: 0, max: 4 })), {
        selector: ([alias]) => alias,
        maxLength: 3,
      }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer(),
      (stored, steps, withinHours, span, erased, chosen, merged, rowsMax, seed) => {
        const audience = new Bitset();
        for (const person of chosen ?? []) audience.set(person);
        const facts: Facts = {
          nowMs,
          timezone: 'UTC',
          span,
          erased,
          merged: Uint32Array.from(merged.toSorted(([a], [b]) => a - b).flat()),
          ...(chosen === undefined ? {} : { audience: audience.snapshot() }),
        };
        const asked = { steps, ...(withinHours === undefined ? {} : { withinHours }) };
        const found = funnel(asked, facts, scattered(stored, seededRng(seed)), rowsMax);
        const into = new Map(merged);
        const events = stored.map((one) => ({
          ...one,
          person: into.get(one.person) ?? one.person,
        }));
        const seen = events
          .filter(({ person }) => !erased.includes(person))
          .filter(({ person }) => chosen?.includes(person) ?? true);
        const withinMs =
          withinHours === undefined ? Number.POSITIVE_INFINITY : withinHours * hourMs;
        const expected = oracle(seen, steps, nowMs - span * dayMs, withinMs);
        t.strictSame(found, expected);
      },
    ),
    { seed: 17, numRuns: tries(400) },
  );
});

t.test('who begins again in time is not lost, and who is a millisecond late is', async (t) => {
  const at = (name: string, minutes: number, person = 1) => ({
    name,
    person,
    atMs: nowMs - dayMs + minutes * 60_000,
  });
  const facts: Facts = { nowMs, timezone: 'UTC', span: 7, erased: [] };
  const counts = (events: ScatteredEvent[], withinHours: number) =>
    funnel(
      { steps: ['a', 'b', 'c'], withinHours },
      facts,
      scattered(events, seededRng(1)),
    ).steps.map(({ count }) => count);
  const again = [at('a', 0), at('b', 30), at('a', 50), at('b', 55), at('c', 100)];
  t.same(counts(again, 1), [1, 1, 1], 'the first beginning is too early for the last step');
  t.same(counts(again.slice(0, 3).concat(at('c', 60)), 1), [1, 1, 1], 'exactly in time');
  t.same(counts(again.slice(0, 3).concat(at('c', 60.001)), 1), [1, 1, 0]);
  t.same(counts([at('a', 0), at('b', 0), at('c', 0)], 1), [1, 0, 0], 'at once is not later');
});

t.test(
  'a filter of a funnel is evaluated now, and a funnel is the same after a checkpoint',
  async (t) => {
    const world = await InsightWorld.begin(3);
    await world.live(60);
    const { app } = world;
    await world.one.value(app, 'subscriber.upsert', {
      subscriber: { externalUserId: 'user-1', tags: { plan: 'pro' } },
    });
    const steps = ['session', 'purchase'];
    const question = { kind: 'insight.funnel' as const, steps, days: 60 };
    const everybody = await world.ask<EventFunnel>(app, question);
    const raw = world.raw(app);
    t.strictSame(
      everybody,
      oracle(raw, steps, world.one.clock.nowMs - 60 * dayMs, Number.POSITIVE_INFINITY),
    );
    t.ok((everybody.steps[1]?.count ?? 0) > 2);
    const filter = { tag: 'plan', eq: 'pro' };
    const [first] = (await world.ask<EventFunnel>(app, { ...question, filter })).steps;
    t.equal(first?.count, 1);
    await world.fold(true);
    t.strictSame(await world.ask<EventFunnel>(app, question), everybody);
    await world.close();
  },
);

t.test('receipts of tests are no step of a funnel, in the log and in history', async (t) => {
  const world = await InsightWorld.begin(4);
  const { one, app } = world;
  const content = { title: 'x', body: 'x' };
  const { id } = await one.value(app, 'message.create', { message: { content } });
  const steps = ['delivered', 'thanked'];
  const ask = async () =>
    (await world.ask<EventFunnel>(app, { kind: 'insight.funnel', steps, days: 7 })).steps.map(
      ({ count }) => count,
    );
  t.same(await ask(), [0, 0]);
  one.takeGrants();
  for (const name of ['ada', 'ben', 'eve']) {
    const to = { externalUserId: name };
    const devices = [{ channel: 'fcm' as const, endpoint: `token-of-${name}` }];
    await one.value(app, 'subscriber.upsert', { subscriber: { ...to, devices } });
    if (name === 'ada') {
      const request = { to, ...content };
      await one.value(app, 'transactional.accept', { request, claim: null });
    } else await one.value(app, 'message.test', { id, to, claim: null });
    for (const { channel, attempts } of one.takeGrants()) {
      // A provider's words cannot mark a receipt as a test.
      const outcome = { outcome: 'accepted' as const, providerMessageId: '"test":true' };
      const reports = attempts.map(({ target, attempt: { sendId, attempt } }) => {
        return { sendId, target, attempt, outcome };
      });
      await one.ask(app, 'dispatch.report', { channel, reports });
    }
    await one.advance(1_000);
    const bytes = Buffer.from(JSON.stringify({ events: [{ name: 'thanked', ...to }] }));
    await one.value(app, 'events.ingest', { keyless: false }, { bytes });
  }
  t.equal(world.raw(app).filter(({ name }) => name === 'delivered').length, 3);
  t.same(await ask(), [1, 1], 'hers alone');
  await world.fold(true);
  t.same(await ask(), [1, 1]);
  await world.close();
});
