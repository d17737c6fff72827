// The carrier's status callbacks through the actor: what becomes of sends, devices, campaigns and
// the log.

import t from 'tap';
import { dayMs, minuteMs } from '../../../../engine/base/brand.ts';
import { newId } from '../../../../engine/base/id.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { askStatus, reportStatus, type Sent } from './provider.ts';

const taken = { taken: 1, repeated: 0, ignored: 0 };
const repeated = { taken: 0, repeated: 1, ignored: 0 };
const ignored = { taken: 0, repeated: 0, ignored: 1 };
const undelivered = { MessageStatus: 'undelivered', ErrorCode: '30005' };

/** A scene in which somebody has been sent a text by itself. */
async function withNotification() {
  const scene = await Scene.open({ available: ['sms', 'voice', 'fcm'] });
  await scene.people(1, ['sms']);
  const { id } = await notify(scene);
  await scene.run();
  return { scene, id, sent: scene.sent[0] as Sent };
}

const notify = (scene: Scene) =>
  scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, channels: ['sms'], body: 'Hi' },
    claim: null,
  } as never);

const read = (scene: Scene, id: string) => scene.one.value(scene.app, 'transactional.read', { id });

const deviceOf = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'subscriber.read', { ref: { externalUserId: 'user-0' } }))
    .devices[0];

