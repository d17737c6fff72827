// What a campaign changed: the people it was for against those held out of it, recounted from the
// event stream and the log.

import fc from 'fast-check';
import t from 'tap';
import {
  isHeldOut,
  isInSample,
  variantFor,
} from '../../../../actors/programs/campaigns/bucketing.ts';
import type { CampaignRecord } from '../../../../actors/programs/campaigns/records.ts';
import { Bitset } from '../../../../engine/base/bitset.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { Scene } from './scene.ts';

const goal = { event: 'bought', withinHours: 2 };

t.test('held-out people who reach the goal count, and are compared', async (t) => {
  const scene = await Scene.withPeople(40);
  const { id } = await scene.sentCampaign({ goal, holdoutShare: 0.5 });
  for (let i = 0; i < 40; i++) await scene.track(`user-${i}`, 'bought');
  const { sent, holdout, treated, lift } = await scene.stats(id);
  t.same(holdout, { size: 40 - sent, converted: 40 - sent, conversionRate: 1 });
  t.same(treated, { size: sent, converted: sent, conversionRate: 1 });
  t.match(lift, { difference: 0, relative: 0 });
  t.ok(lift !== null && lift.low < 0 && lift.high > 0);
});

t.test('who could not be sent to counts as treated all the same', async (t) => {
  const scene = await Scene.withPeople(20);
  await scene.people(20, [], {}, 'unreached');
  const filter = { tag: 'first_name', exists: true };
  const { id } = await scene.sentCampaign({ goal, filter, holdoutShare: 0.3 });
  for (let i = 0; i < 20; i++) await scene.track(`unreached-${i}`, 'bought');
  const { converted, holdout, treated, audience } = await scene.stats(id);
  t.equal(converted, 0, 'nobody converted after a send');
  t.equal((treated?.converted ?? 0) + (holdout.converted ?? 0), 20);
  t.equal((treated?.size ?? 0) + holdout.size, audience);
});

t.test('without a goal or a holdout there is nothing to compare', async (t) => {
  const scene = await Scene.withPeople(20);
  const plain = await scene.campaign({ goal });
  const aimless = await scene.campaign({ holdoutShare: 0.5 });
  await scene.send(plain.id);
  await scene.send(aimless.id);
  await scene.track('user-0', 'bought');
  const none = { treated: null, lift: null };
  const unknown = { converted: null, conversionRate: null };
  t.match(await scene.stats(plain.id), { converted: 1, holdout: { size: 0, ...unknown }, ...none });
  t.match(await scene.stats(aimless.id), { holdout: unknown, ...none });
});

const someone = fc.nat(29);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('buy' as const), who: someone }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), min: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('merge' as const), who: someone }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('checkpoint' as const) }) },
);
const world = fc.record({
  holdoutShare: fc.constantFrom(0.2, 0.5),
  isThrottled: fc.boolean(),
  kind: fc.constantFrom('plain', 'variants', 'experiment'),
  steps: fc.array(step, { minLength: 5, maxLength: 25 }),
});

t.test('the comparison is a recount of the log, whatever is merged and restarted', async (t) => {
  const check = async (given: typeof world extends fc.Arbitrary<infer W> ? W : never) => {
    const scene = await Scene.open();
    await scene.settings({ identityVerification: 'open' });
    await scene.people(20);
    // The rest begin as strangers with a device, and may become one of those.
    const strangers = [];
    for (let i = 20; i < 30; i++) strangers.push(await scene.anonymous('fcm', `user-${i}`));
    const waiting = [...strangers];
    const { id } = await scene.sentCampaign(await inputOf(scene, given));
    for (const one of given.steps) {
      if (one.does === 'wait') await scene.advance(one.min * minuteMs);
      else if (one.does === 'crash') await scene.crash();
      else if (one.does === 'checkpoint') same(await scene.moveByCheckpoint(), true);
      else if (one.does === 'merge') {
        // Everyone merges once: the token is gone afterwards.
        await waiting.pop()?.become(`user-${one.who % 20}`);
      } else if (one.who < 20) await scene.track(`user-${one.who}`, 'bought');
      else
        await scene.trackPerson(strangers[one.who - 20]?.subscriberId ?? '', 'bought', {
          at: new Date(scene.one.clock.nowMs - 30 * minuteMs).toISOString(),
        });
    }
    const { holdout, treated, byVariant } = await scene.stats(id);
    const record = await scene.one.value(scene.app, 'campaign.read', { id });
    const counted = recount(scene, record);
    same(shownGroup(holdout), counted.get('holdout'));
    same(shownGroup(treated), counted.get('treated'));
    for (const { id: variant } of record.variants ?? [])
      same(shownGroup(byVariant[variant]?.treated ?? null), counted.get(variant) ?? [0, 0]);
  };
  await fc.assert(fc.asyncProperty(world, check), { numRuns: tries(25) });
  t.pass();
});

