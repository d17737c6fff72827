// What people do with a campaign: opens, clicks and conversions, each counted once, for the
// occurrence they answer.

import t from 'tap';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { Scene } from './scene.ts';

t.test('an open and a click count once a person, by send and by campaign', async (t) => {
  const scene = await Scene.withPeople(4, ['fcm', 'email']);
  const { id } = await scene.sentCampaign({ channels: ['fcm', 'email'] });
  const sendOf = (who: string) =>
    scene.sent.find(({ endpoint }) => String(endpoint).includes(who))?.sendId;
  await scene.track('user-0', 'opened', { sendId: sendOf('user-0') });
  await scene.track('user-0', 'opened', { campaignId: id });
  await scene.track('user-0', 'opened', { sendId: sendOf('user-0'), campaignId: id });
  await scene.track('user-1', 'clicked', { campaignId: id });
  await scene.track('user-1', 'clicked', { sendId: sendOf('user-1') });
  await scene.track('user-2', 'opened', {}); // of nothing that is named
  await scene.track('stranger', 'opened', { sendId: sendOf('user-2') }); // a forwarded mail
  // Who clicked has opened it; the log has one open.
  t.match(await scene.stats(id), { state: 'completed', sent: 4, opened: 2, clicked: 1 });
  await scene.crash();
  t.match(await scene.stats(id), { opened: 2, clicked: 1 });
});

t.test('an answer counts for the occurrence it answers, or else the newest', async (t) => {
  const scene = await Scene.withPeople(3);
  const { id } = await scene.sentCampaign({
    schedule: { type: 'recurring', every: 'hour', at: '00:00', timezone: 'UTC' },
  });
  await scene.advance(1);
  const sendId = scene.sent[0]?.sendId;
  await scene.advance(hourMs);
  await scene.track('user-0', 'opened', { sendId });
  await scene.track('user-1', 'opened', { campaignId: id });
  const { occurrences, opened } = await scene.stats(id);
  t.equal(opened, 2);
  t.same(
    occurrences.map((one) => [one.number, one.opened]),
    [
      [2, 1],
      [1, 1],
    ],
  );
});

t.test('answers count for thirty days after the end, and their numbers stay', async (t) => {
  const scene = await Scene.withPeople(4);
  const { id } = await scene.sentCampaign({ goal: { event: 'bought', withinHours: 1_000 } });
  await scene.advance(30 * dayMs - 1);
  await scene.track('user-0', 'clicked', { campaignId: id });
  await scene.track('user-0', 'bought');
  t.match(await scene.stats(id), { clicked: 1, converted: 1 });
  await scene.advance(1);
  t.equal(scene.state.sending.isEmpty, true, 'nothing of the people is kept');
  await scene.track('user-1', 'clicked', { campaignId: id });
  await scene.track('user-1', 'bought');
  const expected = {
    state: 'completed',
    audience: 4,
    sent: 4,
    delivered: 4,
    clicked: 1,
    converted: 1,
  };
  t.match(await scene.stats(id), expected);
  await scene.crash();
  t.match(await scene.stats(id), expected);
});

t.test('a goal counts within its hours of the own send of each', async (t) => {
  const scene = await Scene.open();
  await scene.settings({ quietHours: { start: '22:00', end: '08:00', timezone: 'subscriber' } });
  await scene.person('early', ['fcm'], { timezone: 'Asia/Tokyo' }); // now
  await scene.person('late', ['fcm'], { timezone: 'UTC' }); // in eight hours
  await scene.person('before', ['fcm'], { timezone: 'UTC' });
  const { id } = await scene.sentCampaign({ goal: { event: 'bought', withinHours: 2 } });
  await scene.track('before', 'bought');
  await scene.advance(2 * hourMs + secondMs);
  await scene.track('early', 'bought');
  t.match(await scene.stats(id), { converted: 0 }, 'too early, and too late');
  await scene.advance(6 * hourMs);
  await scene.advance(2 * hourMs - minuteMs);
  await scene.track('late', 'bought');
  await scene.track('late', 'bought');
  await scene.track('late', 'browsed');
  t.match(await scene.stats(id), { state: 'completed', converted: 1 });
});

t.test('followed segments hear of what campaigns deliver and leave out', async (t) => {
  const scene = await Scene.open();
  await scene.person('reached', ['fcm']);
  await scene.person('unreached', []);
  const followed: Record<string, string> = {};
  for (const event of ['delivered', 'suppressed']) {
    const filter = { event, withinDays: 7 };
    const segment = await scene.one.value(scene.app, 'segment.create', { name: event, filter });
    const asked = { segmentId: segment.id };
    await scene.one.value(scene.app, 'segment.watch', { asked, follower: 'test' });
    followed[event] = segment.id;
  }
  await scene.sentCampaign({ filter: { tag: 'first_name', exists: true } });
  const entered = (segmentId: string | undefined) =>
    [...scene.blocks()]
      .flatMap(({ entries }) => entries)
      .filter(
        (entry) =>
          entry.kind === 'segment.changed' && 'segmentId' in entry && entry.segmentId === segmentId,
      )
      .flatMap((entry) => (entry as unknown as { entered: number[] }).entered);
  t.same(entered(followed['delivered']), [0]);
  t.same(entered(followed['suppressed']), [1]);
});
