// A journey that is put away: what it allows, and what goes on in it.

import t from 'tap';
import { hourMs } from '../../../../engine/base/brand.ts';
import { JourneyScene, send, wait } from './support/journey-scene.ts';

t.test(
  'who is under way in a journey that is put away leaves it, and its stats stay',
  async (t) => {
    const one = await JourneyScene.withPeople(2);
    const { scene } = one;
    const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1), send('a')] });
    await one.track({ name: 'signup', user: 'user-0' });
    await one.pause(id);
    const put = await scene.one.value(scene.app, 'journey.archive', { id });
    t.equal(put.archivedMs, one.nowMs);
    t.same(await scene.one.value(scene.app, 'journey.archive', { id }), put, 'twice is once');
    await scene.crash();
    t.same(await scene.one.value(scene.app, 'journey.read', { id }), put);
    await one.track({ name: 'signup', user: 'user-1' });
    t.match(await one.stats(id), { enrolled: 1, inFlow: 1 });
    await scene.advance(hourMs);
    t.same(one.sent, []);
    t.match(await one.stats(id), { enrolled: 1, exited: 1, inFlow: 0 });
    const { archivedMs: _gone, ...back } = put;
    const taken = await scene.one.value(scene.app, 'journey.unarchive', { id });
    t.same(taken, { ...back, updatedMs: one.nowMs });
    t.same(await scene.one.value(scene.app, 'journey.unarchive', { id }), taken, 'twice is once');
    await one.live(id);
    await one.track({ name: 'signup', user: 'user-1' });
    await scene.advance(hourMs);
    t.same(one.sent, ['a user-1']);
  },
);

t.test('a live one is not put away, and one that is put away rests', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a')] });
  const { id: other } = await one.journey({ triggerEvent: 'signup', steps: [send('a')] });
  const refusal = async (kind: string, more: object = {}) => {
    const said = await scene.one.ask(scene.app, kind as never, { id, ...more } as never);
    return said.ok ? undefined : said.fault;
  };
  t.match(await refusal('journey.archive'), {
    code: 'wrong_state',
    message: 'this journey is live and cannot be archived. Pause it first with active: false',
  });
  await one.pause(id);
  await scene.one.value(scene.app, 'journey.archive', { id });
  const change = { input: {}, removed: [] };
  const name = { input: { name: 'Other' }, removed: [] };
  for (const [kind, more, verb] of [
    ['journey.update', { change, active: true }, 'activate'],
    ['journey.update', { change, active: true, replaces: other }, 'activate'],
    ['journey.update', { change: name }, 'change'],
    ['journey.correct', { step: 'a', message: { title: 'b', body: 'x' } }, 'correct'],
  ] as const)
    t.match(await refusal(kind, more), {
      code: 'wrong_state',
      message: `this journey is archived; unarchive it before you ${verb} it`,
    });
  t.equal(one.state.journeys.get(other)?.record.active, true);
  const copy = await scene.one.value(scene.app, 'journey.duplicate', { id });
  t.equal(copy.archivedMs, undefined, 'a copy of it is not put away');
  await scene.one.value(scene.app, 'journey.delete', { id });
});
