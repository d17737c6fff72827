// Journeys that really move people, by the app's actor, the dispatcher and adapters, on a clock
// that stands still until it is moved: events that enroll, goals, conditions, and what each step
// leaves behind.

import t from 'tap';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { condition, goal, JourneyScene, send, wait } from './support/journey-scene.ts';

t.test(
  'an event enrolls in its own turn, waits are kept, and each step is sent once',
  async (t) => {
    const one = await JourneyScene.withPeople(2);
    const { scene } = one;
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [send('hello'), wait('day', 24), send('again')],
    });
    const seq = scene.one.partition.seq;
    await one.ask({ name: 'signup', user: 'user-0' }, { name: 'other', user: 'user-1' });
    t.equal(one.state.journeys.get(id)?.flow.runs.count, 1);
    t.equal(scene.one.partition.seq, seq + 1, 'one turn');
    await scene.run();
    t.same(one.sent, ['hello user-0']);
    await one.track({ name: 'signup', user: 'user-0' });
    t.same(one.sent, ['hello user-0'], 'once');
    await scene.advance(24 * hourMs - 1);
    t.same(one.sent, ['hello user-0']);
    await scene.advance(1);
    t.same(one.sent, ['hello user-0', 'again user-0']);
    const answers = { delivered: 0, opened: 0, clicked: 0, converted: 0, bounced: 0, failed: 0 };
    const nothing = {
      entered: 0,
      waiting: 0,
      sent: 0,
      ...answers,
      suppressed: 0,
      suppressedBy: {},
    };
    t.same(await one.stats(id), {
      enrolled: 1,
      inFlow: 0,
      completed: 1,
      converted: 0,
      exited: 0,
      bySteps: {
        hello: { ...nothing, entered: 1, sent: 1, delivered: 1 },
        day: { ...nothing, entered: 1 },
        again: { ...nothing, entered: 1, sent: 1, delivered: 1 },
      },
    });
    const told = one.stored('journey_enrolled', 'journey_completed', 'delivered');
    t.match(told, [
      { name: 'journey_enrolled', journeyId: id, person: 0 },
      { name: 'delivered', journeyId: id, meta: { journeyId: id } },
      { name: 'journey_completed', journeyId: id },
      { name: 'delivered', journeyId: id },
    ]);
    const seqs = one.stored().map(({ seq }) => seq);
    t.same(
      seqs,
      seqs.map((_, i) => i + 1),
      'events are numbered without a gap',
    );
    t.equal(one.state.nextEvent, seqs.length + 1);
  },
);

t.test(
  'a goal converts by its event and nothing after it runs; without it the way goes on',
  async (t) => {
    const one = await JourneyScene.withPeople(3);
    const { scene } = one;
    const { id } = await one.journey({
      triggerEvent: 'signup',
      reentry: 'always',
      steps: [goal('buy', 'order', 2), send('nudge')],
    });
    for (const user of ['user-0', 'user-1']) await one.track({ name: 'signup', user });
    await scene.advance(hourMs);
    await one.track({ name: 'order', user: 'user-0' });
    await scene.advance(2 * hourMs);
    t.same(one.sent, ['nudge user-1']);
    t.match(await one.stats(id), { enrolled: 2, converted: 1, completed: 1, inFlow: 0 });
    t.match(one.stored('journey_converted'), [{ person: one.person('user-0'), journeyId: id }]);
    await one.track({ name: 'signup', user: 'user-2' }, { name: 'order', user: 'user-2' });
    t.match(await one.stats(id), { enrolled: 3, converted: 2 }, 'both in one request, in order');
    await one.track(
      { name: 'signup', user: 'user-2' },
      { name: 'signup', user: 'user-2' },
      { name: 'order', user: 'user-2' },
      { name: 'signup', user: 'user-2' },
    );
    t.match(await one.stats(id), { enrolled: 5, converted: 3, inFlow: 1 }, 'never two at a time');
  },
);

