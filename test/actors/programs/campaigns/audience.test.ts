// Whom a campaign is for, on which channels, and what becomes of those whom it cannot reach.

import t from 'tap';
import { channelIds } from '../../../../actors/channels/channel-ids.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { accept, endpointOf, Scene } from './scene.ts';

t.test('an audience is a segment, a filter, or everybody, whoever can be reached', async (t) => {
  const scene = await Scene.open();
  await scene.person('gold', ['fcm'], { tags: { plan: 'gold' } });
  await scene.person('free', ['fcm'], { tags: { plan: 'free' } });
  await scene.person('mail', ['email'], { tags: { plan: 'gold' } });
  await scene.person('nobody', [], { tags: { plan: 'gold' } });
  const filter = { tag: 'plan', eq: 'gold' };
  const { id: segmentId } = await scene.one.value(scene.app, 'segment.create', {
    name: 'gold',
    filter,
  });
  const cases = [
    [{ segmentId }, 3, ['gold'], { no_device: 2 }],
    [{ filter }, 3, ['gold'], { no_device: 2 }],
    [{}, 4, ['free', 'gold'], { no_device: 2 }],
    [{ channels: ['fcm', 'email'] as const }, 4, ['free', 'gold', 'mail'], { no_device: 1 }],
  ] as const;
  for (const [input, audience, reached, suppressedBy] of cases) {
    scene.sent.length = 0;
    const { id } = await scene.sentCampaign(input);
    t.same(scene.reached(), reached);
    t.match(await scene.stats(id), { state: 'completed', audience, sent: reached.length });
    t.same((await scene.stats(id)).suppressedBy, suppressedBy);
  }
  t.notOk(scene.firstGap());
});

t.test(
  'people who opted out of all channels count as such, with and without a filter',
  async (t) => {
    const scene = await Scene.open();
    await scene.person('mail', ['email']);
    await scene.person('both', ['fcm', 'email']);
    await scene.person('other', ['sms']);
    await scene.person('nobody', []);
    for (const name of ['mail', 'both']) await scene.optOut('email', endpointOf(name, 'email'));
    const everyone = { tag: 'first_name', exists: true } as const;
    const cases = [
      [{ channels: ['email'] as const }, 4, 0, { opt_out: 2, no_device: 2 }],
      [{ channels: ['email'] as const, filter: everyone }, 4, 0, { opt_out: 2, no_device: 2 }],
      [{ channels: ['email', 'fcm'] as const }, 4, 1, { opt_out: 1, no_device: 2 }],
      [{ channels: ['fcm'] as const }, 4, 1, { no_device: 3 }],
    ] as const;
    for (const [input, audience, sent, suppressedBy] of cases) {
      const { id } = await scene.sentCampaign(input);
      const stats = await scene.stats(id);
      t.match(stats, { state: 'completed', audience, sent });
      t.same(stats.suppressedBy, suppressedBy);
    }
  },
);

t.test('who joins or changes after the start is not in the audience', async (t) => {
  const scene = await Scene.withPeople(200);
  scene.answers = () => undefined;
  const { id } = await scene.sentCampaign();
  await scene.person('late', ['fcm']);
  scene.answers = accept;
  await scene.crash();
  await scene.advance(24 * hourMs);
  t.notOk(scene.reached().includes('late'));
  t.match(await scene.stats(id), { state: 'completed', audience: 200, delivered: 200 });
});

t.test('without anybody a campaign completes at once', async (t) => {
  const scene = await Scene.open();
  const { id } = await scene.sentCampaign();
  t.match(await scene.stats(id), { state: 'completed', audience: 0, sent: 0, progress: null });
});

t.test('somebody on two channels gets it on both, and counts once', async (t) => {
  const scene = await Scene.open();
  await scene.person('both', ['fcm', 'email']);
  await scene.person('one', ['email']);
  const messageId = await scene.message();
  const { id } = await scene.sentCampaign({ messageId, channels: ['fcm', 'email'] });
  t.same(scene.reached(), ['both', 'both', 'one']);
  t.match(await scene.stats(id), {
    state: 'completed',
    audience: 2,
    sent: 2,
    delivered: 2,
    devices: { sent: 3, delivered: 3 },
    byChannel: { fcm: { sent: 1, delivered: 1 }, email: { sent: 2, delivered: 2 } },
  });
});

t.test('without named channels every enabled device gets it', async (t) => {
  const scene = await Scene.open();
  await scene.person('all', ['fcm', 'email']);
  const { channels: _one, ...open } = await scene.campaign();
  const { id } = await scene.one.value(scene.app, 'campaign.create', {
    input: { messageId: open.messageId },
  });
  await scene.send(id);
  t.same(scene.sent.map(({ channel }) => channel).sort(), ['email', 'fcm']);
});

t.test('several devices on a channel each get it, within one send', async (t) => {
  const scene = await Scene.open();
  await scene.person('many', ['fcm', 'fcm', 'fcm', 'email']);
  await scene.people(5);
  const { id } = await scene.sentCampaign({ channels: ['fcm', 'email'] });
  const many = scene.sent.filter(({ endpoint }) => String(endpoint).includes('many'));
  t.equal(many.length, 4);
  t.equal(new Set(many.map(({ endpoint }) => endpoint)).size, 4);
  t.equal(new Set(many.map(({ sendId }) => sendId)).size, 2, 'a send a channel');
  t.match(await scene.stats(id), {
    state: 'completed',
    audience: 6,
    sent: 6,
    delivered: 6,
    devices: { sent: 9, delivered: 9 },
    byChannel: { fcm: { sent: 8, delivered: 8 }, email: { sent: 1, delivered: 1 } },
  });
});

