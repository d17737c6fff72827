// What campaigns tell the event stream: names and references of each kind, numbered without a gap
// among everybody else's.

import t from 'tap';
import { hourMs } from '../../../../engine/base/brand.ts';
import { endpointOf, Scene } from './scene.ts';

t.test('every event of a campaign names what it is about', async (t) => {
  const scene = await Scene.open();
  await scene.settings({ quietHours: { start: '22:00', end: '08:00', timezone: 'subscriber' } });
  const tokyo = { timezone: 'Asia/Tokyo' };
  await scene.person('reached', ['email'], tokyo);
  await scene.person('held', ['email']);
  await scene.person('out', ['email'], tokyo);
  await scene.person('bounced', ['email'], tokyo);
  await scene.person('two', ['email', 'email'], tokyo);
  await scene.optOut('email', endpointOf('out', 'email'));
  scene.answers = ({ endpoint }) =>
    endpoint === endpointOf('bounced', 'email')
      ? {
          outcome: 'permanent',
          reason: 'rejected',
          detail: 'no such box',
          providerMessageId: 'p-0',
        }
      : { outcome: 'accepted', providerMessageId: `p-${String(endpoint)}` };
  const filter = { tag: 'first_name', exists: true };
  const { id, messageId } = await scene.campaign({ channels: ['email'], filter });
  await scene.send(id);
  const about = { campaignId: id, messageId, channel: 'email', atMs: scene.one.clock.nowMs };
  const of = (person: number, name?: string) =>
    scene.events().filter((one) => one.person === person && (name ?? one.name) === one.name);
  const deviceOf = (who: string) =>
    scene.sent.find(({ endpoint }) => endpoint === endpointOf(who, 'email'))?.deviceId;
  t.match(of(0), [
    {
      ...about,
      name: 'delivered',
      deviceId: deviceOf('reached'),
      sendId: scene.sent[0]?.sendId,
      meta: { attempts: 1, providerMessageId: `p-${endpointOf('reached', 'email')}` },
    },
  ]);
  t.match(of(1), [
    {
      ...about,
      name: 'deferred',
      sendId: undefined,
      meta: { reason: 'quiet_hours', until: '2026-01-01T08:00:00.000Z' },
    },
  ]);
  t.match(of(2, 'suppressed'), [{ campaignId: id, channel: 'email', meta: { reason: 'opt_out' } }]);
  t.match(of(3), [
    { ...about, name: 'bounced', meta: { reason: 'rejected', detail: 'no such box', attempts: 1 } },
  ]);
  t.equal(of(4, 'delivered').length, 2, 'a receipt a device');
  t.equal(new Set(of(4).map(({ deviceId }) => deviceId)).size, 2);
  t.equal(new Set(of(4).map(({ sendId }) => sendId)).size, 1);
  t.notOk(scene.firstGap());
});

t.test('each variant names its own message', async (t) => {
  const scene = await Scene.withPeople(60);
  const messageIds = [await scene.message({ title: 'a' }), await scene.message({ title: 'b' })];
  await scene.sentCampaign({
    variants: messageIds.map((messageId, i) => ({ id: `v${i}`, weight: 1, messageId })),
  });
  const titles = new Map(scene.sent.map(({ sendId, content }) => [sendId, content.title]));
  const events = scene.events('delivered');
  t.equal(events.length, 60);
  for (const { sendId, messageId } of events)
    t.equal(messageId, messageIds[titles.get(sendId ?? '') === 'a' ? 0 : 1]);
});

t.test('receipts of campaigns and of single sends share one numbering', async (t) => {
  const scene = await Scene.withPeople(200, ['fcm', 'email']);
  const { id } = await scene.campaign({ channels: ['fcm', 'email'] });
  const release = scene.hold();
  await scene.send(id);
  for (let i = 0; i < 20; i++) {
    const to = { externalUserId: `user-${i}` };
    const request = { to, title: 'Hi', body: 'there' };
    await scene.one.value(scene.app, 'transactional.accept', { request, claim: null });
    await scene.track(`user-${i}`, 'opened', { campaignId: id });
  }
  await release();
  await scene.crash();
  await scene.advance(hourMs);
  t.equal(scene.events('delivered').length, 440);
  t.notOk(scene.firstGap());
});
