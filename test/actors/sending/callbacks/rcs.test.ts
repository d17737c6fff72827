// What the RCS platform pushes, through the actor.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { attemptUuid } from '../../../../actors/channels/port/attempt-uuid.ts';
import type { Answer } from '../../../../engine/actor/message.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { type Sent, tookIn } from './provider.ts';

const clientToken = 'client-token-of-tests';
const number = endpointOf('user-0', 'rcs');

async function withCampaign(more: object = { clientToken }) {
  const scene = await Scene.open({ available: ['rcs', 'sms'] });
  const credential = { agentId: 'agent', region: 'europe', ...more };
  await scene.one.value(scene.app, 'credential.put', {
    channel: 'rcs',
    credential,
    fingerprint: 'f',
  } as never);
  await scene.people(2, ['rcs']);
  const { id } = await scene.sentCampaign({ channels: ['rcs'] });
  const sent = scene.sent.find(({ endpoint }) => endpoint === number) as Sent;
  return { scene, id, messageId: attemptUuid(sent.sendId, sent.deviceId), sent };
}

function ask(scene: Scene, body: object, signature?: string): Promise<Answer> {
  const bytes = Buffer.from(JSON.stringify(body));
  return scene.one.ask(scene.app, 'callback.rcs', { signature } as never, { bytes });
}

function push(scene: Scene, event: object, token = clientToken): Promise<Answer> {
  const data = Buffer.from(JSON.stringify(event));
  const signature = createHmac('sha512', token).update(data).digest('base64');
  return ask(scene, { message: { data: data.toString('base64') } }, signature);
}

t.test('a read is one open, and a message revoked at its end is a bounce', async (t) => {
  const { scene, id, messageId, sent } = await withCampaign();
  const of = (eventType: string) => ({ senderPhoneNumber: number, eventType, messageId });
  t.match(tookIn(await push(scene, of('DELIVERED'))), { taken: 1 });
  t.match(tookIn(await push(scene, of('READ'))), { taken: 1 });
  t.match(tookIn(await push(scene, of('READ'))), { repeated: 1 });
  t.match(scene.events('opened'), [{ sendId: sent.sendId, channel: 'rcs' }]);
  t.match(await scene.stats(id), { delivered: 2, opened: 1, bounced: 0 });
  const revoked = { phoneNumber: number, messageId, eventType: 'TTL_EXPIRATION_REVOKED' };
  t.match(tookIn(await push(scene, revoked)), { taken: 1 });
  t.match(tookIn(await push(scene, revoked)), { repeated: 1 });
  // For people it stays delivered, since one read it; the device has the bounce.
  t.match(await scene.stats(id), {
    delivered: 2,
    opened: 1,
    bounced: 0,
    devices: { bounced: 1 },
  });
  t.match(scene.events('bounced'), [{ meta: { reason: 'expired' } }]);
  t.notOk(scene.firstGap());
});

t.test('a message of another device, or that nobody sent, is ignored', async (t) => {
  const { scene, messageId } = await withCampaign();
  const other = endpointOf('user-1', 'rcs');
  const cases = [
    { senderPhoneNumber: other, eventType: 'READ', messageId },
    { senderPhoneNumber: '+14155559999', eventType: 'READ', messageId },
    { senderPhoneNumber: number, eventType: 'READ', messageId: 'not-of-ours' },
    { senderPhoneNumber: number, eventType: 'IS_TYPING', messageId },
    { eventType: 'READ', messageId },
    {},
  ];
  for (const event of cases)
    t.match(tookIn(await push(scene, event)), { ignored: 1 }, JSON.stringify(event));
  t.equal(scene.events('opened').length, 0);
});

t.test('an opt-out on the platform, or a written one, silences the phone identity', async (t) => {
  for (const event of [
    { eventType: 'UNSUBSCRIBE', eventId: 'e1' },
    { messageId: 'm1', text: 'Stop' },
    { messageId: 'm2', suggestionResponse: { text: 'STOP', postbackData: 'x' } },
  ]) {
    const { scene } = await withCampaign();
    t.match(tookIn(await push(scene, { senderPhoneNumber: number, ...event })), { taken: 1 });
    const list = () => scene.one.value(scene.app, 'suppression.list', { limit: 10 });
    t.match((await list()).items, [{ identity: 'phone', address: number, source: 'callback' }]);
    await push(scene, { senderPhoneNumber: number, eventType: 'SUBSCRIBE', eventId: 'e2' });
    t.same((await list()).items, []);
  }
});

t.test('what is not signed with the stored client token is refused, and why is said', async (t) => {
  const { scene, messageId } = await withCampaign();
  const read = { senderPhoneNumber: number, eventType: 'READ', messageId };
  const refused = (message: RegExp) => ({ fault: { code: 'invalid_signature', message } });
  t.match(await push(scene, read, 'another'), refused(/^x-goog-signature: does not match/));
  const data = Buffer.from(JSON.stringify(read)).toString('base64');
  t.match(await ask(scene, { message: { data } }), refused(/^x-goog-signature: is missing/));
  t.match(await ask(scene, {}, 'x'), refused(/^message\.data: /));
  t.match(await ask(scene, { clientToken: 'guess', secret: 's' }), refused(/^clientToken: /));
  t.match(tookIn(await ask(scene, { clientToken, secret: 's' })), { secret: 's' });
  const { scene: without } = await withCampaign({});
  t.match(await push(without, read), refused(/^clientToken: is missing in/));
  t.equal(scene.events('opened').length, 0);
});