t.test('of several devices those that opted out or are disabled get nothing', async (t) => {
  const scene = await Scene.open();
  await scene.person('ana', ['email', 'email', 'email', 'fcm']);
  const view = await scene.one.value(scene.app, 'subscriber.read', {
    ref: { externalUserId: 'ana' },
  });
  await scene.optOut('email', endpointOf('ana', 'email'));
  await scene.one.value(scene.app, 'device.enable', {
    ref: { externalUserId: 'ana' },
    deviceId: view.devices[1]?.id ?? '',
    enabled: false,
  });
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  t.same(
    scene.sent.map(({ endpoint }) => endpoint),
    [endpointOf('ana', 'email', '-2')],
  );
  t.match(await scene.stats(id), { delivered: 1, suppressed: 0 });
});

t.test('opted out is told from unreachable', async (t) => {
  const scene = await Scene.open();
  const everybody = { filter: { tag: 'first_name', exists: true } };
  await scene.person('out', ['email']);
  await scene.person('none', []);
  await scene.person('other', ['fcm']);
  const ref = { externalUserId: 'off' };
  await scene.person('off', ['email']);
  const off = await scene.one.value(scene.app, 'subscriber.read', { ref });
  const deviceId = off.devices[0]?.id ?? '';
  await scene.one.value(scene.app, 'device.enable', { ref, deviceId, enabled: false });
  await scene.optOut('email', endpointOf('out', 'email'));
  const { id } = await scene.sentCampaign({ ...everybody, channels: ['email'] });
  t.same(scene.sent, []);
  const stats = await scene.stats(id);
  t.match(stats, { state: 'completed', audience: 4, sent: 0, suppressed: 4 });
  t.same(stats.suppressedBy, { opt_out: 1, no_device: 3 });
  t.same(
    scene.events('suppressed').map(({ meta }) => meta['reason']),
    ['opt_out', 'no_device', 'no_device', 'no_device'],
  );
});

t.test('a preference leaves only its channels, and none of them is a reason', async (t) => {
  const scene = await Scene.open();
  await scene.person('mail', ['fcm', 'email'], { preferredChannels: ['email'] });
  await scene.person('any', ['fcm', 'email'], { preferredChannels: null });
  await scene.person('never', ['fcm', 'email'], { preferredChannels: ['sms'] });
  const { id } = await scene.sentCampaign({ channels: ['fcm', 'email'] });
  t.same(scene.reached('fcm'), ['any']);
  t.same(scene.reached('email'), ['any', 'mail']);
  const stats = await scene.stats(id);
  t.match(stats, { state: 'completed', sent: 2, delivered: 2, suppressed: 1 });
  t.same(stats.suppressedBy, { channel_preference: 1 }, 'people, each once');
});

t.test('an app that configured one of the channels uses that one', async (t) => {
  const scene = await Scene.open();
  await scene.person('both', ['email', 'sms']);
  await scene.person('phone', ['sms']);
  const { id } = await scene.sentCampaign({ channels: ['email', 'sms'] });
  t.same(scene.reached(), ['both']);
  const stats = await scene.stats(id);
  t.match(stats, { state: 'completed', sent: 1, suppressed: 1, byChannel: { sms: { sent: 0 } } });
  t.same(stats.suppressedBy, { not_configured: 1 });
});

t.test('a campaign whose every channel is not configured fails', async (t) => {
  const scene = await Scene.open();
  await scene.person('phone', ['sms']);
  const { id } = await scene.campaign({ channels: ['sms', 'voice'] });
  t.match(await scene.send(id), { state: 'failed', stateReason: 'not_configured' });
  t.same(scene.events(), []);
});

t.test('who is erased while it runs gets nothing more, and it comes to its end', async (t) => {
  const scene = await Scene.withPeople(300);
  await scene.person('several', ['fcm', 'fcm']);
  scene.answers = () => undefined;
  const { id } = await scene.sentCampaign();
  const under = scene.reached()[0] as string;
  t.ok(scene.sent.length < 300, 'some wait');
  for (const externalUserId of [under, 'user-299', 'several'])
    await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId } });
  scene.sent.length = 0;
  scene.answers = accept;
  await scene.crash();
  await scene.advance(hourMs);
  for (const gone of [under, 'user-299', 'several']) t.notOk(scene.reached().includes(gone), gone);
  t.match(await scene.stats(id), { state: 'completed', audience: 301, delivered: 298 });
  t.notOk(scene.firstGap());
});

t.test('everybody is in one lane a channel at most', async (t) => {
  const scene = await Scene.withPeople(50, ['fcm', 'email']);
  await scene.people(80, ['email']);
  await scene.settings({ quietHours: { start: '23:00', end: '08:00', timezone: 'UTC' } });
  const { id } = await scene.sentCampaign({ channels: ['fcm', 'email'] });
  const [occurrence] = scene.state.sending.of(id);
  t.same(
    occurrence?.lanes.map(({ channel, left, parkedCount }) => [
      channelIds[channel],
      left,
      parkedCount,
    ]),
    [
      ['fcm', 0, 50],
      ['email', 0, 80],
    ],
  );
});
