// Paused, resumed, canceled in the middle: nothing leaves but what had left, and a resumed campaign
// goes on with whoever was next. Nobody is reached twice, nobody is passed over.

import t from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { accept, endpointOf, Scene } from './scene.ts';

/** Sends to 300 people, of whom the first window is out and not answered. */
async function inTheMiddle(input: object = {}) {
  const scene = await Scene.withPeople(300);
  const { id } = await scene.campaign(input);
  const release = scene.hold();
  await scene.send(id);
  t.ok(scene.sent.length > 0 && scene.sent.length < 300);
  return { scene, id, release };
}

t.test('a pause lets out what is in flight and nothing more, and resume goes on', async (t) => {
  const { scene, id, release } = await inTheMiddle();
  t.match(await scene.one.value(scene.app, 'campaign.pause', { id }), { state: 'paused' });
  await release();
  await scene.advance(dayMs);
  const out = scene.sent.length;
  t.ok(out <= 64, `${out} of the first window`);
  const stats = await scene.stats(id);
  t.match(stats, { state: 'paused', sent: out, delivered: out });
  t.match(stats.progress, { done: out, total: 300, waitingFor: { reason: 'paused' } });
  t.match(await scene.verb('resume', id), { state: 'sending' });
  t.equal(new Set(scene.reached()).size, 300);
  t.equal(scene.sent.length, 300, 'each once');
  t.match(await scene.stats(id), { state: 'completed', sent: 300, delivered: 300 });
});

t.test('a paused campaign survives a restart, and moves no more than before', async (t) => {
  const { scene, id, release } = await inTheMiddle();
  await scene.one.value(scene.app, 'campaign.pause', { id });
  await release();
  const out = scene.sent.length;
  await scene.crash();
  await scene.advance(dayMs);
  t.equal(scene.sent.length, out);
  await scene.verb('resume', id);
  t.match(await scene.stats(id), { state: 'completed', delivered: 300 });
});

t.test(
  'what dispatch gave back, and what has to be tried again, waits while it is paused',
  async (t) => {
    const scene = await Scene.withPeople(300);
    await scene.person('several', ['fcm', 'fcm']);
    const { id } = await scene.campaign();
    scene.answers = ({ endpoint }) =>
      endpoint === endpointOf('user-0', 'fcm')
        ? { outcome: 'retry', reason: 'http_503' }
        : undefined;
    await scene.send(id);
    await scene.verb('pause', id);
    const out = scene.sent.length;
    scene.answers = accept;
    await scene.handBack();
    await scene.advance(hourMs);
    t.equal(scene.sent.length, out, 'nothing left');
    t.match((await scene.stats(id)).progress, { waitingFor: { reason: 'paused' } });
    await scene.crash();
    await scene.advance(hourMs);
    t.equal(scene.sent.length, out, 'nor after a restart');
    await scene.verb('resume', id);
    await scene.advance(hourMs);
    t.match(await scene.stats(id), { state: 'completed', sent: 301, delivered: 301 });
    t.match((await scene.stats(id)).devices, { sent: 302, delivered: 302 });
    t.notOk(scene.firstGap());
  },
);

t.test('people with several devices leave through the same window as others', async (t) => {
  const scene = await Scene.withPeople(500, ['fcm', 'fcm']);
  const { id } = await scene.campaign();
  scene.answers = () => undefined;
  await scene.send(id);
  await scene.verb('pause', id);
  const { jobs } = scene.state.outbox;
  t.ok(jobs.size <= 200, `${jobs.size} sends are made at once, not all of them`);
});

t.test('a paused campaign keeps nobody else from sending', async (t) => {
  const scene = await Scene.withPeople(300);
  const one = await scene.campaign();
  scene.answers = () => undefined;
  await scene.send(one.id);
  await scene.verb('pause', one.id);
  await scene.handBack();
  scene.answers = accept;
  await scene.crash();
  const other = await scene.campaign();
  await scene.send(other.id);
  t.match(await scene.stats(other.id), { state: 'completed', delivered: 300 });
});

