// LINE, Zalo, Viber and Telegram, through the actor.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { decodeKey } from '../../../../storage/keys.ts';
import { deviceSends } from '../../../../storage/tables/device-send.ts';
import { endpointOf, type Scene } from '../../programs/campaigns/scene.ts';
import {
  askChat,
  chatChannels,
  chatCredentials,
  chatScene,
  inboundBody,
  nameOf,
  reportChat,
  statusBody,
} from './chat-provider.ts';
import type { Sent } from './provider.ts';

const startMs = Date.UTC(2026, 0, 1) - 100_000;
const listed = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'suppression.list', { limit: 10 })).items;

async function withCampaign(channel: 'zalo' | 'viber') {
  const scene = await chatScene(channel, 2);
  const { id } = await scene.sentCampaign({ channels: [channel] });
  const sent = scene.sent.find(({ endpoint }) => endpoint === endpointOf('user-0', channel));
  return { scene, id, sent: sent as Sent, name: nameOf(sent as Sent) };
}

t.test('a message that was seen is one open, found by the provider’s own name', async (t) => {
  for (const channel of ['zalo', 'viber'] as const) {
    const { scene, id, sent, name } = await withCampaign(channel);
    t.match(await reportChat(scene, channel, statusBody(channel, 'arrived', name)), { taken: 1 });
    t.match(await reportChat(scene, channel, statusBody(channel, 'read', name)), { taken: 1 });
    t.match(await reportChat(scene, channel, statusBody(channel, 'read', name)), { repeated: 1 });
    t.match(scene.events('opened'), [{ sendId: sent.sendId, channel, campaignId: id }]);
    t.match(await scene.stats(id), { delivered: 2, opened: 1, bounced: 0 });
    t.notOk(scene.firstGap());
    t.ok(scene.isMemoryOfLog());
  }
});

t.test('a name of another’s message, or of none, is ignored', async (t) => {
  for (const channel of ['zalo', 'viber'] as const) {
    const { scene, name } = await withCampaign(channel);
    const { durableSeq } = scene.one.store;
    for (const body of [
      statusBody(channel, 'read', name, endpointOf('user-1', channel)),
      statusBody(channel, 'read', name, '999'),
      // Read as a double, both are the same number.
      statusBody(channel, 'read', `${name.slice(0, -1)}${(Number(name.at(-1)) + 1) % 10}`),
      '{}',
      '[]',
      'no json',
    ]) {
      if (channel === 'zalo' && !body.startsWith('{')) continue;
      t.match(await reportChat(scene, channel, body), { ignored: 1, taken: 0 }, body);
    }
    t.equal(scene.one.store.durableSeq, durableSeq, 'nothing is written down');
  }
});

t.test('what failed after Viber had taken it is a bounce, and the device stays', async (t) => {
  const { scene, id, name } = await withCampaign('viber');
  t.match(await reportChat(scene, 'viber', statusBody('viber', 'failed', name)), { taken: 1 });
  t.match(scene.events('bounced'), [{ meta: { reason: 'failed' } }]);
  t.match(await scene.stats(id), { delivered: 1, bounced: 1 });
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  t.ok(items.every(({ devices }) => devices.every(({ enabled }) => enabled)));
});

t.test('what is told before the answer gave the name is taken once that is in', async (t) => {
  for (const channel of ['zalo', 'viber'] as const) {
    const scene = await chatScene(channel);
    const request = { to: { externalUserId: 'user-0' }, channels: [channel], body: 'Hi' };
    const accept = { request, claim: null } as never;
    const { id } = await scene.one.value(scene.app, 'transactional.accept', accept);
    await scene.one.settle();
    const letGo = scene.hold();
    await scene.callGranted();
    const [sent] = scene.sent as readonly Sent[];
    const body = statusBody(channel, 'read', nameOf(sent as Sent));
    t.match(await reportChat(scene, channel, body), { taken: 1 });
    t.match(await reportChat(scene, channel, body), { repeated: 1 });
    await scene.advance(5_000);
    t.equal(scene.events('opened').length, 0, 'nobody knows yet whose it was');
    await letGo();
    await scene.advance(60_000);
    t.match(scene.events('opened'), [{ sendId: id, deviceId: (sent as Sent).deviceId }]);
    t.match(await reportChat(scene, channel, body), { repeated: 1 });
    t.notOk(scene.firstGap());
    t.ok(scene.isMemoryOfLog());
  }
});

t.test('who blocks an account is out of it, and who comes back is in again', async (t) => {
  for (const channel of chatChannels) {
    const scene = await chatScene(channel);
    const address = endpointOf('user-0', channel);
    t.match(await reportChat(scene, channel, inboundBody(channel, 'left', startMs, 1)), {
      taken: 1,
    });
    t.match(await listed(scene), [
      { identity: channel, address, source: 'callback', reason: 'unfollowed' },
    ]);
    t.match(scene.events('unsubscribed'), [{ person: 0, channel }]);
    await scene.sentCampaign({ channels: [channel] });
    t.equal(scene.sent.length, 0);
    const came = inboundBody(channel, 'came', startMs + 2_000, 2);
    t.match(await reportChat(scene, channel, came), { taken: 1 });
    t.match(await reportChat(scene, channel, came), { repeated: 1 });
    t.same(await listed(scene), []);
  }
});

