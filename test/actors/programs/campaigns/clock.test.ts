// When campaigns get their turn: many that are due at one instant, and one about which nothing can
// be decided.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { CampaignClock } from '../../../../actors/programs/campaigns/clock.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { Scene } from './scene.ts';

t.test('campaigns that are due at one instant begin over several turns, all of them', async (t) => {
  const scene = await Scene.open();
  const other = await scene.anotherApp();
  const atMs = scene.one.clock.nowMs + hourMs;
  const count = 3 * limits.turnCampaignsMax;
  const ids: string[] = [];
  for (const one of [scene, other]) {
    await one.people(1);
    const messageId = await one.message();
    for (let i = 0; i < count; i++) {
      const { id } = await one.sentCampaign({ messageId, schedule: { type: 'at', atMs } });
      if (one === scene) ids.push(id);
    }
  }
  await scene.advance(hourMs);
  const begun: number[][] = [];
  for (const { entries } of scene.blocks()) {
    const owners = entries.flatMap(({ kind, owner }) => (kind === 'campaign.started' ? owner : []));
    if (owners.length > 0) begun.push(owners);
  }
  t.equal(begun.flat().length, 2 * count);
  t.ok(
    begun.every(({ length }) => length <= limits.turnCampaignsMax),
    'no turn is longer',
  );
  t.equal(new Set(begun.slice(0, 2).flat()).size, 2, 'and the apps take turns');
  for (const id of ids) t.match(await scene.stats(id), { state: 'completed', delivered: 1 });
});

t.test('an app of whose campaigns nothing is decided is asked in a minute', async (t) => {
  const scene = await Scene.withPeople(1);
  const atMs = scene.one.clock.nowMs + hourMs;
  const { id } = await scene.sentCampaign({ schedule: { type: 'at', atMs } });
  const { state } = scene.one.product;
  const clock = new CampaignClock({} as never); // its rules are for what begins
  const due = (nowMs: number) => clock.due(state, { nowMs, wallMs: nowMs, isShared: false });
  clock.begin(state);
  t.same(due(atMs - 1), []);
  t.match(due(atMs), [{ message: { kind: 'campaign.due', id } }]);
  t.equal(clock.nextMs, atMs + minuteMs);
  t.same(due(atMs + 1), []);
  t.equal(due(atMs + minuteMs).length, 1);
  clock.confirmed();
  t.equal(due(atMs + minuteMs).length, 1, 'or at once, when the clock is confirmed');
});
