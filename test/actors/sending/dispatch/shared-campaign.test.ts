// Campaigns that two dispatch threads share: in any order of what the threads do, the account has
// one window, everybody gets one call, and one person's calls keep their order.

import fc from 'fast-check';
import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { parseId } from '../../../../engine/base/id.ts';
import { tries } from '../../../support/tries.ts';
import { SharedWorld } from './shared-world.ts';

const accepted = { outcome: 'accepted' } as const;

/** Lets everything end; the provider accepts all. */
async function untilDone(world: SharedWorld): Promise<void> {
  for (let round = 0; round < 10_000; round++) {
    let hasMoved = false;
    for (const thread of world.threads.keys()) {
      while (world.grant(thread)) hasMoved = true;
      while (await world.task(thread)) hasMoved = true;
      while (await world.report(thread)) hasMoved = true;
    }
    while (await world.answer(0, accepted)) hasMoved = true;
    if (!hasMoved) return;
  }
  throw new Error('it does not come to rest');
}

function personsOf(world: SharedWorld, lane: 'bulk' | 'express'): number[] {
  return world.called
    .filter((one) => one.lane === lane)
    .map(({ endpoint }) => Number(String(endpoint).slice('token-'.length)));
}

t.test('two threads share a campaign, each with its part of the window', async (t) => {
  const world = await SharedWorld.open(300);
  await world.campaign();
  for (const thread of [0, 1]) {
    while (world.grant(thread));
    t.equal(world.open.filter((one) => one.thread === thread).length, 28, `thread ${thread}`);
  }
  t.ok(world.shared >= 2);
  await untilDone(world);
  const persons = personsOf(world, 'bulk');
  t.equal(persons.length, 300);
  t.equal(new Set(persons).size, 300, 'nobody twice');
  t.ok(world.most <= limits.bulkInFlightMax);
});

t.test('single sends in flight beyond their share keep a campaign in their thread', async (t) => {
  const world = await SharedWorld.open(100);
  for (let person = 0; person < 40; person++) await world.single(person);
  await world.campaign();
  t.equal(world.shared, 0);
  const home = world.threads.findIndex(({ grants }) => grants.length > 0);
  while (world.grant(home));
  t.equal(world.threads[1 - home]?.grants.length, 0);
  t.equal(world.open.length, limits.bulkInFlightMax);
  await untilDone(world);
  t.equal(personsOf(world, 'bulk').length, 100);
});

t.test('beside a shared campaign single sends come first, within their share', async (t) => {
  const world = await SharedWorld.open(100);
  await world.campaign();
  for (const thread of [0, 1]) while (world.grant(thread));
  for (let person = 0; person < 60; person++) await world.single(person);
  for (const thread of [0, 1]) while (world.grant(thread));
  t.ok(world.sharedGrants > 0);
  t.equal(world.open.length, limits.inFlightPerAccountMax, 'eight beside 56');
  const isRow = ({ attempt }: (typeof world.open)[number]) => attempt.lane === 'bulk';
  while (world.open.some(isRow)) {
    await world.answer(world.open.findIndex(isRow), accepted);
    for (const thread of [0, 1]) {
      while (await world.task(thread));
      while (await world.report(thread));
    }
    for (const thread of [0, 1]) while (world.grant(thread));
  }
  t.equal(world.open.length, 36, 'single sends come before the rows that wait in their thread');
  await untilDone(world);
  t.equal(personsOf(world, 'express').length, 60);
  t.equal(personsOf(world, 'bulk').length, 100);
  t.ok(world.most <= limits.inFlightPerAccountMax);
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ grants: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ tasks: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ reports: fc.nat(1) }) },
  {
    weight: 8,
    arbitrary: fc.record({ answers: fc.nat(200), count: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ singles: fc.nat(99), count: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ erases: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.constant({ campaign: true }) },
);

t.test('in any order: 64 calls at most, everybody once, and in order', async (t) => {
  let shared = 0;
  let beside = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 160 }), async (steps) => {
      const world = await SharedWorld.open(100);
      const campaigns = [await world.campaign()];
      const erased = new Set<number>();
      for (const one of steps) {
        if ('grants' in one) world.grant(one.grants);
        else if ('tasks' in one) await world.task(one.tasks);
        else if ('reports' in one) await world.report(one.reports);
        else if ('answers' in one)
          for (let i = 0; i < one.count; i++) await world.answer(one.answers, accepted);
        else if ('singles' in one)
          for (let i = 0; i < one.count; i++) await world.single((one.singles + i) % 100);
        else if ('erases' in one) {
          erased.add(one.erases);
          await world.erase(one.erases);
        } else if (campaigns.length < 3) campaigns.push(await world.campaign());
      }
      await untilDone(world);
      shared += world.shared;
      beside += world.sharedGrants;
      if (world.most > limits.inFlightPerAccountMax) return false;
      return isEverybodyOnce(world, campaigns.length, erased);
    }),
    { numRuns: tries(120) },
  );
  t.ok(shared > 100 && beside > 100, `${shared} shared waves, ${beside} grants beside them`);
});

/** Every row of a wave was called once, in the order of waves; who was not erased has them all. */
function isEverybodyOnce(
  { called, granted }: SharedWorld,
  campaigns: number,
  erased: ReadonlySet<number>,
): boolean {
  const calls = new Map<number, { readonly token: number; readonly sends: string[] }>();
  for (const { lane, endpoint, sendId } of called) {
    if (lane !== 'bulk') continue;
    const person = parseId('ntf', sendId)?.low32 ?? -1;
    const token = Number(String(endpoint).slice('token-'.length));
    const known = calls.get(person) ?? { token, sends: [] };
    known.sends.push(sendId);
    calls.set(person, known);
  }
  let complete = 0;
  for (const [person, { token, sends }] of calls) {
    if (sends.join() !== granted.get(person)?.join()) return false;
    if (sends.length === campaigns) complete++;
    else if (!erased.has(token)) return false;
  }
  return complete >= 100 - erased.size;
}