t.test('a late failure bounces the send once, and a dead number is pruned', async (t) => {
  const { scene, id, sent } = await withNotification();
  t.match(await read(scene, id), { status: 'delivered' });
  t.same(await reportStatus(scene, 'sms', sent, { MessageStatus: 'sent' }), repeated);
  t.same(await reportStatus(scene, 'sms', sent, undelivered), taken);
  t.match(await read(scene, id), {
    status: 'bounced',
    outcomes: [{ status: 'delivered' }, { status: 'bounced', reason: 'unknown_handset' }],
  });
  t.match(await deviceOf(scene), { enabled: false, disabledReason: 'unknown_handset' });
  t.same(await reportStatus(scene, 'sms', sent, undelivered), repeated);
  t.same(await reportStatus(scene, 'sms', sent, { MessageStatus: 'delivered' }), taken);
  t.match(await read(scene, id), { status: 'bounced' });
  t.equal(scene.events('bounced').length, 1);
  t.match(scene.events('bounced'), [
    { sendId: id, deviceId: sent.deviceId, channel: 'sms', meta: { reason: 'unknown_handset' } },
  ]);
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('a failure that says nothing of the number leaves the device', async (t) => {
  const { scene, id, sent } = await withNotification();
  await reportStatus(scene, 'sms', sent, { MessageStatus: 'undelivered', ErrorCode: '30003' });
  t.match(await read(scene, id), { status: 'bounced' });
  t.match(await deviceOf(scene), { enabled: true });
});

t.test('a failure told with a graver reason later bounces no second time', async (t) => {
  const { scene, id, sent } = await withNotification();
  await reportStatus(scene, 'sms', sent, { MessageStatus: 'failed' });
  await reportStatus(scene, 'sms', sent, undelivered);
  t.match(await read(scene, id), {
    outcomes: [{ status: 'delivered' }, { status: 'bounced', reason: 'unknown_handset' }],
  });
  t.match(await deviceOf(scene), { enabled: false });
  t.equal(scene.events('bounced').length, 1);
});

t.test('that they had replied STOP suppresses the number on every phone channel', async (t) => {
  const { scene, sent } = await withNotification();
  await reportStatus(scene, 'sms', sent, { MessageStatus: 'undelivered', ErrorCode: '21610' });
  const { items } = await scene.one.value(scene.app, 'suppression.list', {
    channel: 'whatsapp',
    limit: 10,
  });
  t.match(items, [{ identity: 'phone', source: 'callback', reason: 'opted_out' }]);
  t.equal(scene.events('unsubscribed').length, 1);
  t.notOk(scene.firstGap());
});

t.test('a send or a device that is not known is taken and ignored', async (t) => {
  const { scene, sent } = await withNotification();
  const { durableSeq } = scene.one.store;
  const rng = seededRng(5);
  const { nowMs } = scene.one.clock;
  const strangers: Sent[] = [
    { ...sent, sendId: newId('ntf', scene.app, nowMs, rng) },
    { ...sent, sendId: newId('ntf', scene.app + 4096, nowMs, rng) },
    { ...sent, sendId: 'ntf_nonsense' },
    { ...sent, deviceId: newId('dev', scene.app, nowMs, rng) },
    { ...sent, deviceId: '' },
  ];
  for (const one of strangers) t.same(await reportStatus(scene, 'sms', one, undelivered), ignored);
  t.same(await reportStatus(scene, 'voice', sent, { CallStatus: 'busy' }), ignored);
  t.same(await reportStatus(scene, 'sms', sent, { MessageStatus: 'teleported' }), ignored);
  t.equal(scene.one.store.durableSeq, durableSeq, 'nothing was written');
});

t.test('a callback under another token is refused and changes nothing', async (t) => {
  const { scene, id, sent } = await withNotification();
  const answer = await askStatus(scene, 'sms', sent, undelivered, 'another-auth-token');
  t.match(answer, { ok: false, fault: { code: 'invalid_signature', message: /auth token/ } });
  t.match(await read(scene, id), { status: 'delivered' });
});

t.test('a failure that overtakes the answer to its call counts once that is in', async (t) => {
  const scene = await Scene.open({ available: ['sms'] });
  await scene.people(1, ['sms']);
  const { id } = await notify(scene);
  await scene.one.settle();
  const letGo = scene.hold();
  await scene.callGranted();
  const sent = scene.sent[0] as Sent;
  t.same(await reportStatus(scene, 'sms', sent, undelivered), taken);
  t.same(await reportStatus(scene, 'sms', sent, undelivered), repeated);
  t.match(await read(scene, id), { status: 'pending' });
  await letGo();
  t.match(await read(scene, id), { status: 'delivered' });
  await scene.advance(5_000);
  t.match(await read(scene, id), { status: 'bounced' });
  t.match(await deviceOf(scene), { enabled: false });
  t.equal(scene.events('bounced').length, 1);
  await scene.advance(60 * minuteMs);
  t.equal(scene.events('bounced').length, 1);
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('a read that overtakes the answer to its call is one open', async (t) => {
  const scene = await Scene.open({ available: ['sms'] });
  await scene.people(1, ['sms']);
  const { id } = await scene.campaign({ channels: ['sms'] });
  await scene.one.value(scene.app, 'campaign.send', { id });
  const letGo = scene.hold();
  await scene.one.settle();
  await scene.callGranted();
  const sent = scene.sent[0] as Sent;
  t.same(await reportStatus(scene, 'sms', sent, { MessageStatus: 'read' }), taken);
  t.match(scene.events('opened'), [{ sendId: sent.sendId, campaignId: id }]);
  await letGo();
  await scene.advance(5_000);
  t.same(await reportStatus(scene, 'sms', sent, { MessageStatus: 'read' }), repeated);
  t.equal(scene.events('opened').length, 1);
  t.match(await scene.stats(id), { delivered: 1, opened: 1 });
  t.notOk(scene.firstGap());
});

t.test('a send that waits because nobody knew its outcome is not made again', async (t) => {
  for (const [status, end] of [
    ['delivered', 'delivered'],
    ['sent', 'delivered'],
    ['undelivered', 'bounced'],
  ] as const) {
    const scene = await Scene.open({ available: ['sms'] });
    await scene.people(1, ['sms']);
    scene.answers = () => ({ outcome: 'ambiguous', reason: 'timeout' });
    const { id } = await notify(scene);
    await scene.run();
    t.match(await read(scene, id), { status: 'pending' });
    await reportStatus(scene, 'sms', scene.sent[0] as Sent, { MessageStatus: status });
    t.match(await read(scene, id), { status: end });
    await scene.advance(10 * minuteMs);
    t.equal(scene.sent.length, 1, 'nobody pays twice');
    t.notOk(scene.firstGap());
  }
});

t.test('a campaign’s figures follow a late failure, once', async (t) => {
  const scene = await Scene.open({ available: ['sms'] });
  await scene.people(3, ['sms']);
  const { id } = await scene.sentCampaign({ channels: ['sms'] });
  t.match(await scene.stats(id), { sent: 3, delivered: 3, bounced: 0 });
  const first = scene.sent.find(({ endpoint }) => endpoint === endpointOf('user-0', 'sms')) as Sent;
  for (let i = 0; i < 3; i++) await reportStatus(scene, 'sms', first, undelivered);
  const stats = await scene.stats(id);
  t.match(stats, { sent: 3, delivered: 2, bounced: 1 });
  t.match(stats.byChannel.sms, { sent: 3, delivered: 2, bounced: 1 });
  t.match(scene.events('bounced'), [{ campaignId: id, person: 0 }]);
  t.match(await deviceOf(scene), { enabled: false });
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('a person whom another device reached stays delivered', async (t) => {
  const scene = await Scene.open({ available: ['sms', 'fcm'] });
  await scene.people(1, ['fcm', 'sms', 'sms']);
  const { id } = await scene.sentCampaign({ channels: ['fcm', 'sms'] });
  const texts = scene.sent.filter(({ channel }) => channel === 'sms');
  t.equal(texts.length, 2);
  for (const text of texts) await reportStatus(scene, 'sms', text, undelivered);
  const stats = await scene.stats(id);
  t.match(stats, { sent: 1, delivered: 1, bounced: 0 });
  t.match(stats.byChannel.sms, { delivered: 0, bounced: 2 });
  t.ok(await scene.moveByCheckpoint());
});

t.test('a row of what was told goes with its send', async (t) => {
  const { scene, sent } = await withNotification();
  await reportStatus(scene, 'sms', sent, undelivered);
  await scene.advance(100 * dayMs);
  t.same(await reportStatus(scene, 'sms', sent, undelivered), ignored);
});