t.test('a canceled campaign sends nothing more, and every send of it ends', async (t) => {
  const { scene, id, release } = await inTheMiddle();
  const answer = await scene.one.value(scene.app, 'campaign.cancel', { id });
  t.match(answer, { state: 'canceled' });
  await release();
  const out = scene.sent.length;
  await scene.handBack();
  await scene.advance(dayMs);
  await scene.crash();
  await scene.advance(dayMs);
  t.equal(scene.sent.length, out, 'what was in flight');
  t.equal(scene.state.outbox.jobs.size, 0, 'nothing is left over');
  const expected = { state: 'canceled', progress: null, audience: 300, sent: out, delivered: out };
  t.match(await scene.stats(id), expected);
  t.notOk(scene.firstGap());
});

t.test('retries of a canceled campaign end without a dead letter', async (t) => {
  const scene = await Scene.withPeople(40);
  const { id } = await scene.campaign();
  scene.answers = () => ({ outcome: 'retry', reason: 'http_503' });
  await scene.send(id);
  await scene.verb('cancel', id);
  const out = scene.sent.length;
  scene.answers = accept;
  await scene.advance(dayMs);
  t.equal(scene.sent.length, out);
  const letters = await scene.one.value(scene.app, 'dead_letter.list', { limit: 10 });
  t.same(letters.items, []);
  t.match(await scene.stats(id), { sent: 0, delivered: 0, failed: 0, suppressed: 40 });
  t.same((await scene.stats(id)).suppressedBy, { canceled: 40 });
});

t.test('what a state does not allow is a conflict that says what it does', async (t) => {
  const scene = await Scene.withPeople(1);
  const { id } = await scene.campaign();
  const allowed = (text: string) => text.split('Allowed in this state: ')[1];
  t.match(await scene.refusal('pause', id), /^wrong_state: this campaign is a draft/);
  t.match(await scene.refusal('resume', id), /^wrong_state: this campaign is a draft/);
  scene.answers = () => undefined;
  await scene.send(id);
  t.equal(allowed(await scene.refusal('send', id)), 'pause, cancel');
  t.equal(allowed(await scene.refusal('resume', id)), 'pause, cancel');
  await scene.verb('pause', id);
  t.equal(allowed(await scene.refusal('send', id)), 'resume, cancel');
  t.equal(allowed(await scene.refusal('pause', id)), 'resume, cancel');
  await scene.verb('cancel', id);
  t.equal(await scene.refusal('cancel', id), 'accepted', 'again');
  for (const verb of ['send', 'pause', 'resume'] as const)
    t.match(await scene.refusal(verb, id), /^wrong_state: this campaign is canceled/);
  const done = await scene.campaign();
  scene.answers = accept;
  await scene.crash();
  await scene.send(done.id);
  for (const verb of ['send', 'pause', 'resume', 'cancel'] as const)
    t.match(await scene.refusal(verb, done.id), /^wrong_state: this campaign is completed/);
});

t.test('a pause between two who are held keeps them held, and their time may pass', async (t) => {
  const scene = await Scene.withPeople(10);
  await scene.settings({ quietHours: { start: '23:00', end: '08:00', timezone: 'UTC' } });
  const { id } = await scene.sentCampaign();
  await scene.verb('pause', id);
  await scene.advance(9 * hourMs);
  t.equal(scene.sent.length, 0);
  await scene.verb('resume', id);
  await scene.advance(minuteMs);
  t.match(await scene.stats(id), { state: 'completed', delivered: 10 });
});

t.test('a dead letter that is redriven while its campaign is paused waits with it', async (t) => {
  const scene = await Scene.withPeople(2);
  const messageId = await scene.message({ ttlSeconds: 1 });
  const { id } = await scene.campaign({ messageId, throttle: { perMinute: 60 } });
  scene.answers = () => ({ outcome: 'retry', reason: '503', retryAfterMs: 5_000 });
  await scene.send(id);
  await scene.verb('pause', id);
  const out = scene.sent.length;
  scene.answers = accept;
  t.match(await scene.one.value(scene.app, 'dead_letter.redrive', { all: true }), { redriven: 1 });
  await scene.advance(dayMs);
  await scene.crash();
  t.equal(scene.sent.length, out);
  await scene.verb('resume', id);
  await scene.advance(hourMs);
  t.match(await scene.stats(id), { state: 'completed', sent: 2, delivered: 2, failed: 0 });
});
