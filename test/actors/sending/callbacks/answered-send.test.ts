// Which message a STOP answers: the one that the callback names, else the newest known one.

import t from 'tap';
import type { ChannelId } from '../../../../actors/channels/channel-ids.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene } from '../../programs/journeys/support/journey-scene.ts';
import { chatScene, inboundBody, nameOf, reportChat } from './chat-provider.ts';
import { reportInbound, reportWhatsapp, type Sent, withWhatsapp } from './provider.ts';

const phone = endpointOf('user-0', 'sms');
const digits = phone.slice(1);

let count = 0;
const says = (scene: Scene, Body: string) =>
  reportInbound(scene, { MessageSid: `SM${++count}`, From: phone, Body });

const writes = (scene: Scene, body: string, more: object = {}) =>
  reportWhatsapp(scene, {
    messages: [{ id: `wamid.${++count}`, from: digits, type: 'text', text: { body }, ...more }],
  });

async function open(channel: 'sms' | 'whatsapp', people = 2): Promise<Scene> {
  const scene = await Scene.open({ available: ['sms', 'whatsapp', 'voice'] });
  await withWhatsapp(scene);
  await scene.people(people, [channel]);
  scene.answers = (attempt) => ({ outcome: 'accepted', providerMessageId: nameOf(attempt) });
  return scene;
}

async function journey(scene: Scene, channel: ChannelId): Promise<string> {
  const steps = [
    { id: 'hello', type: 'send', messageId: await scene.message(), channels: [channel] },
  ];
  const input = { name: 'Welcome', triggerEvent: 'signed_up', steps } as const;
  const { id } = await new JourneyScene(scene).journey(input);
  return id;
}

async function campaign(scene: Scene, channel: ChannelId) {
  const payload = { whatsapp: { templateName: 'news', languageCode: 'en_US' } };
  const record = await scene.campaign({
    channels: [channel],
    messageId: await scene.message({ payload }),
  });
  await scene.send(record.id);
  await scene.advance(hourMs);
  return record;
}

/** The newest message to somebody, as the provider got it. */
function last(scene: Scene, who = 'user-0'): Sent {
  const sent = scene.sent.findLast(({ endpoint }) => endpoint === endpointOf(who, 'sms'));
  if (sent === undefined) throw new Error(`nothing was sent to ${who}`);
  const { sendId, deviceId } = sent;
  return { sendId, deviceId };
}

t.test(
  'a STOP names the newest campaign that was sent to the number, which counts it',
  async (t) => {
    const scene = await open('sms');
    const older = await campaign(scene, 'sms');
    const newer = await campaign(scene, 'sms');
    const sent = last(scene);
    t.match(await says(scene, 'STOP'), { taken: 1 });
    const { id: campaignId, messageId } = newer;
    t.match(scene.events('unsubscribed'), [{ ...sent, campaignId, messageId, channel: 'sms' }]);
    t.match(await scene.stats(newer.id), { unsubscribed: 1, sent: 2 });
    t.match(await scene.stats(older.id), { unsubscribed: 0 });
    await says(scene, 'STOP');
    t.match(await scene.stats(newer.id), { unsubscribed: 1 });
    t.notOk(scene.firstGap());
    t.ok(scene.isMemoryOfLog());
  },
);

t.test('what it cannot answer is not named', async (t) => {
  const otherChannel = await open('sms');
  await otherChannel.person('user-0', ['sms', 'voice']);
  await campaign(otherChannel, 'voice');
  const tooOld = await open('sms');
  await campaign(tooOld, 'sms');
  await tooOld.advance(15 * dayMs);
  const failed = await open('sms');
  failed.answers = () => ({ outcome: 'permanent', reason: 'invalid_content' });
  await campaign(failed, 'sms');
  for (const scene of [otherChannel, tooOld, failed]) {
    await says(scene, 'STOP');
    t.match(scene.events('unsubscribed'), [{ sendId: undefined, campaignId: undefined }]);
  }
});

t.test('a journey’s message is named if it is the newer one', async (t) => {
  const scene = await open('sms');
  const { id } = await campaign(scene, 'sms');
  const journeyId = await journey(scene, 'sms');
  await scene.track('user-0', 'signed_up');
  const sent = last(scene);
  await scene.advance(hourMs);
  await says(scene, 'STOP');
  t.match(scene.events('unsubscribed'), [{ ...sent, campaignId: undefined }]);
  t.match(new JourneyScene(scene).stored('unsubscribed'), [{ journeyId }]);
  t.match(await scene.stats(id), { unsubscribed: 0 });
});

