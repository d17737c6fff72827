// A journey that is paused, goes live again, changes its message or is deleted, while people are
// under way in it.

import t from 'tap';
import { hourMs } from '../../../../engine/base/brand.ts';
import { Documents } from '../../../../storage/documents.ts';
import { contentCopies } from '../../../../storage/tables/content-copy.ts';
import { JourneyScene, send, wait } from './support/journey-scene.ts';

t.test(
  'who is under way exits at the next wake of a paused journey, and may not come twice',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(2);
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
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(1);
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
    t.match(gone, { ok: false, fault: { code: 'conflict', message: new RegExp(id) } });
  },
);

t.test(
  'of a journey that is deleted nothing leaves any more, and nothing of it is kept',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(1, ['fcm', 'email']);
    await scene.one.value(scene.app, 'settings.patch', {
      patch: { quietHours: { start: '22:00', end: '08:00', timezone: 'UTC', channels: ['fcm'] } },
    } as never);
    await scene.advance(23 * hourMs);
    const both = { channels: ['fcm', 'email'] };
    const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a', 'a', both)] });
    await one.track({ name: 'signup', user: 'user-0' });
    t.equal(scene.sent.length, 1, 'by mail; the phone is quiet');
    await one.pause(id);
    await scene.one.value(scene.app, 'journey.delete', { id });
    await scene.advance(10 * hourMs);
    t.equal(scene.sent.length, 1);
    t.match(one.stored('suppressed'), [{ meta: { reason: 'content_removed', journeyId: id } }]);
    const reader = new Documents(scene.one.store).bound(scene.app);
    t.equal(reader.get(contentCopies, [`${id}/a`]), undefined);
  },
);
