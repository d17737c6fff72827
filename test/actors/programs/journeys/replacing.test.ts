// A journey that goes live in the place of another one: nobody is in neither, and nobody in both.

import t from 'tap';
import type { JourneysEntry } from '../../../../actors/programs/journeys/entries.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { condition, JourneyScene, send, wait } from './support/journey-scene.ts';

const change = { input: {}, removed: [] };
const signup = { triggerEvent: 'signup' };

async function refusal(one: JourneyScene, body: object) {
  const said = await one.scene.one.ask(one.scene.app, 'journey.update', body as never);
  return said.ok ? undefined : said.fault;
}

/** How many journeys are saved in each block in which one takes the place of this one. */
function replacements({ scene }: JourneyScene, old: string): number[] {
  const found: number[] = [];
  for (const { entries } of scene.blocks()) {
    const saved = (entries as readonly JourneysEntry[]).filter(
      ({ kind }) => kind === 'journey.saved',
    );
    if (saved.some((one) => 'replaces' in one && one.replaces === old)) found.push(saved.length);
  }
  return found;
}

t.test('an event starts the old one or the new one, by which side of the call it is', async (t) => {
  const one = await JourneyScene.withPeople(3);
  const { scene } = one;
  const always = { ...signup, reentry: 'always' as const };
  const { id: old } = await one.journey({ ...always, steps: [wait('w', 1), send('old')] });
  const { id } = await one.journey({ ...always, steps: [wait('w', 1), send('new')] }, false);
  const body = { id, change, active: true, replaces: old };
  await Promise.all([
    one.ask({ name: 'signup', user: 'user-0' }),
    scene.one.value(scene.app, 'journey.update', body),
    one.ask({ name: 'signup', user: 'user-1' }),
  ]);
  await scene.run();
  t.same(replacements(one, old), [2], 'one block saves both');
  t.match(await one.stats(old), { enrolled: 1, inFlow: 1 });
  t.match(await one.stats(id), { enrolled: 1, inFlow: 1 });
  const [was, is] = [old, id].map((which) => one.state.journeys.get(which)?.record);
  t.match(was, { active: false, replacedBy: id });
  t.match(is, { active: true });
  t.equal(was?.updatedMs, is?.updatedMs);
  await one.track({ name: 'signup', user: 'user-0' });
  await scene.advance(hourMs);
  t.same([...one.sent].sort(), ['new user-0', 'new user-1'], 'who is under way leaves the old one');
  t.match(await one.stats(old), { exited: 1, inFlow: 0 });
});

t.test(
  'a storm that the old one was still to enroll goes to the new one, also after a crash',
  async (t) => {
    for (const isKilled of [false, true]) {
      const one = await JourneyScene.open();
      const { scene } = one;
      const tags = Array.from({ length: 100 }, (_, i) => ({ tag: `t${i}`, exists: true }));
      const steps = [condition('c', { any: tags }, [], [wait('w', 1)])];
      const { id: old } = await one.journey({ ...signup, steps });
      const { id } = await one.journey({ ...signup, steps }, false);
      const { id: elsewhere } = await one.journey({ triggerEvent: 'order', steps }, false);
      const storm = Array.from({ length: 900 }, (_, i) => ({ name: 'signup', user: `user-${i}` }));
      const body = { id, change, active: true, replaces: old };
      await Promise.all([one.ask(...storm), scene.one.value(scene.app, 'journey.update', body)]);
      if (isKilled) await scene.crash();
      await scene.run();
      const counts = await Promise.all(
        [old, id].map(async (which) => (await one.stats(which)).enrolled),
      );
      t.ok(
        counts.every((count) => count > 0),
        `${counts}`,
      );
      t.equal((counts[0] ?? 0) + (counts[1] ?? 0), 900);
      const people = [...new Set(one.stored('journey_enrolled').map(({ person }) => person))];
      t.equal(people.length, 900, 'each of them once');
      const memory = structuredClone(one.state.journeys.snapshot());
      await scene.crash();
      t.same(one.state.journeys.snapshot(), memory, 'the log says the same');
      await one.journey({ ...signup, steps });
      await scene.one.value(scene.app, 'journey.update', { ...body, id: elsewhere, replaces: id });
      await one.track({ name: 'signup', user: 'user-1' });
      t.match(await one.stats(elsewhere), { enrolled: 0 }, 'another event starts it');
    }
  },
);

