// Policy as campaigns meet it: who is held until when, what is asked again at the release, and what
// is never passed: caps, the day of an org, a throttle, the email allowance.

import t from 'tap';
import { hourMs, type Millis, minuteMs } from '../../../../engine/base/brand.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';

const nightly = { quietHours: { start: '22:00', end: '08:00', timezone: 'subscriber' } };

t.test('each is held by their own clock and leaves at the instant their night ends', async (t) => {
  const scene = await Scene.open(); // midnight in UTC, the zone of the app
  await scene.settings(nightly);
  await scene.person('bangkok', ['fcm'], { timezone: 'Asia/Bangkok' }); // 07:00
  await scene.person('kathmandu', ['fcm'], { timezone: 'Asia/Kathmandu' }); // 05:45
  await scene.person('tokyo', ['fcm'], { timezone: 'Asia/Tokyo' }); // 09:00
  await scene.person('nowhere', ['fcm']); // the app's
  const startMs = scene.one.clock.nowMs;
  const { id } = await scene.sentCampaign();
  t.same(scene.reached(), ['tokyo']);
  const released = { bangkok: hourMs, kathmandu: 2.25 * hourMs, nowhere: 8 * hourMs };
  t.same(
    scene.events('deferred').map(({ meta }) => [meta['reason'], meta['until']]),
    Object.values(released).map((ms) => ['quiet_hours', new Date(startMs + ms).toISOString()]),
  );
  t.same((await scene.stats(id)).deferredBy, { quiet_hours: 3 });
  for (const [who, ms] of Object.entries(released)) {
    await scene.advance(startMs + ms - scene.one.clock.nowMs - 1);
    t.notOk(scene.reached().includes(who), `${who} a millisecond before`);
    await scene.advance(1);
    t.ok(scene.reached().includes(who), who);
  }
  t.match(await scene.stats(id), { state: 'completed', sent: 4, delivered: 4 });
  t.notOk(scene.firstGap());
});

t.test(
  'a send that was held asks for the preference, the opt-out and the device again',
  async (t) => {
    const scene = await Scene.open();
    await scene.settings(nightly);
    await scene.people(4, ['email']);
    const { id } = await scene.sentCampaign({ channels: ['email'] });
    t.same(scene.sent, []);
    await scene.one.value(scene.app, 'subscriber.patch', {
      ref: { externalUserId: 'user-0' },
      patch: { preferredChannels: ['fcm'] },
    } as never);
    await scene.optOut('email', endpointOf('user-1', 'email'));
    const ref = { externalUserId: 'user-2' };
    const { devices } = await scene.one.value(scene.app, 'subscriber.read', { ref });
    await scene.one.value(scene.app, 'device.remove', { ref, deviceId: devices[0]?.id ?? '' });
    await scene.advance(8 * hourMs);
    t.same(scene.reached(), ['user-3']);
    const stats = await scene.stats(id);
    t.match(stats, { state: 'completed', sent: 1, suppressed: 3 });
    t.same(stats.suppressedBy, { channel_preference: 1, opt_out: 1, no_device: 1 });
  },
);

t.test('who would be held for longer than the message lives is not sent it', async (t) => {
  for (const [ttlSeconds, suppressed] of [
    [8 * 3_600, 1],
    [8 * 3_600 + 1, 0],
  ] as const) {
    const scene = await Scene.open();
    await scene.settings(nightly);
    await scene.people(1);
    const messageId = await scene.message({ ttlSeconds });
    const { id } = await scene.sentCampaign({ messageId });
    await scene.advance(8 * hourMs);
    const stats = await scene.stats(id);
    t.match(stats, { state: 'completed', suppressed, sent: 1 - suppressed });
    t.same(stats.suppressedBy, suppressed === 1 ? { expired: 1 } : {});
  }
});

t.test('nobody is handed to a provider while it takes no marketing', async (t) => {
  const scene = await Scene.open({ available: ['zalo'] }); // 07:00 in Vietnam
  await scene.person('early', ['zalo']);
  await scene.send((await scene.campaign({ channels: ['zalo'] })).id);
  t.same(scene.reached(), ['early']);
  await scene.advance(15 * hourMs - 1); // a millisecond before 22:00 there
  await scene.person('evening', ['zalo']);
  await scene.send((await scene.campaign({ channels: ['zalo'] })).id);
  t.equal(scene.reached().length, 3);
  await scene.advance(1);
  const { id } = await scene.sentCampaign({ channels: ['zalo'] });
  t.equal(scene.reached().length, 3);
  t.same((await scene.stats(id)).deferredBy, { quiet_hours: 2 });
  await scene.advance(8 * hourMs - 1);
  t.equal(scene.reached().length, 3);
  await scene.advance(1);
  t.equal(scene.reached().length, 5);
  t.match(await scene.stats(id), { state: 'completed', sent: 2 });
});

