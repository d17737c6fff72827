// Storms: what is too much for a turn waits, keeps nothing of others waiting, and leaves nobody
// out.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { JourneyClock } from '../../../../actors/programs/journeys/clock.ts';
import type { JourneysEntry } from '../../../../actors/programs/journeys/entries.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { condition, JourneyScene, send, wait } from './support/journey-scene.ts';

t.test(
  'a storm leaves the outbox to others: sends wait for room, and nobody is left out',
  async (t) => {
    const one = await JourneyScene.withPeople(2);
    const { scene } = one;
    const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a')] });
    const { outbox } = one.state;
    for (let i = 1; i < limits.outboxJourneysMax; i++)
      outbox.add({
        sendId: `${i}`,
        person: 99,
        acceptedMs: 1,
        expiresMs: null,
        targets: [],
        open: 1,
      });
    await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'user-1' });
    t.equal(one.sent.length, 1);
    t.match(await one.stats(id), { inFlow: 1, bySteps: { a: { waiting: 1, sent: 1 } } });
    await scene.advance(10_000);
    t.equal(one.sent.length, 2);
    t.match(await one.stats(id), { completed: 2 });
  },
);

t.test(
  'who comes in a storm that is dear to decide about is written down, and enrolls soon',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    const tags = Array.from({ length: 100 }, (_, i) => ({ tag: `t${i}`, exists: true }));
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [condition('c', { any: tags }, [], [wait('w', 1)])],
    });
    const users = Array.from({ length: 900 }, (_, i) => ({ name: 'signup', user: `user-${i}` }));
    await one.ask(...users);
    const blocks = [...scene.one.store.blocks(1, 1e9)].map(({ block }) =>
      decodeBlock(block).entries.map(({ kind }) => kind),
    );
    t.same(
      blocks.find((kinds) => kinds.includes('events.tracked')),
      ['events.tracked', 'journey.moved', 'journey.awaited'],
      'a slice in the turn of the events, the rest in those after it',
    );
    await scene.crash();
    t.match(await one.stats(id), { enrolled: 900, inFlow: 900 });
    t.ok(one.state.journeys.get(id)?.awaited.isEmpty());
  },
);

t.test('whom a journey awaits do not keep those of another waiting', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  const filter = { tag: 'plan', eq: 'pro' };
  const make = (name: string, of: object) =>
    scene.one.value(scene.app, 'segment.create', { name, filter: of } as never);
  const many = await make('many', filter);
  const few = await make('few', { tag: 'plan', eq: 'free' });
  await scene.people(4 * limits.turnWakesSharedMax, ['fcm'], { tags: { plan: 'pro' } });
  await scene.people(1, ['fcm'], { tags: { plan: 'free' } }, 'free');
  const steps = [wait('w', 1)];
  const [large, small] = await Promise.all(
    [many, few].map(({ id }) => one.journey({ triggerSegmentId: id, steps }, false)),
  );
  const change = { input: {}, removed: [] };
  await Promise.all(
    [large, small].map((journey) =>
      scene.one.value(scene.app, 'journey.update', {
        id: journey?.id ?? '',
        change,
        active: true,
        enrollExisting: true,
      }),
    ),
  );
  await scene.run();
  const moved: string[] = [];
  for (const { entries } of scene.blocks())
    for (const entry of entries as readonly JourneysEntry[])
      if (entry.kind === 'journey.moved') moved.push(entry.journeyId);
  t.equal(moved.filter((id) => id === large?.id).length, 4);
  t.ok(moved.indexOf(small?.id ?? '') <= 2, `it has its turn between: ${moved.join()}`);
});

t.test('who is awaited and cannot be decided about is asked in a minute', async (t) => {
  const one = await JourneyScene.withPeople(1);
  const { scene } = one;
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1)] });
  const { state } = scene.one.product;
  const { nowMs } = one;
  state.apps.get(scene.app)?.journeys.get(id)?.awaited.set(0);
  const clock = new JourneyClock();
  const at = (atMs: number) => ({ nowMs: atMs, wallMs: atMs, isShared: false });
  clock.begin(state);
  t.match(clock.due(state, at(nowMs)), [{ message: { kind: 'journey.admit', id } }]);
  t.equal(clock.nextMs, nowMs + minuteMs);
  t.same(clock.due(state, at(nowMs + 1)), []);
  t.equal(clock.due(state, at(nowMs + minuteMs)).length, 1);
});
