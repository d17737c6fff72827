// What became of each person of a campaign, listed page by page: each list is as long as the
// statistics say.

import t from 'tap';
import type { CountedPage } from '../../../../actors/people/audience/protocol.ts';
import { recipientOutcomes } from '../../../../actors/programs/campaigns/protocol.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { endpointOf, Scene } from './scene.ts';

async function all(scene: Scene, id: string, wanted: object = {}, limit = 3) {
  const found = [];
  const totals = new Set<number | null>();
  let cursor: string | null | undefined;
  do {
    const page: CountedPage<{ readonly externalUserId?: string }> = await scene.one.value(
      scene.app,
      'campaign.recipients',
      { ...{ id, limit, ...wanted }, ...(cursor == null ? {} : { cursor }) },
    );
    found.push(...page.items);
    totals.add(page.total);
    cursor = page.nextCursor;
  } while (cursor !== null);
  t.same([...totals], [found.length], `the total of ${JSON.stringify(wanted)}`);
  return found;
}

t.test('the lists are as long as the statistics say, by outcome and variant', async (t) => {
  const scene = await Scene.withPeople(40, ['email']);
  await scene.people(5, [], {}, 'unreached');
  scene.answers = ({ endpoint }) =>
    endpoint === endpointOf('user-1', 'email')
      ? { outcome: 'permanent', reason: 'rejected' }
      : { outcome: 'accepted' };
  const messageIds = [await scene.message({ title: 'a' }), await scene.message({ title: 'b' })];
  const { id } = await scene.campaign({
    ...{ channels: ['email'], filter: { tag: 'first_name', exists: true }, holdoutShare: 0.2 },
    variants: messageIds.map((messageId, i) => ({ id: `v${i}`, weight: 1, messageId })),
    goal: { event: 'bought', withinHours: 1 },
  });
  t.same(await all(scene, id), [], 'a draft has none');
  await scene.send(id);
  for (let i = 0; i < 40; i += 3) {
    await scene.track(`user-${i}`, 'opened', { campaignId: id });
    await scene.track(`user-${i}`, 'bought');
  }
  const stats = await scene.stats(id);
  for (const outcome of recipientOutcomes) {
    const listed = (await all(scene, id, { outcome })).length;
    const counted =
      outcome === 'holdout' ? stats.holdout.size : outcome === 'pending' ? 0 : stats[outcome];
    t.equal(listed, counted, outcome);
  }
  for (const variant of ['v0', 'v1']) {
    const { delivered = 0, opened = 0 } = stats.byVariant[variant] ?? {};
    t.equal((await all(scene, id, { variant, outcome: 'delivered' })).length, delivered);
    t.equal((await all(scene, id, { variant, outcome: 'opened' })).length, opened);
  }
  const everyone = await all(scene, id);
  t.equal(everyone.length, stats.audience - stats.holdout.size);
  t.equal(new Set(everyone.map(({ externalUserId }) => externalUserId)).size, everyone.length);
  const [suppressed] = await all(scene, id, { outcome: 'suppressed' });
  t.match(suppressed, { outcome: 'suppressed', reason: 'no_device', opened: false });
});

t.test('a list says when it is no longer known, and which occurrence is not', async (t) => {
  const scene = await Scene.withPeople(2);
  const { id } = await scene.sentCampaign();
  t.equal((await all(scene, id, { occurrence: 1 })).length, 2);
  const ask = (more: object) =>
    scene.one.ask(scene.app, 'campaign.recipients', { id, limit: 1, ...more } as never);
  t.match(await ask({ occurrence: 2 }), { fault: { code: 'not_found', field: 'occurrence' } });
  t.match(await ask({ cursor: 'r1-x!' }), { fault: { field: 'cursor' } });
  await scene.advance(31 * dayMs);
  t.match(await ask({}), { fault: { code: 'wrong_state', message: /campaignId/ } });
});
