// A live journey's text is corrected: who comes to the step next gets it, and nothing else changes.

import t from 'tap';
import { hourMs } from '../../../../engine/base/brand.ts';
import { Documents } from '../../../../storage/documents.ts';
import { contentCopies } from '../../../../storage/tables/content-copy.ts';
import { condition, JourneyScene, send, wait } from './support/journey-scene.ts';

const correct = (one: JourneyScene, id: string, step: string, given: object) =>
  one.scene.one.value(one.scene.app, 'journey.correct', { id, step, ...given });

const refusal = async (one: JourneyScene, id: string, step: string, given: object) => {
  const answer = await one.scene.one.ask(one.scene.app, 'journey.correct', { id, step, ...given });
  return answer.ok ? 'accepted' : answer.fault;
};

t.test('who comes to the step next gets the corrected text, and nobody else', async (t) => {
  const one = await JourneyScene.withPeople(2);
  const { scene } = one;
  const { id } = await one.journey({
    triggerEvent: 'signup',
    steps: [wait('w', 1), send('a', 'Old'), wait('v', 1), send('b', 'Last')],
  });
  await one.track({ name: 'signup', user: 'user-0' });
  scene.answers = () => ({ outcome: 'retry', reason: 'http_503' });
  await scene.advance(hourMs);
  t.same(one.sent, ['Old user-0'], 'queued, and tried again later');
  await one.track({ name: 'signup', user: 'user-1' });
  const record = await correct(one, id, 'a', {
    message: { title: 'New {{ first_name }}', body: 'x' },
  });
  t.match(record.steps[1], { id: 'a', type: 'send', channels: ['fcm'] });
  t.match(await one.stats(id), { inFlow: 2, bySteps: { w: { waiting: 1 } } }, 'nobody moved');
  scene.answers = () => ({ outcome: 'accepted' });
  await scene.crash();
  await scene.advance(hourMs);
  await scene.advance(hourMs);
  const [again, ...rest] = [...new Set(one.sent)];
  t.equal(again, 'Old user-0', 'a retry sends what was queued');
  t.same(rest.sort(), ['Last user-0', 'Last user-1', 'New user-1']);
  t.match(await one.stats(id), { completed: 2 });
  await one.pause(id);
  await scene.one.value(scene.app, 'journey.delete', { id });
  const left = new Documents(scene.one.store).bound(scene.app).range(contentCopies, { limit: 9 });
  t.same(left, [], 'all versions go with the journey');
  t.ok(scene.isMemoryOfLog());
});

t.test('the same messageId takes over the edit of a saved message', async (t) => {
  const one = await JourneyScene.withPeople(1);
  const { scene } = one;
  const messageId = await scene.message({ title: 'First' });
  const inBranch = { id: 's', type: 'send', messageId, channels: ['fcm'] };
  const { id } = await one.journey({
    triggerEvent: 'signup',
    steps: [wait('w', 1), condition('c', { tag: 'no', eq: 'yes' }, [], [inBranch])],
  });
  await one.track({ name: 'signup', user: 'user-0' });
  await scene.one.value(scene.app, 'message.update', {
    id: messageId,
    change: { content: { title: 'Second' }, removed: [] },
  } as never);
  await correct(one, id, 's', { messageId });
  await scene.advance(hourMs);
  t.same(one.sent, ['Second']);
  await one.pause(id);
  await one.live(id);
  const copies = new Documents(scene.one.store).bound(scene.app).range(contentCopies, { limit: 9 });
  t.same(
    copies.map(({ value }) => value.id),
    [`${id}/s`],
    'going live again starts anew',
  );
});

t.test('what cannot be corrected is refused by the name of the member', async (t) => {
  const one = await JourneyScene.open();
  const messageId = await one.scene.message();
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1), send('a')] });
  const message = { title: 'x', body: 'y' };
  t.match(await refusal(one, id, 'z', { message }), {
    code: 'not_found',
    message: 'step not found',
  });
  t.match(await refusal(one, id, 'w', { message }), { code: 'wrong_state', message: /is a wait/ });
  t.match(await refusal(one, id, 'a', {}), { field: 'messageId' });
  t.match(await refusal(one, id, 'a', { messageId, message }), { field: 'messageId' });
  const unknown = { messageId: `msg_${'0'.repeat(26)}` };
  t.match(await refusal(one, id, 'a', unknown), { code: 'not_found', field: 'messageId' });
  t.match(await refusal(one, id, 'a', { message: { body: 'y' } }), {
    field: 'message.title',
    message: 'message.title: is missing; fcm needs it',
  });
  t.match(await refusal(one, id, 'a', { message: { title: '{{', body: 'y' } }), {
    field: 'message.title',
  });
});
