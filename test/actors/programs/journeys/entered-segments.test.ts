// Journeys that a segment brings people into: who enters it, who is in already, and whom time alone
// brings in.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { JourneyScene, send, wait } from './support/journey-scene.ts';

t.test(
  'a segment that is entered enrolls in the turn of the cause; who is in may be taken in',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    const { app } = scene;
    await scene.people(5);
    const tag = (user: string) =>
      scene.one.value(app, 'subscriber.upsert', {
        subscriber: { externalUserId: user, tags: { plan: 'pro' } },
      } as never);
    await tag('user-0');
    await tag('user-1');
    const segment = await scene.one.value(app, 'segment.create', {
      name: 'pros',
      filter: { tag: 'plan', eq: 'pro' },
    });
    const { id } = await one.journey({ triggerSegmentId: segment.id, steps: [send('pro')] });
    await scene.run();
    t.same(one.sent, [], 'who is in is not taken');
    await tag('user-2');
    await scene.run();
    t.same(one.sent, ['pro user-2']);
    t.match(one.stored('journey_enrolled'), [{ person: one.person('user-2') }]);
    await one.live(id, { enrollExisting: true });
    t.same([...one.sent].sort(), ['pro user-0', 'pro user-1', 'pro user-2']);
    t.ok(one.state.journeys.get(id)?.awaited.isEmpty());
    await one.pause(id);
    t.equal(one.state.watches.size, 0, 'nobody follows it any more');
    await tag('user-3');
    await scene.run();
    t.equal(one.sent.length, 3);
  },
);

t.test(
  'whom time alone brings into a segment enrolls at that instant, also after a crash',
  async (t) => {
    const one = await JourneyScene.withPeople(3);
    const { scene } = one;
    const filter = {
      all: [
        { event: 'visit', withinDays: 9 },
        { event: 'visit', notWithinDays: 2 },
      ],
    };
    const segment = await scene.one.value(scene.app, 'segment.create', { name: 'away', filter });
    const { id } = await one.journey({
      triggerSegmentId: segment.id,
      reentry: 'always',
      steps: [send('miss you')],
    });
    await one.track({ name: 'visit', user: 'user-0' });
    await scene.advance(hourMs);
    await one.track({ name: 'visit', user: 'user-1' });
    const dueMs = one.nowMs - hourMs + 48 * hourMs;
    await scene.advance(dueMs - one.nowMs - 1);
    t.same(one.sent, []);
    await scene.crash();
    await scene.advance(1);
    t.same(one.sent, ['miss you user-0']);
    t.match(one.stored('journey_enrolled'), [{ atMs: dueMs }]);
    await one.track({ name: 'visit', user: 'user-1' });
    await scene.advance(hourMs);
    t.equal(one.sent.length, 1, 'who came back in time does not enter');
    await one.track({ name: 'visit', user: 'user-0' });
    await scene.advance(48 * hourMs);
    t.same([...one.sent].sort(), ['miss you user-0', 'miss you user-0', 'miss you user-1']);
    t.match(await one.stats(id), { enrolled: 3, completed: 3 });
  },
);

t.test(
  'more than a turn takes are enrolled in slices, everybody once, also over a crash',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    const count = limits.journeySliceMax + 500;
    const rows = Array.from({ length: count }, (_, i) => ({
      externalUserId: `user-${i}`,
      tags: { plan: 'pro' },
    }));
    for (let from = 0; from < count; from += 500)
      await scene.one.value(scene.app, 'subscriber.import', {
        rows: rows.slice(from, from + 500),
      } as never);
    const segment = await scene.one.value(scene.app, 'segment.create', {
      name: 'pros',
      filter: { tag: 'plan', eq: 'pro' },
    });
    const { id } = await one.journey(
      {
        triggerSegmentId: segment.id,
        steps: [wait('w', 1), send('x')],
      },
      false,
    );
    const change = { input: {}, removed: [] };
    await scene.one.value(scene.app, 'journey.update', {
      id,
      change,
      active: true,
      enrollExisting: true,
    });
    await scene.crash();
    t.match(await one.stats(id), { enrolled: count, inFlow: count });
    await scene.advance(hourMs);
    t.match(await one.stats(id), { inFlow: 0, completed: count });
    t.equal(one.stored('suppressed').length, count, 'nobody has a device');
  },
);
