// Which events become deliveries: by the type of destination, by who caused them, and how often.

import t from 'tap';
import { markOfDevice } from '../../../../actors/channels/email/return-path.ts';
import { ProgressNotices } from '../../../../actors/integrations/webhooks/progress.ts';
import type { DeliveryView } from '../../../../actors/integrations/webhooks/protocol.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { reportInbound } from '../../sending/callbacks/provider.ts';
import { bad, WebhookWorld } from './webhook-world.ts';

const minute = 60_000;
const names = [
  'delivered',
  'bounced',
  'suppressed',
  'deferred',
  'failed',
  'opened',
  'clicked',
  'dismissed',
  'unsubscribed',
];

t.test(
  'the legacy address gets what became of messages, and nothing that people did',
  async (t) => {
    const world = await WebhookWorld.withPerson('ada');
    await world.one.value(world.app, 'settings.patch', {
      patch: { webhookUrl: 'https://old.example/hook' },
    });
    await world.put('webhook', { events: ['*'], url: 'https://new.example/hook' });
    for (const name of names) await world.happen(1, name);
    const kindsAt = (host: string) =>
      world.received.filter(({ url }) => url.includes(host)).map(({ event }) => event);
    t.same(kindsAt('old.example'), [
      'message.delivered',
      'message.bounced',
      'message.suppressed',
      'message.deferred',
      'message.failed',
    ]);
    t.same(
      kindsAt('new.example'),
      names.map((name) => `${name === 'unsubscribed' ? 'subscriber' : 'message'}.${name}`),
    );
  },
);

t.test('a campaign says how far it is at most once a second', async (t) => {
  const notices = new ProgressNotices();
  const said = [0, 1, 999, 1_000, 1_500, 1_999, 2_000, 60_000].filter((atMs) =>
    notices.moved('cmp_1', atMs),
  );
  t.same(said, [0, 1_000, 2_000, 60_000]);
  t.ok(notices.moved('cmp_2', 60_000), 'each campaign for itself');
  t.notOk(new ProgressNotices(notices.snapshot()).moved('cmp_1', 60_999), 'after a restart too');
  notices.ended('cmp_1');
  t.ok(notices.moved('cmp_1', 60_001), 'another occurrence');
});

t.test('many waves of one campaign in a second are one delivery, and one at its end', async (t) => {
  const scene = await withHook(['campaign.chunk_processed']);
  await scene.people(3_000);
  const { id } = await scene.sentCampaign({ channels: ['fcm'] });
  t.match(await scene.stats(id), { sent: 3_000 });
  t.equal((await rowsOf(scene)).length, 2, 'the clock stood still');
});

t.test('a chat workspace gets one message of a campaign, through the ledger', async (t) => {
  const scene = await withHook([], 'slack');
  await scene.people(3);
  for (const _ of 'ab') await scene.send((await scene.campaign({ channels: ['fcm'] })).id);
  t.match(await rowsOf(scene), [
    { type: 'slack', event: 'campaign.completed' },
    { type: 'slack', event: 'campaign.completed' },
  ]);
  t.equal((await rowsOf(scene)).length, 2);
});

t.test('a report of spam is told, with the campaign that it is about', async (t) => {
  const scene = await withHook(['message.complained']);
  await scene.people(1, ['email']);
  const { id: campaignId } = await scene.sentCampaign({ channels: ['email'] });
  const [{ sendId = '', deviceId = '', email } = {}] = scene.sent;
  const told = {
    ...{ sendId, person: email?.person ?? -1, deviceMark: markOfDevice(deviceId) ?? -1 },
    news: { kind: 'complained' as const },
  };
  for (const _ of 'ab') await scene.one.value(scene.app, 'callback.email', told);
  const rows = await rowsOf(scene);
  t.equal(rows.length, 1);
  const { id = '' } = rows[0] ?? {};
  const { payload } = await scene.one.value(scene.app, 'webhook_delivery.read', { id });
  const about = { externalUserId: 'user-0', sendId, deviceId, campaignId, channel: 'email' };
  t.match(payload, { kind: 'message.complained', ...about, meta: {} });
});

t.test('STOP and complaints trigger a webhook; an opt-out by the tenant does not', async (t) => {
  const scene = await withHook(['subscriber.unsubscribed']);
  await scene.people(3, ['sms', 'email']);
  const stop = { MessageSid: 'SM1', From: endpointOf('user-0', 'sms'), Body: 'STOP' };
  t.match(await reportInbound(scene, stop), { taken: 1 });
  await scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-1' }, channels: ['email'], title: 'Hi', body: 'Hi' },
    claim: null,
  });
  await scene.run();
  const [{ sendId = '', deviceId = '', email } = {}] = scene.sent;
  await scene.one.value(scene.app, 'callback.email', {
    sendId,
    person: email?.person ?? -1,
    deviceMark: markOfDevice(deviceId) ?? -1,
    news: { kind: 'complained' },
  });
  await scene.one.value(scene.app, 'suppression.add', {
    channel: 'email',
    address: endpointOf('user-2', 'email'),
    source: 'api',
  });
  const rows = await rowsOf(scene);
  const told = await Promise.all(
    rows.map(async ({ id }) => {
      const { payload } = await scene.one.value(scene.app, 'webhook_delivery.read', { id });
      const { kind, externalUserId, channel, meta } = payload;
      return { kind, externalUserId, channel, meta };
    }),
  );
  t.match(told.reverse(), [
    {
      kind: 'subscriber.unsubscribed',
      externalUserId: 'user-0',
      channel: 'sms',
      meta: { source: 'callback', identityClass: 'phone' },
    },
    {
      kind: 'subscriber.unsubscribed',
      externalUserId: 'user-1',
      channel: 'email',
      meta: { source: 'bounce', identityClass: 'email' },
    },
  ]);
  t.equal(told.length, 2);
});

