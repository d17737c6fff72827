// Policy on the way of a journey: what it holds, what it suppresses, and that a simulation tells
// the same beforehand.

import t from 'tap';
import { sentenceOfReason } from '../../../../actors/insight/timeline/reason-sentences.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { goal, JourneyScene, send, wait } from './support/journey-scene.ts';

t.test(
  'policy is asked at the instant of the send: quiet hours hold, caps and opt-outs suppress',
  async (t) => {
    const one = await JourneyScene.withPeople(2, ['fcm', 'email']);
    const { scene } = one;
    await scene.one.value(scene.app, 'settings.patch', {
      patch: {
        caps: [{ max: 1, perHours: 48 }],
        quietHours: { start: '22:00', end: '08:00', timezone: 'UTC' },
      },
    } as never);
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [send('a'), send('b'), wait('w', 60), send('c')],
    });
    await scene.advance(23 * hourMs);
    await one.track({ name: 'signup', user: 'user-0' });
    t.same(one.sent, []);
    t.match(one.stored('deferred'), [
      { meta: { reason: 'quiet_hours', journeyId: id }, journeyId: id },
    ]);
    t.match(await one.stats(id), { bySteps: { a: { entered: 1, waiting: 1, sent: 0 } } });
    await scene.crash();
    await scene.advance(9 * hourMs);
    t.same(one.sent, ['a user-0'], 'the second of the same walk is over the cap');
    t.match(one.stored('suppressed'), [
      { meta: { reason: 'frequency_cap', journeyId: id }, journeyId: id },
    ]);
    await scene.advance(60 * hourMs);
    t.same(one.sent, ['a user-0', 'c user-0']);
    t.match(await one.stats(id), { completed: 1, bySteps: { b: { sent: 0 }, c: { sent: 1 } } });
    await scene.advance(100 * hourMs);
    await scene.one.value(scene.app, 'subscriber.patch', {
      ref: { externalUserId: 'user-1' },
      patch: { preferredChannels: ['email'] },
    } as never);
    await one.track({ name: 'signup', user: 'user-1' });
    t.match(one.stored('suppressed').at(-1), { meta: { reason: 'channel_preference' } });
  },
);

t.test('a quiet channel that goes along keeps to its cap at its own hour', async (t) => {
  const one = await JourneyScene.withPeople(1, ['fcm', 'email']);
  const { scene } = one;
  await scene.one.value(scene.app, 'settings.patch', {
    patch: {
      caps: [{ channel: 'fcm', max: 1, perHours: 24 }],
      quietHours: { start: '22:00', end: '08:00', timezone: 'UTC', channels: ['fcm'] },
    },
  } as never);
  const both = { channels: ['fcm', 'email'] };
  const steps = [
    send('a'),
    wait('w', 2),
    send('b', 'b', both),
    wait('v', 24),
    send('c', 'c', both),
  ];
  const { id } = await one.journey({ triggerEvent: 'signup', steps });
  await scene.advance(21 * hourMs);
  const simulated = await scene.one.value(scene.app, 'journey.simulate', {
    id,
    ref: { externalUserId: 'user-0' },
    events: [],
  });
  await one.track({ name: 'signup', user: 'user-0' });
  for (let hour = 0; hour < 48; hour++) await scene.advance(hourMs);
  const channels = scene.sent.map(({ content, channel }) => `${content.title} ${channel}`);
  t.same(channels, ['a user-0 fcm', 'b user-0 email', 'c user-0 email', 'c user-0 fcm']);
  t.equal(simulated.lines.filter(({ what }) => what === 'sent').length, 3);
});

