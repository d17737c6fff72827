// An `opened` or `clicked` that an app tells with nothing but the send: where it is read or told
// it names channel and device, and a test stays a test.

import t from 'tap';
import type { EventView } from '../../../../actors/events/protocol.ts';
import { runRead } from '../../../../actors/runtime/reads.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene } from '../../programs/journeys/support/journey-scene.ts';

const to = { externalUserId: 'user-0' };

/** An app whose webhook gets what people do with messages. */
async function open(channels: readonly ('fcm' | 'sms' | 'email')[] = ['fcm']): Promise<Scene> {
  const scene = await Scene.open({ available: ['fcm', 'sms', 'email'] });
  await scene.people(2, channels);
  await scene.one.value(scene.app, 'destination.put', {
    type: 'webhook',
    input: {
      url: 'https://a.example',
      events: ['message.opened', 'message.clicked', 'message.dismissed'],
      headers: {},
      enabled: true,
      concurrency: 1,
    },
  });
  return scene;
}

async function single(scene: Scene, channels: readonly string[]): Promise<string> {
  const accept = { request: { to, channels, title: 'T', body: 'B' }, claim: null } as never;
  const { id } = await scene.one.value(scene.app, 'transactional.accept', accept);
  await scene.run();
  return id;
}

async function test(scene: Scene): Promise<string> {
  const id = await scene.message();
  const sent = await scene.one.value(scene.app, 'message.test', { id, to, claim: null });
  await scene.run();
  return sent.id;
}

/** As the list of events, a person's story and the webhook have it, newest first. */
async function told(scene: Scene) {
  const { one, app } = scene;
  const read = async <Found>(name: string, what: object) =>
    (await runRead(name, { app, erased: [], ...what }, one.store, undefined)) as Found;
  const { items } = await read<{ items: readonly EventView[] }>('events', {
    query: { limit: 50 },
  });
  const names = ['opened', 'clicked', 'dismissed'];
  const story = await read<{ items: readonly { code: string }[] }>('timeline', {
    ...{ person: 0, aliases: [], keptFromMs: 0, readMs: one.clock.nowMs, open: [] },
    ...{ place: { carried: [] }, limit: 50 },
  });
  const { items: deliveries } = await one.value(app, 'webhook_delivery.list', { limit: 50 });
  const payloads = await Promise.all(
    deliveries.map(async ({ id }) => {
      const { payload } = await one.value(app, 'webhook_delivery.read', { id });
      return payload;
    }),
  );
  return {
    events: items.filter(({ name }) => names.includes(name)),
    story: story.items.filter(({ code }) => names.includes(code)),
    payloads,
  };
}

t.test('the one device of a send is named, and its channel', async (t) => {
  for (const isCampaign of [true, false]) {
    const scene = await open();
    if (isCampaign) await scene.send((await scene.campaign({ channels: ['fcm'] })).id);
    else await single(scene, ['fcm']);
    const { sendId = '', deviceId } = scene.sent[0] ?? {};
    for (const name of ['opened', 'clicked', 'dismissed'])
      await scene.track('user-0', name, { sendId });
    const named = { sendId, deviceId, channel: 'fcm' };
    const { events, story, payloads } = await told(scene);
    t.match(events, [named, named, named]);
    t.match(story, [named, named, named]);
    t.match(payloads, [named, named, named]);
    const stored = { deviceId: undefined, channel: undefined };
    t.match(scene.events('opened'), [stored], 'what is stored is what was told');
  }
});

t.test('of several devices none is named, unless the app names it', async (t) => {
  const scene = await open(['fcm', 'sms']);
  const sendId = await single(scene, ['fcm', 'sms']);
  const { deviceId } = scene.sent.find(({ channel }) => channel === 'sms') ?? {};
  await scene.track('user-0', 'opened', { sendId });
  await scene.track('user-0', 'clicked', { sendId, deviceId });
  const all = await told(scene);
  for (const listed of [all.events, all.payloads])
    t.match(listed, [
      { deviceId, channel: 'sms' },
      { deviceId: null, channel: null },
    ]);
});

