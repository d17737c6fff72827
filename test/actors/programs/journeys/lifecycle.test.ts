// A journey that is paused, goes live again, changes its message or is deleted, while people are
// under way in it.

import t from 'tap';
import { hourMs } from '../../../../engine/base/brand.ts';
import { Documents } from '../../../../storage/documents.ts';
import { contentCopies } from '../../../../storage/tables/content-copy.ts';
import { accept } from '../campaigns/scene.ts';
import { JourneyScene, send, wait } from './support/journey-scene.ts';

t.test(
  'who is under way exits at the next wake of a paused journey, and may not come twice',
  async (t) => {
    const one = await JourneyScene.withPeople(2);
    const { scene } = one;
    const { id } = await one.journey({
      triggerEvent: 'signup',
      reentry: 'always',
      steps: [wait('w', 1), send('a')],
    });
    await one.track({ name: 'signup', user: 'user-0' });
    await one.pause(id);
    t.match(await one.stats(id), { inFlow: 1, bySteps: { w: { waiting: 0 } } });
    await one.live(id);
    await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'user-1' });
    t.match(await one.stats(id), { enrolled: 2 });
    await scene.advance(hourMs);
    t.same(one.sent, ['a user-1']);
    t.match(await one.stats(id), { exited: 1, completed: 1, inFlow: 0 });
  },
);

t.test(
  'content is that of when the journey went live, whatever becomes of its message',
  async (t) => {
    const one = await JourneyScene.withPeople(1);
    const { scene } = one;
    const messageId = await scene.message({ title: 'First', ttlSeconds: 60 });
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [wait('w', 1), { id: 's', type: 'send', messageId, channels: ['fcm'] }],
    });
    await one.track({ name: 'signup', user: 'user-0' });
    await scene.one.value(scene.app, 'message.update', {
      id: messageId,
      change: { content: { title: 'Second' }, removed: [] },
    } as never);
    await scene.advance(hourMs);
    t.same(one.sent, ['First']);
    const gone = await scene.one.ask(scene.app, 'message.delete', { id: messageId });
    t.match(gone, { ok: false, fault: { code: 'in_use', message: new RegExp(id) } });
  },
);

t.test(
  'of a journey that is deleted nothing leaves any more, and nothing of it is kept',
  async (t) => {
    const one = await JourneyScene.withPeople(1, ['fcm', 'email']);
    const { scene } = one;
    await scene.one.value(scene.app, 'settings.patch', {
      patch: { quietHours: { start: '22:00', end: '08:00', timezone: 'UTC', channels: ['fcm'] } },
    } as never);
    await scene.advance(23 * hourMs);
    const both = { channels: ['fcm', 'email'] };
    const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a', 'a', both)] });
    await one.track({ name: 'signup', user: 'user-0' });
    t.equal(scene.sent.length, 1, 'by mail; the phone is quiet');
    await one.pause(id);
    t.match(one.stored('suppressed'), [{ meta: { reason: 'journey_off', journeyId: id } }]);
    await scene.one.value(scene.app, 'journey.delete', { id });
    await scene.advance(10 * hourMs);
    t.equal(scene.sent.length, 1);
    t.equal(one.stored('suppressed').length, 1);
    const reader = new Documents(scene.one.store).bound(scene.app);
    t.equal(reader.get(contentCopies, [`${id}/a`]), undefined);
  },
);

t.test(
  'switching a journey off ends its sends in the outbox at once, also if it goes live again',
  async (t) => {
    const one = await JourneyScene.withPeople(3);
    const { scene } = one;
    const input = { triggerEvent: 'signup', reentry: 'always' as const, steps: [send('a')] };
    const { id } = await one.journey(input);
    const { id: other } = await one.journey({ ...input, name: 'Other', steps: [send('b')] });
    scene.answers = () => ({ outcome: 'retry', reason: 'unavailable' });
    await one.track({ name: 'signup', user: 'user-0' });
    t.equal(scene.sent.length, 2, 'both are tried, and wait for another try');
    await one.pause(id);
    t.match(one.stored('suppressed', 'failed'), [
      { name: 'suppressed', meta: { reason: 'journey_off', journeyId: id } },
    ]);
    await one.live(id);
    scene.answers = accept;
    await one.track({ name: 'signup', user: 'user-1' });
    await scene.crash();
    for (let hour = 0; hour < 3; hour++) await scene.advance(hourMs);
    t.same(
      one.sent.slice(2).sort(),
      ['a user-1', 'b user-0', 'b user-1'],
      'the other journey, and who enrolled in the same millisecond that it went live again',
    );
    t.same(scene.state.outbox.jobs.size, 0);
    await one.pause(other);
    t.equal(one.stored('suppressed').length, 1, 'nothing is open');
  },
);

t.test('what a dispatcher hands back of a journey that is off is not granted again', async (t) => {
  const one = await JourneyScene.withPeople(1);
  const { scene } = one;
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a')] });
  await one.ask({ name: 'signup', user: 'user-0' });
  await scene.one.settle();
  const [grant] = scene.one.takeGrants();
  t.match(grant?.attempts, [{ journeyId: id, target: 0 }]);
  const change = { input: {}, removed: [] };
  await scene.one.value(scene.app, 'journey.update', { id, change, active: false });
  t.match(
    scene.one.effects.map(({ message }) => message),
    [{ kind: 'dispatch.recall', app: scene.app, journeyId: id }],
  );
  const sendId = grant?.attempts[0]?.attempt.sendId ?? '';
  await scene.one.value(scene.app, 'dispatch.report', {
    channel: 'fcm',
    reports: [{ sendId, target: 0, attempt: 1, outcome: undefined }],
  });
  await scene.one.settle();
  t.same(scene.one.takeGrants(), []);
  t.match(one.stored('suppressed'), [{ meta: { reason: 'journey_off' } }]);
});

t.test('a failed send of a journey that is off can be redriven', async (t) => {
  const one = await JourneyScene.withPeople(1);
  const { scene } = one;
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a')] });
  scene.answers = () => ({ outcome: 'retry', reason: 'unavailable' });
  await one.track({ name: 'signup', user: 'user-0' });
  for (let hour = 0; hour < 26; hour++) await scene.advance(hourMs);
  await one.pause(id);
  scene.answers = accept;
  const calls = scene.sent.length;
  t.match(await scene.one.value(scene.app, 'dead_letter.redrive', { all: true }), { redriven: 1 });
  await scene.run();
  t.equal(scene.sent.length, calls + 1);
  t.same(one.stored('suppressed'), []);
});