t.test('a held send of a journey that is switched off ends, and its story says why', async (t) => {
  const one = await JourneyScene.withPeople(1, ['fcm', 'email']);
  const { scene } = one;
  await scene.settings({
    quietHours: { start: '22:00', end: '08:00', timezone: 'UTC', channels: ['fcm'] },
  });
  const steps = [send('a', 'a', { channels: ['fcm', 'email'] })];
  const { id } = await one.journey({ triggerEvent: 'signup', steps });
  await one.track({ name: 'signup', user: 'user-0' });
  t.same(one.sent, ['a user-0'], 'by email; push waits for the morning');
  await one.pause(id);
  const meta = one.stored('suppressed')[0]?.meta;
  t.match(meta, { reason: 'journey_off' });
  t.match(sentenceOfReason(String(meta?.['reason']), 'fcm'), /switched off/);
  await scene.advance(9 * hourMs);
  t.same(one.sent, ['a user-0']);
});

t.test('the daily cap of an org holds until its next day', async (t) => {
  const one = await JourneyScene.withPeople(3);
  const { scene } = one;
  await scene.one.value(scene.org, 'org.set_limits', { dailySendCap: 2 } as never);
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a')] });
  await one.track(...[0, 1, 2].map((i) => ({ name: 'signup', user: `user-${i}` })));
  t.equal(one.sent.length, 2);
  t.match(one.stored('deferred'), [{ meta: { reason: 'daily_cap' } }]);
  await scene.advance(24 * hourMs);
  t.equal(one.sent.length, 3);
  t.match(await one.stats(id), { completed: 3 });
  const brief = { title: 'b', body: 'x', ttlSeconds: 3_600 };
  await one.journey({
    triggerEvent: 'order',
    steps: [{ id: 'b', type: 'send', message: brief, channels: ['fcm'] }],
  });
  await one.track(...[0, 1, 2].map((i) => ({ name: 'order', user: `user-${i}` })));
  t.equal(one.sent.length, 4, 'of the two of this day one was sent above');
  t.same(
    one.stored('suppressed').map(({ meta }) => meta?.['reason']),
    ['expired', 'expired'],
    'nobody is held for longer than the message lives',
  );
});

t.test('what is simulated for somebody is what then happens to them', async (t) => {
  const one = await JourneyScene.withPeople(1, ['fcm', 'email'], { timezone: 'Asia/Bangkok' });
  const { scene } = one;
  await scene.one.value(scene.app, 'settings.patch', {
    patch: {
      caps: [{ max: 2, perHours: 30 }],
      quietHours: { start: '21:00', end: '08:00', timezone: 'subscriber', channels: ['fcm'] },
    },
  } as never);
  const { id } = await one.journey({
    triggerEvent: 'signup',
    steps: [
      send('a'),
      wait('w', 5),
      send('b'),
      goal('g', 'order', 3),
      send('c', 'c', { channels: ['email', 'fcm'] }),
      wait('v', 20),
      send('d'),
      send('e'),
    ],
  });
  await scene.advance(9 * hourMs);
  const walk = await scene.one.value(scene.app, 'journey.simulate', {
    id,
    ref: { externalUserId: 'user-0' },
    events: [{ name: 'visit', afterMinutes: 30 }],
  });
  t.match(await one.stats(id), { enrolled: 0 }, 'and nothing of it is recorded');
  const shown = walk.lines
    .filter(({ what }) => what === 'sent')
    .map((line) => [line.step, line.atMs]);
  await one.track({ name: 'signup', user: 'user-0' });
  for (let hour = 0; hour < 60; hour++) await scene.advance(hourMs);
  const steps = new Map<string, number>();
  for (const { content, acceptedMs } of scene.sent)
    steps.set((content.title ?? '').slice(0, 1), acceptedMs);
  t.same([...steps], shown);
  t.same(
    one.stored('suppressed', 'deferred').map(({ name, meta }) => [name, meta?.['reason']]),
    walk.lines
      .filter(({ what }) => what === 'suppressed' || what === 'held')
      .map(({ what, reason }) => [what === 'held' ? 'deferred' : what, reason]),
  );
  t.ok(shown.length > 2 && shown.length < 5, JSON.stringify(shown));
});