t.test('a reply in WhatsApp names the message that it answers', async (t) => {
  const scene = await open('whatsapp');
  const older = await campaign(scene, 'whatsapp');
  const answered = last(scene);
  await campaign(scene, 'whatsapp');
  t.match(await writes(scene, 'STOP', { context: { id: nameOf(answered) } }), { taken: 1 });
  t.match(scene.events('unsubscribed'), [{ ...answered, campaignId: older.id }]);
  t.match(await scene.stats(older.id), { unsubscribed: 1 });
});

t.test('a preference set in WhatsApp names the newest message', async (t) => {
  const preference = { wa_id: digits, category: 'marketing_messages', value: 'stop' };
  const system = {
    ...{ id: 'wamid.system', from: digits, type: 'system' },
    system: { type: 'user_preference_changed', marketing: 'stop' },
  };
  const told = [
    { user_preferences: [{ ...preference, timestamp: 1_767_225_600 }] },
    { messages: [system] },
  ];
  for (const value of told) {
    const scene = await open('whatsapp');
    const { id } = await campaign(scene, 'whatsapp');
    t.match(await reportWhatsapp(scene, value), { taken: 1 });
    t.match(scene.events('unsubscribed'), [{ ...last(scene), campaignId: id }]);
    t.match(await scene.stats(id), { unsubscribed: 1 });
  }
});

t.test('a pressed button names its message, unless it is another person’s', async (t) => {
  for (const isOwn of [true, false]) {
    const scene = await chatScene('viber', 2);
    const older = await campaign(scene, 'viber');
    const who = endpointOf(isOwn ? 'user-0' : 'user-1', 'viber');
    const pressed = scene.sent.find(({ endpoint }) => endpoint === who);
    const { sendId, deviceId } = pressed ?? {};
    const newer = await campaign(scene, 'viber');
    const text = JSON.stringify({ sendId, deviceId, button: 'STOP' });
    await reportChat(scene, 'viber', inboundBody('viber', { text }, scene.one.clock.nowMs, 1));
    const { id: campaignId } = isOwn ? older : newer;
    t.match(scene.events('unsubscribed'), [{ person: 0, campaignId }]);
    t.match(await scene.stats(campaignId), { unsubscribed: 1 });
  }
});

t.test('who blocks a bot leaves by its newest message, who answers one by that', async (t) => {
  const user = endpointOf('user-0', 'telegram');
  for (const isAnswer of [true, false]) {
    const scene = await chatScene('telegram', 2);
    let number = 0;
    scene.answers = ({ endpoint }) => {
      return { outcome: 'accepted', providerMessageId: `${endpoint}:${++number}` };
    };
    const older = await campaign(scene, 'telegram');
    const of = scene.sent.findIndex(({ endpoint }) => endpoint === user) + 1;
    const newer = await campaign(scene, 'telegram');
    const { nowMs } = scene.one.clock;
    const what = isAnswer ? { text: 'STOP' } : 'left';
    const body = JSON.parse(inboundBody('telegram', what, nowMs, 1));
    if (isAnswer) body.message.reply_to_message = { message_id: of };
    await reportChat(scene, 'telegram', JSON.stringify(body));
    const { id: campaignId } = isAnswer ? older : newer;
    t.match(scene.events('unsubscribed'), [{ person: 0, campaignId, channel: 'telegram' }]);
    t.match(await scene.stats(campaignId), { unsubscribed: 1 });
  }
});

t.test('one message of the app’s own is named where nothing of marketing is known', async (t) => {
  const scene = await chatScene('viber');
  const request = { to: { externalUserId: 'user-0' }, channels: ['viber'], body: 'Hi' };
  const accept = { request, claim: null } as never;
  const { id } = await scene.one.value(scene.app, 'transactional.accept', accept);
  await scene.run();
  await scene.advance(hourMs);
  const stop = inboundBody('viber', { text: 'STOP' }, scene.one.clock.nowMs, 1);
  await reportChat(scene, 'viber', stop);
  t.match(scene.events('unsubscribed'), [{ sendId: id, campaignId: undefined }]);
});