t.test('what happened to somebody who is merged later is still told as it was', async (t) => {
  const world = await WebhookWorld.make();
  const tokenKey = new Uint8Array(32).fill(3);
  const logIn = (login: object = {}) =>
    world.one.value(world.app, 'sdk.login', { login: { ...login, tokenKey } });
  await world.one.value(world.app, 'settings.patch', { patch: { identityVerification: 'open' } });
  const { subscriberId, clientToken } = await logIn();
  await world.one.value(world.app, 'sdk.register', {
    clientToken,
    device: { channel: 'fcm', endpoint: 'phone-of-somebody' },
  });
  await world.put('webhook', { events: ['message.delivered'] });
  world.receiver = () => bad;
  const request = { to: { id: subscriberId }, title: 'Hi', body: 'there' };
  await world.one.value(world.app, 'transactional.accept', { request, claim: null });
  await world.run();
  await world.person('ana');
  await logIn({ clientToken, externalUserId: 'ana' });
  await world.advance(minute);
  const [first, again] = world.received;
  t.match(JSON.parse(first?.body ?? ''), { subscriberId, externalUserId: null });
  t.equal(world.received.length, 2, 'it is tried again');
  t.equal(again?.body, first?.body, 'with the same bytes');
  const { payload } = await world.one.value(world.app, 'webhook_delivery.read', {
    id: first?.id ?? '',
  });
  t.equal(payload.subscriberId, subscriberId);
});

t.test('a delivery that has not ended cannot be sent again', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  world.receiver = () => new Promise(() => {});
  await world.send('ada');
  const refused = async (state: string) => {
    const [{ id = '' } = {}] = (await world.list()).items;
    t.match(await world.one.ask(world.app, 'webhook_delivery.retry', { id }), {
      ok: false,
      fault: { code: 'wrong_state', message: new RegExp(state) },
    });
    for (const status of ['dead', 'stopped'] as const)
      t.match(await world.one.value(world.app, 'webhook_delivery.retry_all', { status }), {
        retried: 0,
      });
  };
  await refused('pending');
  world.restart();
  world.receiver = () => bad;
  await world.run();
  await refused('retrying');
});

t.test('lists take kinds, and instants: from is within, to is not', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.*'] });
  const beginMs = world.one.clock.nowMs;
  for (const name of ['delivered', 'opened', 'delivered', 'clicked']) {
    await world.happen(1, name);
    await world.advance(1_000);
  }
  const found = async (filter: object) =>
    (await world.list(filter)).items.map(({ createdMs, event }: DeliveryView) => [
      (createdMs - beginMs) / 1_000,
      event.slice('message.'.length),
    ]);
  const all = [
    [3, 'clicked'],
    [2, 'delivered'],
    [1, 'opened'],
    [0, 'delivered'],
  ];
  t.same(await found({}), all);
  t.same(await found({ fromMs: beginMs + 2_000 }), all.slice(0, 2));
  t.same(await found({ fromMs: beginMs + 2_001 }), all.slice(0, 1));
  t.same(await found({ toMs: beginMs + 2_000 }), all.slice(2));
  t.same(await found({ toMs: beginMs + 2_001 }), all.slice(1));
  t.same(await found({ fromMs: beginMs + 1_000, toMs: beginMs + 3_000 }), all.slice(1, 3));
  t.same(await found({ event: 'message.delivered', toMs: beginMs + 1_000 }), all.slice(3));
  const { nextCursor } = await world.list({ limit: 1, fromMs: beginMs + 1_000 });
  const rest = { limit: 50, fromMs: beginMs + 1_000, cursor: nextCursor ?? '' };
  t.same(await found(rest), all.slice(1, 3), 'a page after keeps to them');
});

/** A scene with a destination whose deliveries stay in the ledger. */
async function withHook(events: readonly string[], type = 'webhook'): Promise<Scene> {
  const scene = await Scene.open({ available: ['fcm', 'sms', 'email', 'whatsapp'] });
  await scene.one.value(scene.app, 'destination.put', {
    type,
    input: { url: 'https://a.example', events, headers: {}, enabled: true, concurrency: 1 },
  });
  return scene;
}

async function rowsOf({ one, app }: Scene) {
  return (await one.value(app, 'webhook_delivery.list', { limit: 100 })).items;
}