t.test('with once, whoever was ever in the old one does not enter the new one', async (t) => {
  const one = await JourneyScene.withPeople(2, ['fcm'], { tags: { plan: 'pro' } });
  const { scene } = one;
  const { id: segmentId } = await scene.one.value(scene.app, 'segment.create', {
    name: 'pros',
    filter: { tag: 'plan', eq: 'pro' },
  });
  const of = { triggerSegmentId: segmentId, steps: [send('a')] };
  const { id: old } = await one.journey(of);
  await scene.people(1, ['fcm'], { tags: { plan: 'pro' } }, 'late');
  await scene.run();
  t.equal(one.sent.length, 1);
  const { id } = await one.journey(of, false);
  await one.live(id, { replaces: old, enrollExisting: true });
  t.equal(one.sent.length, 3, 'not again to who was in the old one');
  await scene.people(1, ['fcm'], { tags: { plan: 'pro' } }, 'last');
  await scene.run();
  t.match(await one.stats(id), { enrolled: 3 });
  t.match(await one.stats(old), { enrolled: 1 });
  t.same([...one.state.watches.keys()], [segmentId]);
  await one.pause(id);
  t.equal(one.state.watches.size, 0, 'the old one does not follow the segment');
});

t.test('what is on its way to the old one reaches the new one', async (t) => {
  const one = await JourneyScene.withPeople(3);
  const { scene } = one;
  const steps = [wait('w', 1)];
  const { id: old } = await one.journey({ ...signup, reentry: 'always', steps });
  await one.track({ name: 'signup', user: 'user-0' });
  const { id: next } = await one.journey({ ...signup, reentry: 'always', steps }, false);
  const { id: last } = await one.journey({ ...signup, reentry: 'always', steps }, false);
  await one.live(next, { replaces: old });
  await one.live(last, { replaces: next });
  const heard = [0, 1].map((n) => ({
    ...{ person: one.person(`user-${n}`), name: 'signup', atMs: one.nowMs },
    ...{ mayEnroll: true, isVouched: true },
  }));
  await scene.one.value(scene.app, 'journey.hear', { id: old, heard } as never);
  await scene.run();
  t.match(await one.stats(last), { enrolled: 1 }, 'not who was in the old one as it came');
  await one.live(old);
  await one.pause(old);
  const again = heard.map((event) => ({ ...event, person: one.person('user-2') }));
  await scene.one.value(scene.app, 'journey.hear', { id: old, heard: again } as never);
  await scene.run();
  t.match(await one.stats(last), { enrolled: 1 }, 'a journey that was live since has no successor');
});

t.test('people on their way into the old one by its segment reach the new one', async (t) => {
  const one = await JourneyScene.withPeople(2);
  const { scene } = one;
  const segments = await Promise.all(
    ['pro', 'free'].map((plan) =>
      scene.one.value(scene.app, 'segment.create', {
        name: plan,
        filter: { tag: 'plan', eq: plan },
      }),
    ),
  );
  const [pro = '', free = ''] = segments.map(({ id }) => id);
  const steps = [wait('w', 1)];
  const { id: old } = await one.journey({ triggerSegmentId: pro, steps });
  const { id } = await one.journey({ triggerSegmentId: pro, steps }, false);
  const { id: other } = await one.journey({ triggerSegmentId: free, steps }, false);
  await one.live(id, { replaces: old });
  const enter = (user: string) =>
    scene.one.value(scene.app, 'journey.enter', { id: old, people: [one.person(user)] } as never);
  await enter('user-0');
  await scene.run();
  t.match(await one.stats(id), { enrolled: 1 });
  await one.live(old, { replaces: id });
  await one.live(other, { replaces: old });
  await enter('user-1');
  await scene.run();
  t.match(await one.stats(other), { enrolled: 0 }, 'they did not enter its segment');
});

t.test('an event without proof starts one person once an hour, whichever of the two', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  const always = { ...signup, reentry: 'always' as const, steps: [send('a')] };
  const { id: old } = await one.journey(always);
  const { id } = await one.journey(always, false);
  await scene.people(1);
  const bytes = () =>
    Buffer.from(JSON.stringify({ events: [{ name: 'signup', externalUserId: 'user-0' }] }));
  const track = async () => {
    await scene.one.value(scene.app, 'events.ingest', { keyless: true }, { bytes: bytes() });
    await scene.run();
  };
  await track();
  await one.live(id, { replaces: old });
  await track();
  t.match([await one.stats(old), await one.stats(id)], [{ enrolled: 1 }, { enrolled: 0 }]);
  await scene.advance(hourMs);
  await track();
  t.match(await one.stats(id), { enrolled: 1 });
});