t.test('two devices on the channel of a campaign: the channel alone', async (t) => {
  const scene = await open();
  await scene.person('user-0', ['fcm', 'fcm']);
  await scene.send((await scene.campaign({ channels: ['fcm'] })).id);
  const sent = scene.sent.find(({ endpoint }) => String(endpoint).includes('user-0'));
  await scene.track('user-0', 'opened', { sendId: sent?.sendId });
  const { events, payloads } = await told(scene);
  t.match(
    [...events, ...payloads],
    [
      { deviceId: null, channel: 'fcm' },
      { deviceId: null, channel: 'fcm' },
    ],
  );
});

t.test(
  'an event that names the send of another person or app, or none, gets nothing added',
  async (t) => {
    const scene = await open();
    await scene.send((await scene.campaign({ channels: ['fcm'] })).id);
    const foreign = await scene.anotherApp();
    await foreign.people(1);
    const others = await single(foreign, ['fcm']);
    const of = scene.sent.find(({ endpoint }) => String(endpoint).includes('user-1'))?.sendId;
    for (const sendId of [of, others, 'push-7', 'ntf_0000g4t0d0rh86r05n9jtmsph6'])
      await scene.track('user-0', 'opened', { sendId });
    const { events, payloads } = await told(scene);
    t.equal(events.length + payloads.length, 8);
    for (const { deviceId, channel } of [...events, ...payloads])
      t.same([deviceId, channel], [null, null]);
  },
);

t.test('whoever merged keeps what their messages say', async (t) => {
  const scene = await open();
  await scene.settings({ identityVerification: 'open' });
  const { become } = await scene.anonymous('fcm', 'visitor');
  await scene.send((await scene.campaign({ channels: ['fcm'] })).id);
  const sent = scene.sent.find(({ endpoint }) => String(endpoint).includes('visitor'));
  await become('user-0');
  await scene.track('user-0', 'opened', { sendId: sent?.sendId });
  const { events, payloads } = await told(scene);
  t.match([...events, ...payloads], [{ channel: 'fcm' }, { channel: 'fcm' }]);
});

t.test('an open of a test send is marked as a test wherever it is shown', async (t) => {
  const scene = await open();
  const sendId = await test(scene);
  await scene.track('user-0', 'opened', { sendId });
  await scene.track('user-0', 'clicked', { sendId, props: { url: 'https://a.example' } });
  const { events, story, payloads } = await told(scene);
  const marked = { channel: 'fcm', meta: { test: true } };
  t.match(events, [marked, marked]);
  t.match(story, [{ test: true }, { test: true }]);
  t.match(payloads, [{ ...marked, meta: { url: 'https://a.example', test: true } }, marked]);
});

t.test('nobody but the service says that something is of a test', async (t) => {
  const scene = await open();
  const sendId = await single(scene, ['fcm']);
  const said = { props: { test: true, screen: 'home' }, meta: { test: true }, test: true };
  await scene.track('user-0', 'opened', { sendId, ...said });
  const { events, story, payloads } = await told(scene);
  t.same(
    payloads.map(({ meta }) => meta),
    [{ screen: 'home' }],
  );
  t.match(events, [{ props: said.props, meta: null }]);
  t.notOk(story.some((one) => 'test' in one));
});

t.test('a journey’s send has no record: as it was told', async (t) => {
  const scene = await open();
  const steps = [{ id: 'hello', type: 'send' as const, messageId: await scene.message() }];
  await new JourneyScene(scene).journey({ triggerEvent: 'signed_up', steps });
  await scene.track('user-0', 'signed_up');
  await scene.track('user-0', 'opened', { sendId: scene.sent[0]?.sendId });
  const { events } = await told(scene);
  t.match(events, [{ deviceId: null, channel: null, sendId: scene.sent[0]?.sendId }]);
});
