// People under way who are erased, or turn out to be somebody else: they leave, or go on once, and
// what is heard of the one is heard of the other.

import t from 'tap';
import type { Entry } from '../../../../engine/actor/message.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { goal, JourneyScene, send, wait } from './support/journey-scene.ts';

t.test('erased people leave, and merged ones go on once', async (t) => {
  const one = await JourneyScene.withPeople(2);
  const { scene } = one;
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1), send('a')] });
  await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'user-1' });
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'user-0' } });
  t.match(await one.stats(id), { exited: 1, inFlow: 1 });
  await scene.advance(hourMs);
  t.same(one.sent, ['a user-1']);
  await scene.person('user-2', ['fcm']);
  await scene.person('user-3', ['fcm']);
  await one.track({ name: 'signup', user: 'user-2' });
  // As a login folds it: who was under way goes on as the person they turned out to be.
  const [person, into] = [one.person('user-2'), one.person('user-3')];
  const merged = { kind: 'subscriber.merged', owner: scene.app, person, into, atMs: one.nowMs };
  scene.one.product.apply(merged as Entry);
  await scene.advance(hourMs);
  t.same(one.sent, ['a user-1', 'a user-3']);
  await one.track({ name: 'signup', user: 'user-3' });
  t.match(await one.stats(id), { enrolled: 3 }, 'once, for both of them');
});

t.test(
  'what somebody was sent before they said who they are is heard by their own goal',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.settings({ identityVerification: 'open' });
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [goal('landed', 'delivered', 24)] as never,
    });
    const { become } = await scene.anonymous('fcm', 'stranger');
    await scene.people(1, ['email']);
    await one.track({ name: 'signup', user: 'user-0' });
    const campaign = await scene.campaign();
    const release = scene.hold();
    await scene.send(campaign.id);
    t.equal(scene.sent.length, 1);
    await become('user-0');
    await release();
    t.match(await one.stats(id), { converted: 1, inFlow: 0 });
  },
);

t.test(
  'what somebody was sent before they said who they are brings them into a segment',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.settings({ identityVerification: 'open' });
    const segment = await scene.one.value(scene.app, 'segment.create', {
      name: 'reached',
      filter: { event: 'delivered', withinDays: 7 },
    });
    const { id } = await one.journey({ triggerSegmentId: segment.id, steps: [wait('w', 1)] });
    const { become } = await scene.anonymous('fcm', 'stranger');
    await scene.people(1, ['email']);
    const campaign = await scene.campaign();
    const release = scene.hold();
    await scene.send(campaign.id);
    t.equal(scene.sent.length, 1);
    await become('user-0');
    await release();
    t.match(await one.stats(id), { enrolled: 1 });
  },
);
