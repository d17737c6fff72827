// What a gateway for texts reports by its own id, or by ours, and what people write to its number:
// through the actor, to the send, the device and the opt-outs.

import t from 'tap';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { CallbackItem } from '../../../../actors/channels/port/callback-item.ts';
import { inboundItem } from '../../../../actors/channels/port/callback-item.ts';
import type { DeliveryReport } from '../../../../actors/channels/port/delivery-report.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';

const number = endpointOf('user-0', 'sms');

async function addGateway(scene: Scene): Promise<string> {
  const { id: relayId } = await scene.one.value(scene.app, 'relay.create', {
    channel: 'sms',
    relayKind: 'http',
    input: {
      name: 'Gateway',
      config: {
        recipe: 'africastalking',
        credentials: { apiKey: 'a', username: 'b', reports: 'c' },
      },
    },
  });
  return relayId;
}

/** A text to one person through a gateway that names it by an id of its own. */
async function withText({ reports = true } = {}) {
  const scene = await Scene.open({ available: [] });
  const relayId = await addGateway(scene);
  await scene.people(1, ['sms']);
  if (reports) await scene.one.value(scene.app, 'relay.reported', { relayId });
  scene.answers = () => ({
    outcome: 'accepted',
    providerMessageId: 'ATPid_1',
    ...(reports ? { reports: true as const } : {}),
  });
  const { id } = await scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, channels: ['sms'], body: 'Hi' },
    claim: null,
  } as never);
  await scene.run();
  const read = () => scene.one.value(scene.app, 'transactional.read', { id });
  const tell = (items: readonly CallbackItem[], from = relayId) =>
    scene.one.value(scene.app, 'callback.gateway', { relayId: from, items });
  return { scene, id, read, tell, sent: scene.sent[0] as Attempt };
}

const byName = (news: DeliveryReport, address = number): CallbackItem => ({
  kind: 'status',
  name: 'ATPid_1',
  addresses: [address],
  news,
});

const device = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'subscriber.read', { ref: { externalUserId: 'user-0' } }))
    .devices[0];
const suppressed = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'suppression.list', { limit: 10 })).items;

t.test('a text without a carrier leaves by the gateway, and waits for its report', async (t) => {
  const { scene, id, read, tell } = await withText();
  t.equal(scene.sent.length, 1);
  t.match(await read(), { status: 'pending', outcomes: [{ status: 'accepted' }] });
  t.match(await tell([byName({ kind: 'taken' })]), { taken: 0 });
  t.match(await tell([byName({ kind: 'arrived' })]), { taken: 1 });
  t.match(await tell([byName({ kind: 'arrived' })]), { repeated: 1 });
  t.match(await read(), { id, status: 'delivered' });
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('a report by our own ids needs no id of the gateway', async (t) => {
  const { read, tell, sent } = await withText();
  const { sendId, deviceId } = sent;
  const news = { kind: 'arrived' } as const;
  t.match(await tell([{ kind: 'status', sendId, deviceId, addresses: [], news }]), { taken: 1 });
  t.match(await read(), { status: 'delivered' });
});

t.test('a dead number disables the device, an opt-out suppresses it', async (t) => {
  const gone = await withText();
  const failed = { kind: 'failed', reason: 'invalid_number' } as const;
  t.match(await gone.tell([byName({ ...failed, effect: 'dead' })]), { taken: 1 });
  t.match(await gone.read(), { status: 'bounced' });
  t.match(await device(gone.scene), { enabled: false });
  const left = await withText();
  const optedOut = { kind: 'failed', reason: 'opted_out', effect: 'opted_out' } as const;
  t.match(await left.tell([byName(optedOut)]), { taken: 1 });
  t.match(await suppressed(left.scene), [{ reason: 'opted_out' }]);
  t.match(await device(left.scene), { enabled: true });
});

t.test('another number, another id or another relay says nothing about the text', async (t) => {
  const { read, tell } = await withText();
  const news = { kind: 'failed', reason: 'failed', effect: 'dead' } as const;
  const unknown = { ...byName(news), name: 'ATPid_2' } as CallbackItem;
  t.match(await tell([byName(news, '+14155550199'), unknown]), { taken: 0, ignored: 2 });
  t.match(await tell([byName(news)], 'rel_0000000000000000000000000b'), { ignored: 1 });
  t.match(await read(), { status: 'pending' });
});

t.test('STOP to the number opts out once, and START ends it', async (t) => {
  const { scene, tell } = await withText();
  const says = (id: string, text: string) =>
    inboundItem({ id, from: number, atMs: undefined, texts: [text] });
  t.match(await tell([says('1', 'STOP')]), { taken: 1 });
  t.match(await suppressed(scene), [{ reason: 'stop', source: 'callback' }]);
  t.match(await tell([says('1', 'STOP')]), { repeated: 1 });
  t.match(await tell([says('2', 'START')]), { taken: 1 });
  t.same(await suppressed(scene), []);
});

t.test('an app whose gateway never reports has its texts delivered when accepted', async (t) => {
  const { read, tell } = await withText({ reports: false });
  t.match(await read(), { status: 'delivered' });
  const failed = { kind: 'failed', reason: 'failed', effect: 'none' } as const;
  t.match(await tell([byName(failed)]), { taken: 1 });
  t.match(await read(), { status: 'bounced' });
});
