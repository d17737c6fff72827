// A process that ends at any turn, a checkpoint, a restore: the same people are where they were,
// and each step is sent once.

import t from 'tap';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { TestPartition } from '../../../support/partition.ts';
import { condition, goal, JourneyScene, send, wait } from './support/journey-scene.ts';

t.test(
  'memory is the same from the log and from a checkpoint, and the same wakes come',
  async (t) => {
    const one = await JourneyScene.withPeople(4);
    const { scene } = one;
    await one.journey({
      triggerEvent: 'signup',
      steps: [wait('w', 1), send('a'), goal('g', 'order', 5), send('b')],
    });
    for (let i = 0; i < 4; i++) {
      await one.track({ name: 'signup', user: `user-${i}` });
      await scene.advance(20 * minuteMs);
    }
    const { partition, store, clock } = scene.one;
    const before = structuredClone(one.state.journeys.snapshot());
    const checkpoint = { seq: partition.seq, memory: structuredClone(partition.snapshot()) };
    const taken = new TestPartition({ store, clock, checkpoint });
    t.same(taken.product.state.apps.get(scene.app)?.journeys.snapshot(), before);
    await scene.crash();
    t.same(one.state.journeys.snapshot(), before);
    await scene.advance(hourMs);
    t.equal(one.sent.length, 4);
  },
);

t.test('a small storm, killed at every turn, sends to each person once', async (t) => {
  const steps = [
    send('a'),
    condition('c', { tag: 'first_name', exists: true }, [wait('w', 1), send('b')]),
    goal('g', 'order', 2),
    send('d'),
  ];
  const people = 12;
  let turns = 1;
  for (let killed = 0; killed < turns; killed++) {
    const one = await JourneyScene.withPeople(people);
    const { scene } = one;
    const { id } = await one.journey({ triggerEvent: 'signup', steps });
    const first = scene.one.partition.seq;
    let isKilled = false;
    const kill = async () => {
      if (isKilled || scene.one.partition.seq - first < killed) return;
      isKilled = true;
      await scene.crash();
    };
    for (let i = 0; i < people; i += 4) {
      await one.ask(...[0, 1, 2, 3].map((k) => ({ name: 'signup', user: `user-${i + k}` })));
      await kill();
      await scene.run();
      await kill();
    }
    for (let minutes = 0; minutes < 240; minutes += 20) {
      scene.one.clock.nowMs += 20 * minuteMs;
      await scene.one.settle();
      await kill();
      await scene.run();
      await kill();
      if (minutes === 60) await one.ask({ name: 'order', user: 'user-0' });
    }
    turns = Math.max(turns, scene.one.partition.seq - first);
    const wanted = Array.from({ length: people }, (_, i) =>
      ['a', 'b', 'd'].map((title) => `${title} user-${i}`),
    )
      .flat()
      .filter((title) => title !== 'd user-0');
    t.same(
      [...new Set(one.sent)].sort(),
      wanted.sort(),
      `killed at turn ${killed}: nobody is left out`,
    );
    const queued = new Map<string, Set<string>>();
    for (const { content, sendId } of scene.sent) {
      const title = content.title ?? '';
      queued.set(title, (queued.get(title) ?? new Set()).add(sendId));
    }
    t.ok(
      [...queued.values()].every(({ size }) => size === 1),
      'one send each',
    );
    t.match(await one.stats(id), {
      enrolled: people,
      completed: people - 1,
      converted: 1,
      inFlow: 0,
    });
  }
  t.ok(turns > 12, `${turns} turns`);
});

t.test(
  'after a restore that resends nothing, who was due before waits for the operator',
  async (t) => {
    const one = await JourneyScene.withPeople(2);
    const { scene } = one;
    const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1), send('a')] });
    await one.track({ name: 'signup', user: 'user-0' });
    await scene.advance(30 * minuteMs);
    await one.track({ name: 'signup', user: 'user-1' });
    const { store, clock } = scene.one;
    clock.nowMs += 45 * minuteMs;
    scene.one = new TestPartition({
      store,
      clock,
      restored: { epoch: 2, resend: 'none', erased: () => [] },
    });
    await scene.run();
    t.same(one.sent, []);
    await scene.advance(hourMs);
    t.same(one.sent, ['a user-1'], 'who came due since goes on');
    t.match(await scene.one.value(scene.app, 'held.survey', {}), [
      { ordinal: scene.app, journeys: [{ id }], campaigns: [] },
    ]);
    await scene.one.value(scene.app, 'journeys.release', {});
    t.same(await scene.one.value(scene.app, 'held.survey', {}), []);
    t.equal(one.state.journeys.get(id)?.heldMs, 0);
    await scene.advance(1);
    t.same(one.sent, ['a user-1', 'a user-0']);
    one.state.journeys.hold(one.nowMs);
    await one.live(id);
    t.equal(one.state.journeys.get(id)?.heldMs, 0, 'its author lets them go on, too');
  },
);