t.test('quiet hours of some channels leave the others alone', async (t) => {
  const scene = await Scene.open();
  await scene.settings({ quietHours: { ...nightly.quietHours, channels: ['fcm'] } });
  await scene.person('both', ['fcm', 'email']);
  const { id } = await scene.sentCampaign({ channels: ['fcm', 'email'] });
  t.same(
    scene.sent.map(({ channel }) => channel),
    ['email'],
  );
  await scene.advance(8 * hourMs);
  t.same(
    scene.sent.map(({ channel }) => channel),
    ['email', 'fcm'],
  );
  t.match(await scene.stats(id), { state: 'completed', sent: 1, devices: { sent: 2 } });
});

t.test('caps are never passed, also by two campaigns at once and across a restart', async (t) => {
  const scene = await Scene.open();
  await scene.settings({
    caps: [
      { max: 2, perHours: 24 },
      { channel: 'email', max: 1, perHours: 48 },
    ],
  });
  await scene.people(150, ['fcm', 'email']);
  const campaigns = [];
  for (let i = 0; i < 4; i++) campaigns.push(await scene.campaign({ channels: ['fcm', 'email'] }));
  for (const { id } of campaigns) await scene.one.value(scene.app, 'campaign.send', { id });
  await scene.run();
  await scene.crash();
  const per = (channel?: 'fcm' | 'email') =>
    new Set(Object.values(counted(scene.reached(channel))));
  t.same([...per('fcm')], [2], 'two messages each, over two channels each counts once');
  t.same([...per('email')], [1]);
  let suppressed = 0;
  for (const { id } of campaigns) suppressed += (await scene.stats(id)).suppressed;
  t.equal(suppressed, 300, 'two of the four reached nobody');
  const [first] = campaigns;
  t.same((await scene.stats(first?.id ?? '')).suppressedBy, {});
  await scene.advance(24 * hourMs);
  scene.sent.length = 0;
  const next = await scene.campaign({ channels: ['fcm', 'email'] });
  await scene.send(next.id);
  t.equal(scene.reached('fcm').length, 150, 'the rolling hours are over');
  t.equal(scene.reached('email').length, 0, 'those of the channel are not');
});

t.test('over its daily cap an org sends nothing until midnight in UTC', async (t) => {
  const scene = await Scene.open();
  await scene.advance(20 * hourMs);
  await scene.orgLimits({ dailySendCap: 100 });
  await scene.people(150, ['fcm', 'email']);
  const { id } = await scene.sentCampaign({ channels: ['fcm', 'email'] });
  t.equal(new Set(scene.reached()).size, 100);
  t.equal(scene.sent.length, 200, 'the second channel of a person is no second send');
  t.match(await scene.stats(id), {
    state: 'sending',
    sent: 100,
    deferredBy: { daily_cap: 50 },
    progress: { waitingFor: { reason: 'daily_cap', untilMs: Date.UTC(2026, 0, 2) } },
  });
  t.same(
    new Set(scene.events('deferred').map(({ meta }) => meta['reason'])),
    new Set(['daily_cap']),
  );
  await scene.advance(4 * hourMs - 1);
  t.equal(new Set(scene.reached()).size, 100);
  await scene.advance(1);
  t.match(await scene.stats(id), { state: 'completed', sent: 150, delivered: 150 });
  t.notOk(scene.firstGap());
});

t.test(
  'the cap of a day holds over all apps of the org, whatever else they are refused',
  async (t) => {
    const scene = await Scene.open();
    await scene.orgLimits({ dailySendCap: 60, emailAllowance: 0 });
    await scene.people(60, ['email']);
    const { id } = await scene.campaign({ channels: ['email'] });
    const other = await scene.anotherApp();
    await other.people(60);
    const two = await other.campaign();
    await scene.one.value(scene.app, 'campaign.send', { id });
    await scene.one.value(other.app, 'campaign.send', { id: two.id });
    await scene.run();
    t.same((await scene.stats(id)).suppressedBy, { email_cap: 60 });
    t.match(
      await other.stats(two.id),
      { state: 'completed', sent: 60 },
      'what was not sent takes no room',
    );
  },
);