t.test('a refusal names the member, and switches nothing', async (t) => {
  const one = await JourneyScene.open();
  const steps = [wait('w', 1)];
  const { id: old } = await one.journey({ ...signup, steps });
  const { id: off } = await one.journey({ ...signup, steps }, false);
  const { id } = await one.journey({ ...signup, steps }, false);
  const unknown = `${old.slice(0, -4)}0000`;
  for (const [body, code, message] of [
    [{ replaces: old }, 'invalid', /^replaces: can only be used with active: true/],
    [{ replaces: old, active: false }, 'invalid', /^replaces: can only be used/],
    [{ replaces: id, active: true }, 'invalid', /^replaces: a journey cannot replace itself/],
    [{ replaces: off, active: true }, 'wrong_state', /^replaces: this journey is not live/],
    [{ replaces: unknown, active: true }, 'not_found', /^replaces: journey not found: jrn_/],
  ] as const)
    t.match(await refusal(one, { id, change, ...body }), { code, message, field: 'replaces' });
  t.equal(one.state.journeys.get(old)?.record.active, true);
  t.equal(one.state.journeys.get(id)?.record.active, false);
});

t.test('a call again changes nothing more, and the old one can come back', async (t) => {
  const one = await JourneyScene.withPeople(2);
  const { scene } = one;
  const steps = [wait('w', 1), send('a')];
  const { id: old } = await one.journey({ ...signup, steps });
  const { id } = await one.journey({ ...signup, steps }, false);
  await one.live(id, { replaces: old });
  await one.track({ name: 'signup', user: 'user-0' });
  await one.live(id, { replaces: old });
  t.match(one.state.journeys.get(old)?.record, { active: false, replacedBy: id });
  t.match(await one.stats(id), { enrolled: 1, inFlow: 1 });
  await scene.advance(hourMs);
  t.same(one.sent, ['a user-0'], 'who is under way in the new one stays');
  const back = await one.live(old, { replaces: id });
  t.equal(back.replacedBy, undefined);
  t.match(one.state.journeys.get(id)?.record, { active: false, replacedBy: old });
});

t.test('the twenty that one event may start are counted without the one that leaves', async (t) => {
  const one = await JourneyScene.open();
  const steps = [wait('w', 1)];
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push((await one.journey({ ...signup, steps })).id);
  const { id } = await one.journey({ ...signup, steps }, false);
  t.match(await refusal(one, { id, change, active: true }), { code: 'limit_reached' });
  const { id: elsewhere } = await one.journey({ triggerEvent: 'order', steps });
  t.match(await refusal(one, { id, change, active: true, replaces: elsewhere }), {
    code: 'limit_reached',
    field: 'triggerEvent',
  });
  t.equal(one.state.journeys.get(elsewhere)?.record.active, true, 'neither is switched');
  await one.live(id, { replaces: ids[3] });
  t.equal(one.state.journeys.listeners.to('signup')?.triggered.size, 20);
});

t.test('a switch that is killed at any turn is whole or not there', async (t) => {
  let turns = 1;
  for (let killed = 0; killed < turns; killed++) {
    const one = await JourneyScene.withPeople(2);
    const { scene } = one;
    const { id: old } = await one.journey({ ...signup, steps: [send('old')] });
    const { id } = await one.journey({ ...signup, steps: [send('new')] }, false);
    const first = scene.one.partition.seq;
    const calls = [
      () => one.ask({ name: 'signup', user: 'user-0' }),
      () =>
        scene.one.value(scene.app, 'journey.update', { id, change, active: true, replaces: old }),
      () => one.ask({ name: 'signup', user: 'user-1' }),
    ];
    let isKilled = false;
    for (const call of calls) {
      await call();
      if (!isKilled && scene.one.partition.seq - first >= killed) {
        isKilled = true;
        await scene.crash();
      }
      await scene.run();
      const live = [old, id].filter((which) => one.state.journeys.get(which)?.record.active);
      t.equal(live.length, 1, `one is live, killed at ${killed}`);
    }
    turns = Math.max(turns, scene.one.partition.seq - first);
    t.match([await one.stats(old), await one.stats(id)], [{ enrolled: 1 }, { enrolled: 1 }]);
    t.same(replacements(one, old), [2], 'one block saves both');
  }
  t.ok(turns >= 3, `${turns} turns`);
});
