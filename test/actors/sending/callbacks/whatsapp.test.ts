// WhatsApp's webhook through the actor: signatures, batches, reads, late failures.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import {
  appSecret,
  askWhatsapp,
  reportWhatsapp,
  type Sent,
  statusOf,
  withWhatsapp,
} from './provider.ts';

async function withCampaign(people = 2) {
  const scene = await Scene.open({ available: ['whatsapp'] });
  await withWhatsapp(scene);
  for (let i = 0; i < people; i++)
    await scene.person(`user-${i}`, [], {
      devices: [{ channel: 'whatsapp', endpoint: `+1415555${1000 + i}` }],
    });
  const messageId = await scene.message({
    payload: { whatsapp: { templateName: 'news', languageCode: 'en_US' } },
  });
  const { id } = await scene.sentCampaign({ channels: ['whatsapp'], messageId });
  return { scene, id, sent: scene.sent as readonly Sent[] };
}

t.test('a read is one open of its send, also where no delivery was told', async (t) => {
  const { scene, id, sent } = await withCampaign();
  const [first] = sent as [Sent];
  const readSeconds = scene.one.clock.nowMs / 1000 - 30;
  const read = statusOf(first, 'read', { timestamp: String(readSeconds) });
  t.match(await reportWhatsapp(scene, { statuses: [read] }), { taken: 1 });
  t.match(await reportWhatsapp(scene, { statuses: [read, statusOf(first, 'delivered')] }), {
    repeated: 2,
  });
  t.match(scene.events('opened'), [
    {
      sendId: first.sendId,
      deviceId: first.deviceId,
      channel: 'whatsapp',
      atMs: readSeconds * 1000,
    },
  ]);
  t.equal(scene.events('opened').length, 1);
  t.match(await scene.stats(id), { sent: 2, delivered: 2, opened: 1 });
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('a failure after it was taken is a bounce, and 131026 disables the device', async (t) => {
  const { scene, id, sent } = await withCampaign();
  const [first, second] = sent as [Sent, Sent];
  const failed = (one: Sent, code: number) => statusOf(one, 'failed', { errors: [{ code }] });
  const statuses = [failed(first, 131026), failed(second, 131049), failed(first, 131026)];
  t.match(await reportWhatsapp(scene, { statuses }), { taken: 2, repeated: 1 });
  t.match(await scene.stats(id), { sent: 2, delivered: 0, bounced: 2 });
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  const enabled = items.flatMap(({ devices }) => devices.filter((one) => one.enabled));
  t.equal(enabled.length, 1);
  t.equal(enabled[0]?.id, second.deviceId);
  t.equal(scene.events('bounced').length, 2);
  t.notOk(scene.firstGap());
});

t.test('a late 131050 ends marketing alone', async (t) => {
  const { scene, sent } = await withCampaign();
  const [first] = sent as [Sent];
  const failed = statusOf(first, 'failed', { errors: [{ code: 131050 }] });
  t.match(await reportWhatsapp(scene, { statuses: [failed, failed] }), { taken: 1, repeated: 1 });
  const { items } = await scene.one.value(scene.app, 'suppression.list', { limit: 10 });
  t.match(items, [{ scope: 'marketing', source: 'callback', reason: 'marketing_stopped' }]);
  t.equal(items.length, 1);
  t.match(scene.events('unsubscribed'), [{ meta: { scope: 'marketing' } }]);
  t.equal(scene.events('unsubscribed').length, 1);
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test(
  'a body is refused unless it is signed with the stored secret, and the words say why',
  async (t) => {
    const { scene, sent } = await withCampaign(1);
    const values = [{ statuses: [statusOf(sent[0] as Sent, 'read')] }];
    t.match(await askWhatsapp(scene, values, 'another secret'), {
      fault: { code: 'invalid_signature', message: /^x-hub-signature-256: .*appSecret/ },
    });
    await withWhatsapp(scene, {});
    t.match(await askWhatsapp(scene, values), {
      fault: { code: 'invalid_signature', message: /^appSecret: / },
    });
    t.equal(scene.events('opened').length, 0);
    await withWhatsapp(scene, { appSecret });
    t.match(await askWhatsapp(scene, values), { ok: true });
  },
);

t.test('the handshake asks for the stored verify token', async (t) => {
  const { scene } = await withCampaign(1);
  const ask = (mode: string | undefined, verifyToken: string | undefined) =>
    scene.one.ask(scene.app, 'callback.whatsapp_subscribe', { mode, verifyToken });
  t.match(await ask('subscribe', 'verify me'), { ok: true });
  for (const token of ['verify m', 'verify me!', '', undefined])
    t.match(await ask('subscribe', token), { fault: { message: /^hub\.verify_token: / } });
  for (const mode of ['unsubscribe', undefined])
    t.match(await ask(mode, 'verify me'), { fault: { message: /^hub\.mode: / } });
});

t.test('a long batch is taken in parts of bounded length', async (t) => {
  const { scene } = await withCampaign(1);
  const nobody = { sendId: 'ntf_nobody', deviceId: 'dev_nobody' };
  const statuses = Array.from({ length: limits.callbackItemsMax + 1 }, () =>
    statusOf(nobody, 'delivered'),
  );
  const values = [{ statuses }];
  t.match(await askWhatsapp(scene, values), {
    value: { ignored: limits.callbackItemsMax, next: limits.callbackItemsMax },
  });
  t.match(await askWhatsapp(scene, values, appSecret, limits.callbackItemsMax), {
    value: { ignored: 1, next: null },
  });
});

t.test('what is not understood makes no batch longer, however much there is of it', async (t) => {
  const { scene } = await withCampaign(1);
  const statuses = Array.from({ length: 10 * limits.callbackItemsMax }, () => ({}));
  t.match(await askWhatsapp(scene, [{ statuses }]), {
    value: { ignored: statuses.length, next: null },
  });
});
