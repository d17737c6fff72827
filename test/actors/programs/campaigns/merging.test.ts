// People who turn out to be somebody else while a campaign runs: one person, one message, whoever
// was handed out when.

import t from 'tap';
import { isInSample, variantFor } from '../../../../actors/programs/campaigns/bucketing.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { accept, Scene } from './scene.ts';

const quiet = { quietHours: { start: '23:00', end: '08:00', timezone: 'UTC' } };

async function withTwo() {
  const scene = await Scene.open();
  await scene.settings({ identityVerification: 'open' });
  await scene.people(3);
  const guest = await scene.anonymous('fcm', 'guest');
  return { scene, guest };
}

t.test('two who wait and turn out to be one get it once a device', async (t) => {
  const { scene, guest } = await withTwo();
  await scene.settings(quiet);
  const { id } = await scene.sentCampaign();
  await guest.become('user-0');
  await scene.crash();
  await scene.advance(8 * hourMs);
  t.same(scene.reached(), ['guest', 'user-0', 'user-1', 'user-2'], 'two devices of one person');
  t.match(await scene.stats(id), { state: 'completed', sent: 3, delivered: 3 });
  t.notOk(scene.firstGap());
});

t.test('who was sent it under one name is not sent it under the other', async (t) => {
  for (const first of ['guest', 'user-0'] as const) {
    const { scene, guest } = await withTwo();
    await scene.settings({ quietHours: { start: '23:00', end: '08:00', timezone: 'subscriber' } });
    const ids = { guest: { id: guest.subscriberId }, 'user-0': { externalUserId: 'user-0' } };
    for (const ref of [ids.guest, ids['user-0']])
      await scene.one.value(scene.app, 'subscriber.patch', {
        ref,
        patch: { timezone: ref === ids[first] ? 'Asia/Bangkok' : 'UTC' },
      } as never);
    await scene.advance(3 * hourMs); // 03:00 in UTC and 10:00 in Bangkok
    const { id } = await scene.sentCampaign();
    t.same(scene.reached(), [first], 'the others are held');
    await guest.become('user-0');
    await scene.advance(6 * hourMs);
    t.same(scene.reached(), [first, 'user-1', 'user-2'].sort(), first);
    t.match(await scene.stats(id), { state: 'completed', sent: 3, delivered: 3 });
  }
});

t.test('what was in flight of somebody is answered for whoever they are now', async (t) => {
  const { scene, guest } = await withTwo();
  scene.answers = ({ endpoint }) =>
    String(endpoint).includes('guest') ? { outcome: 'retry', reason: 'http_503' } : undefined;
  const { id } = await scene.campaign({ goal: { event: 'bought', withinHours: 5 } });
  const release = scene.hold();
  await scene.send(id);
  await guest.become('user-0');
  await release(); // the first try of the guest comes back after the merge
  scene.answers = accept;
  await scene.advance(10 * minuteMs);
  t.equal(scene.reached().filter((who) => who === 'guest').length, 2, 'it is tried again');
  await scene.crash();
  await scene.advance(hourMs);
  t.match(await scene.stats(id), { state: 'completed', sent: 3, delivered: 3, failed: 0 });
  await scene.track('user-0', 'opened', { campaignId: id });
  await scene.track('user-0', 'bought');
  t.match(await scene.stats(id), { opened: 1, converted: 1 });
  t.notOk(scene.firstGap());
});

t.test('an erased person takes what is in flight under any of their names along', async (t) => {
  const { scene, guest } = await withTwo();
  scene.answers = () => undefined;
  const { id } = await scene.sentCampaign();
  await guest.become('user-0');
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'user-0' } });
  scene.sent.length = 0;
  scene.answers = accept;
  await scene.crash();
  await scene.advance(hourMs);
  t.same(scene.reached(), ['user-1', 'user-2']);
  t.match(await scene.stats(id), { state: 'completed' });
  t.notOk(scene.firstGap());
});

t.test('who was sent a variant of the sample as somebody else counts with what won', async (t) => {
  const scene = await Scene.open();
  await scene.settings({ identityVerification: 'open' });
  const messageId = await scene.message();
  const experiment = { sampleShare: 0.5, winnerMetric: 'clicked', decideAfterMinutes: 60 } as const;
  const variants = [
    { id: 'a', weight: 2, messageId }, // wins, as nobody clicks
    { id: 'b', weight: 1, messageId },
  ];
  const drawn = { number: 1, experiment, variants };
  // Ordinals are given out in turn: guests until one is in the sample, people until one is not, and
  // would have got the other.
  let next = 0;
  let guest = await scene.anonymous('fcm', `guest-${next}`);
  while (!isInSample(drawn, next++)) guest = await scene.anonymous('fcm', `guest-${next}`);
  let user = -1;
  while (user < 0 || isInSample(drawn, user) || variantFor(drawn, { winner: null }, user) !== 'b') {
    user = next++;
    await scene.person(`user-${user}`, ['email']);
  }
  scene.answers = () => ({ outcome: 'retry', reason: 'busy' });
  const { id } = await scene.sentCampaign({ messageId, variants, experiment });
  t.equal(new Set(scene.calls()).size, 1);
  await guest.become(`user-${user}`);
  await scene.advance(hourMs);
  scene.answers = accept;
  await scene.advance(hourMs);
  const { state, sent, delivered, byVariant } = await scene.stats(id);
  t.match({ state, delivered }, { state: 'completed', delivered: sent });
  for (const [variant, one] of Object.entries(byVariant))
    t.equal(one.delivered, one.sent, `${variant}: ${one.delivered} of ${one.sent}`);
});