t.test('STOP and START count as they do elsewhere, and of all the newest', async (t) => {
  for (const channel of chatChannels) {
    const say = (what: 'left' | 'came' | string, second: number) =>
      inboundBody(
        channel,
        what === 'left' || what === 'came' ? what : { text: what },
        startMs + second * 1_000,
        second,
      );
    const cases: readonly (readonly [readonly string[], string | undefined])[] = [
      [[say('STOP', 1)], 'stop'],
      [[say('stop it please', 1)], undefined],
      [[say('STOP', 1), say('start', 2)], undefined],
      [[say('start', 2), say('STOP', 1)], undefined],
      [[say('STOP', 1), say('left', 2)], 'unfollowed'],
      [[say('left', 2), say('STOP', 1)], 'unfollowed'],
      [[say('left', 1), say('came', 2), say('STOP', 3)], 'stop'],
    ];
    for (const [bodies, reason] of cases) {
      const scene = await chatScene(channel);
      for (const body of bodies) await reportChat(scene, channel, body);
      t.equal((await listed(scene))[0]?.reason, reason, bodies.join());
    }
  }
});

t.test(
  'what Telegram tells of one second is ordered by its numbers, whatever they are',
  async (t) => {
    const stop = (id: number) => inboundBody('telegram', { text: 'STOP' }, startMs, id);
    const start = (id: number) => inboundBody('telegram', { text: 'START' }, startMs, id);
    const cases = [
      [[start(41_999), stop(42_000)], 1],
      [[stop(42_000), start(41_999)], 1],
      [[stop(41_999), start(42_000)], 0],
      [[start(42_000), stop(41_999)], 0],
    ] as const;
    for (const [bodies, wanted] of cases) {
      const scene = await chatScene('telegram');
      for (const body of bodies) t.match(await reportChat(scene, 'telegram', body), { taken: 1 });
      t.equal((await listed(scene)).length, wanted, bodies.join(' '));
    }
  },
);

t.test('proofs are those that the providers’ documents make', async (t) => {
  const cases = [
    [
      'line',
      { channelSecret: 'channel_secret' },
      '{"events":[]}',
      'Q0BZKW4yE9ZAI8pM2Xi/HpBauPEi/KB9uaIdo4x6hPk=',
    ],
    [
      'viber',
      { authToken: 'auth_token' },
      '{"event":"webhook"}',
      'b0a47bacce9f6db6ef175af1af44f4de999df4355d27b3364d24a5f46d20c9bf',
    ],
    ['telegram', { botToken: 'x', secretToken: 'my_secret' }, '{}', 'my_secret'],
  ] as const;
  for (const [channel, credential, body, proof] of cases) {
    const scene = await chatScene(channel, 1, credential);
    t.match(await askChat(scene, channel, body, proof), { ok: true }, channel);
  }
});

t.test('what is not proved as the provider does is refused, and why is said', async (t) => {
  const secrets = {
    line: 'channelSecret',
    zalo: 'oaSecretKey',
    viber: 'authToken',
    telegram: 'secretToken',
  } as const;
  for (const channel of chatChannels) {
    const scene = await chatScene(channel);
    const body = inboundBody(channel, 'left', startMs, 1);
    const refused = (message: RegExp) => ({ fault: { code: 'invalid_signature', message } });
    t.match(await askChat(scene, channel, body, 'guess'), refused(/^x-\S+: does not match/));
    const missing = { channel, signature: undefined, from: 0 } as never;
    t.match(await scene.one.ask(scene.app, 'callback.chat', missing), refused(/is missing/));
    if (channel !== 'telegram')
      t.match(
        await scene.one.ask(
          scene.app,
          'callback.chat',
          { channel, signature: undefined, from: 0 } as never,
          { bytes: Buffer.from(`${body} `) },
        ),
        refused(/is missing/),
      );
    const { [secrets[channel]]: _secret, ...rest } = chatCredentials[channel] as Record<
      string,
      string
    >;
    if (channel === 'line' || channel === 'zalo') {
      const without = await chatScene(channel, 1, rest);
      t.match(await askChat(without, channel, body), refused(/is missing in the stored/));
    }
    t.same(await listed(scene), []);
    await scene.one.value(scene.app, 'credential.delete', { channel } as never);
    t.match(await askChat(scene, channel, body), refused(/so the request cannot be verified/));
  }
});

t.test('a device that is removed, or a person who is erased, leaves nothing kept', async (t) => {
  for (const way of ['subscriber.erase', 'device.remove'] as const) {
    const { scene, sent, name } = await withCampaign('viber');
    const kept = () =>
      scene.one.store
        .range({ start: Buffer.alloc(1), end: Buffer.alloc(8, 0xff) })
        .filter(({ key }) => decodeKey(key).table === deviceSends.id);
    t.equal(kept().length, 2);
    const ref = { externalUserId: 'user-0' };
    await scene.one.value(scene.app, way, { ref, deviceId: sent.deviceId } as never);
    t.equal(kept().length, 1, way);
    t.match(await reportChat(scene, 'viber', statusBody('viber', 'read', name)), { ignored: 1 });
    t.equal(kept().length, 1, way);
  }
});

t.test('what is not understood makes no body longer, however much there is of it', async (t) => {
  const scene = await chatScene('line');
  const events = Array.from({ length: 10 * limits.callbackItemsMax }, () => ({}));
  t.match(await askChat(scene, 'line', JSON.stringify({ events })), {
    value: { ignored: events.length, next: null },
  });
});