t.test('a throttle lets its number through in every minute, and no more in any', async (t) => {
  for (const perMinute of [1, 7, 90]) {
    const scene = await Scene.withPeople(3 * perMinute);
    const { id } = await scene.sentCampaign({ throttle: { perMinute } });
    // It is looked at now early and now late in a second, and once not for seven.
    for (let step = 0; step < 400; step++) {
      await scene.advance([130, 420, 970, 999, step === 70 ? 7_000 : 1][step % 5] as number);
      if (step === 200) await scene.crash();
    }
    t.match(await scene.stats(id), { state: 'completed', delivered: 3 * perMinute });
    t.ok(
      mostInAMinute(scene.sentMs) <= perMinute,
      `${mostInAMinute(scene.sentMs)} of ${perMinute}`,
    );
    const lastedMs = (scene.sentMs.at(-1) as Millis) - (scene.sentMs[0] as Millis);
    t.ok(lastedMs < 3.3 * minuteMs, 'and hardly less');
  }
});

t.test('a throttled campaign wakes by itself, and says why it does not move', async (t) => {
  const scene = await Scene.withPeople(3);
  const { id } = await scene.sentCampaign({ throttle: { perMinute: 1 } });
  const { progress } = await scene.stats(id);
  t.equal(progress?.waitingFor?.reason, 'throttled');
  const untilMs = progress?.waitingFor?.untilMs as Millis;
  const before = scene.sent.length;
  await scene.advance(untilMs - scene.one.clock.nowMs);
  t.equal(scene.sent.length, before + 1);
});

t.test('two occurrences of a campaign share its throttle', async (t) => {
  const scene = await Scene.withPeople(200);
  const { id } = await scene.sentCampaign({
    throttle: { perMinute: 2 },
    schedule: { type: 'recurring', every: 'hour', at: '00:30', timezone: 'UTC' },
  });
  for (let minute = 0; minute < 120; minute++)
    for (let third = 0; third < 3; third++) await scene.advance(minuteMs / 3);
  t.equal((await scene.stats(id)).occurrences.length, 2);
  t.ok(mostInAMinute(scene.sentMs) <= 2, `${mostInAMinute(scene.sentMs)} in a minute`);
});

t.test('the email allowance is never passed, with what is under way counted', async (t) => {
  const scene = await Scene.open();
  await scene.orgLimits({ emailAllowance: 100 });
  await scene.people(150, ['email']);
  const release = scene.hold();
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const other = await scene.campaign({ channels: ['email'] });
  await scene.send(other.id);
  await release();
  t.equal(scene.sent.length, 100);
  const [one, two] = [await scene.stats(id), await scene.stats(other.id)];
  t.equal(one.delivered + two.delivered, 100);
  t.equal(one.suppressed + two.suppressed, 200);
  t.same(
    new Set(Object.keys({ ...one.suppressedBy, ...two.suppressedBy })),
    new Set(['email_cap']),
  );
});

t.test('apps of a partition take turns, and none is forgotten', async (t) => {
  const scene = await Scene.open();
  const apps = [scene];
  while (apps.length < 6) apps.push(await scene.anotherApp());
  const ids: string[] = [];
  for (const one of apps) {
    await one.people(2_048, []); // a slice each, and a turn has room for four of them
    const filter = { tag: 'first_name', exists: true };
    const schedule = { type: 'at', atMs: scene.one.clock.nowMs + hourMs } as const;
    const { id } = await one.sentCampaign({ filter, schedule });
    ids.push(id);
  }
  await scene.advance(hourMs);
  for (const [i, one] of apps.entries())
    t.match(await one.stats(ids[i] as string), { state: 'completed', suppressed: 2_048 });
});

/** The most within less than a minute, wherever it begins. */
function mostInAMinute(instants: readonly Millis[]): number {
  let most = 0;
  for (let from = 0, to = 0; to < instants.length; to++) {
    while ((instants[to] as Millis) - (instants[from] as Millis) >= minuteMs) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