t.test('a goal takes the time an event names: late, early and to come', async (t) => {
  const one = await JourneyScene.withPeople(5);
  const { scene } = one;
  const { id } = await one.journey({
    triggerEvent: 'signup',
    steps: [goal('buy', 'order', 2), send('nudge')],
  });
  const startMs = one.nowMs;
  await one.track(...[0, 1, 2, 3].map((i) => ({ name: 'signup', user: `user-${i}` })));
  await one.track({ name: 'order', user: 'user-0', at: startMs - 1 });
  t.match(await one.stats(id), { converted: 0 }, 'before the goal was reached');
  await scene.advance(2 * hourMs - 5 * minuteMs);
  await one.track(
    { name: 'order', user: 'user-0', at: startMs },
    { name: 'order', user: 'user-1', at: startMs + 2 * hourMs - 1 },
    { name: 'order', user: 'user-2', at: startMs + 2 * hourMs },
  );
  t.match(await one.stats(id), { converted: 2, inFlow: 2 }, 'the last instant is, the next is not');
  await scene.advance(5 * minuteMs);
  await one.track({ name: 'order', user: 'user-3', at: startMs + hourMs });
  t.match(await one.stats(id), { converted: 2, completed: 2 }, 'too late to stop the nudge');
  t.same([...one.sent].sort(), ['nudge user-2', 'nudge user-3']);
  await one.track({ name: 'signup', user: 'user-4', at: startMs - 30 * 24 * hourMs });
  t.match(await one.stats(id), { enrolled: 5 }, 'an event of long ago enrolls when it comes');
});

t.test(
  'the event that enrolls converts nobody, and one that converts enrolls nobody',
  async (t) => {
    const one = await JourneyScene.withPeople(1);
    const { id } = await one.journey({
      triggerEvent: 'order',
      reentry: 'always',
      steps: [goal('buy', 'order', 2)],
    });
    await one.track({ name: 'order', user: 'user-0' });
    t.match(await one.stats(id), { enrolled: 1, inFlow: 1 });
    await one.track({ name: 'order', user: 'user-0' });
    t.match(await one.stats(id), { enrolled: 1, converted: 1, inFlow: 0 });
  },
);

t.test(
  'conditions see the event that enrolled, and events of receipts move people too',
  async (t) => {
    const one = await JourneyScene.withPeople(1);
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [
        condition('new?', { event: 'signup', withinDays: 1 }, [send('new')], [send('old')]),
        goal('landed', 'delivered', 1),
        send('lost'),
      ],
    });
    await one.track({ name: 'signup', user: 'user-0' });
    t.same(one.sent, ['new user-0']);
    t.match(await one.stats(id), { converted: 1 }, 'the receipt is heard in its turn');
  },
);

t.test('what journeys bring about enrolls nobody, or they could go round for ever', async (t) => {
  const one = await JourneyScene.withPeople(1);
  const make = (triggerEvent: string) =>
    one.journey({ triggerEvent, reentry: 'always', steps: [send(triggerEvent)] });
  const first = await make('delivered');
  const second = await make('suppressed');
  await make('signup');
  await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'nobody' });
  t.same(one.sent, ['signup user-0']);
  t.equal(one.stored('suppressed').length, 1, 'nobody has no device');
  for (const { id } of [first, second]) t.match(await one.stats(id), { enrolled: 0 });
});

t.test(
  'an event that nobody listens for makes no message; columns that are not whole make people wait',
  async (t) => {
    const one = await JourneyScene.withPeople(1);
    const { scene } = one;
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [
        condition('c', { event: 'order', withinDays: 5, atLeast: 2 }, [send('a')], [send('b')]),
      ],
    });
    t.equal(one.state.journeys.listeners.to('other'), undefined);
    await one.track({ name: 'order', user: 'user-0' }, { name: 'order', user: 'user-0' });
    await one.track({ name: 'signup', user: 'user-0' });
    t.match(await one.stats(id), { bySteps: { c: { entered: 1, waiting: 1 } } });
    const { traits } = one.state;
    traits.collect('order', 2);
    for (let i = 0; i < 2; i++) traits.counted.get('order')?.times.add(0, one.nowMs - i, 1);
    traits.becomeWhole('order');
    await scene.advance(1000);
    t.same(one.sent, ['a user-0']);
  },
);

t.test('a step may be called as what every object has', async (t) => {
  const one = await JourneyScene.withPeople(1);
  one.scene.answers = () => ({ outcome: 'retry', reason: 'busy' });
  await one.journey({ triggerEvent: 'signup', steps: [send('toString')] as never });
  await one.track({ name: 'signup', user: 'user-0' });
  t.match([...one.state.outbox.jobs.values()], [{ expiresMs: null }]);
});