async function inputOf(
  scene: Scene,
  { kind, isThrottled, holdoutShare }: { kind: string; isThrottled: boolean; holdoutShare: number },
) {
  const messageIds = [await scene.message({ title: 'a' }), await scene.message({ title: 'b' })];
  const variants = messageIds.map((messageId, i) => ({ id: `v${i}`, weight: 1, messageId }));
  const decideAfterMinutes = 60;
  const experiment = { sampleShare: 0.5, winnerMetric: 'converted', decideAfterMinutes } as const;
  return {
    goal,
    holdoutShare,
    ...(isThrottled ? { throttle: { perMinute: 1 } } : {}),
    ...(kind === 'plain' ? {} : { variants }),
    ...(kind === 'experiment' ? { experiment } : {}),
  };
}

/** Members of the entries that are read. */
interface Said {
  readonly atMs: number;
  readonly audience: Uint8Array;
  readonly turns: readonly { readonly turn: string }[];
  readonly variant: string;
  readonly person: number;
  readonly into: number;
}

/** [size, converted] of each group, from entries and events alone. */
function recount(scene: Scene, record: CampaignRecord): Map<string, readonly [number, number]> {
  const held = new Set<number>();
  const treated = new Set<number>();
  const converted = new Set<number>();
  const into = new Map<number, number>();
  const whole = (one: number): number => (into.has(one) ? whole(into.get(one) as number) : one);
  let startedMs = Number.POSITIVE_INFINITY;
  let lastMs = 0;
  let winner: string | null = null;
  for (const { entries } of scene.blocks())
    for (const entry of entries) {
      const said = entry as unknown as Said;
      if (entry.kind === 'campaign.started') {
        startedMs = lastMs = said.atMs;
        Bitset.restore(said.audience).forEach((one) => {
          (isHeldOut(record, one) ? held : treated).add(one);
        });
      }
      if (entry.kind === 'campaign.decided') {
        if (said.turns.some(({ turn }) => turn === 'wave' || turn === 'send')) lastMs = said.atMs;
      }
      if (entry.kind === 'campaign.won') winner = said.variant;
      if (entry.kind === 'subscriber.merged') into.set(said.person, said.into);
      for (const { name, person, atMs } of scene.eventsOf(entry)) {
        if (name !== 'bought' || atMs < startedMs || atMs > lastMs + 2 * hourMs) continue;
        for (const one of [...held, ...treated])
          if (whole(one) === whole(person)) converted.add(one);
      }
    }
  const of = (group: Iterable<number>) => {
    const all = [...group];
    return [all.length, all.filter((one) => converted.has(one)).length] as const;
  };
  const isDrawn = (one: number) => winner !== null || isInSample(record, one);
  const drawn = [...treated].filter(isDrawn);
  const variants = (record.variants ?? []).map(({ id }) => {
    const theirs = drawn.filter((one) => variantFor(record, { winner }, one) === id);
    return [id, of(theirs)] as const;
  });
  return new Map([['holdout', of(held)], ['treated', of(treated)], ...variants]);
}

function shownGroup(group: { size: number; converted: number | null } | null) {
  return [group?.size, group?.converted];
}

function same(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${JSON.stringify(actual)}, a recount ${JSON.stringify(expected)}`);
}
