// Relays that die, refuse, hang and come back: each message leaves by the first relay of its stream
// that takes it, and never by two.

import t from 'tap';
import { AdaptersUnavailable } from '../../../../actors/channels/port/adapters-unavailable.ts';
import { limits } from '../../../../actors/limits.ts';
import { dayMs, minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import {
  down,
  newsletter,
  onceEach,
  people,
  receipts,
  revoked,
  silent,
  slower,
  taken,
  world,
} from './relay-scene.ts';

t.test('the first relay takes all; one that dies leaves them to the next at once', async (t) => {
  const { scene, answers, ids, add } = await world(t);
  await add('first');
  await add('second');
  const names = await people(scene, tries(1_000));
  const [one = '', ...rest] = names;
  await scene.send(one);
  await scene.rest();
  t.same(
    scene.calls.map(({ relay }) => relay),
    [ids.get('first')],
  );
  answers.set('first', down);
  const sent = await receipts(scene, rest);
  const fromMs = scene.nowMs;
  await scene.pass(10 * secondMs);
  onceEach(t, scene, names.length, 'ten seconds later');
  const bySecond = taken(scene).filter(({ relay }) => relay === ids.get('second'));
  t.equal(bySecond.length, rest.length, 'the second took the rest');
  const tried = scene.calls.filter(
    ({ relay, atMs }) => relay === ids.get('first') && atMs >= fromMs,
  );
  t.ok(
    tried.length <= limits.inFlightPerAccountMax + 3,
    `the first was tried ${tried.length} times`,
  );
  t.equal(await scene.statusOf(sent[0] as string), 'delivered');
  const health = await scene.one.value(scene.app, 'relay.health', {});
  t.match(
    health.find(({ relay }) => relay === ids.get('first')),
    { state: 'unreachable', sinceMs: Number, because: { reason: 'connection_refused' } },
  );

  answers.delete('first');
  await scene.pass(limits.circuitProbeMsMax);
  const before = scene.calls.length;
  for (const name of names.slice(0, 20)) await scene.send(name);
  await scene.pass(secondMs);
  for (const name of names.slice(20, 40)) await scene.send(name);
  await scene.pass(secondMs);
  const late = scene.calls.slice(before + 20);
  t.ok(
    late.every(({ relay }) => relay === ids.get('first')),
    'one message found out that it is back',
  );
});

t.test('a message that may have been accepted waits for its relay', async (t) => {
  const { scene, answers, ids, add } = await world(t);
  await add('first');
  await add('second');
  await people(scene, 30);
  answers.set('first', silent);
  const id = await scene.send('user-0');
  await scene.rest();
  answers.set('first', down);
  for (let i = 1; i < 25; i++) await scene.send(`user-${i}`);
  await scene.pass(10 * minuteMs);
  t.equal(await scene.statusOf(id), 'pending', 'nobody else gets it');
  t.notOk(scene.calls.some(({ sendId, relay }) => sendId === id && relay !== ids.get('first')));
  onceEach(t, scene, 24, 'the others left by the second');
  answers.delete('first');
  await scene.pass(10 * minuteMs);
  t.equal(await scene.statusOf(id), 'delivered');
  await scene.one.value(scene.app, 'relay.delete', { relayId: ids.get('second') as string });

  answers.set('first', silent);
  const other = await scene.send('user-1');
  await scene.rest();
  await scene.one.value(scene.app, 'relay.update', {
    relayId: ids.get('first') as string,
    input: { enabled: false },
  });
  answers.delete('first');
  await scene.pass(10 * minuteMs);
  t.match(await scene.one.value(scene.app, 'transactional.read', { id: other }), {
    status: 'failed',
    outcomes: [{ reason: 'unknown_outcome' }],
  });
});

t.test('a message that the server may have taken is not called unsent', async (t) => {
  const { scene, answers, add } = await world(t);
  await add('first', { streams: ['marketing'] });
  await people(scene, 1);
  answers.set('server', silent);
  const id = await scene.send('user-0');
  await scene.rest();
  scene.available = [];
  await scene.restart();
  await scene.pass(20 * minuteMs);
  t.match(await scene.one.value(scene.app, 'transactional.read', { id }), {
    status: 'failed',
    outcomes: [{ reason: 'unknown_outcome' }],
  });
});

t.test('what the server may have taken goes to no relay that is made afterwards', async (t) => {
  const { scene, answers, add } = await world(t);
  await people(scene, 1);
  answers.set('server', silent);
  const id = await scene.send('user-0');
  await newsletter(scene);
  await scene.rest();
  await add('first');
  answers.delete('server');
  await scene.pass(10 * minuteMs);
  t.equal(await scene.statusOf(id), 'delivered');
  t.ok(scene.calls.length >= 4);
  t.notOk(scene.calls.some(({ relay }) => relay !== 'server'));
});

t.test('what was in flight when the process ended goes on with its relay', async (t) => {
  const { scene, answers, ids, add } = await world(t);
  await add('first');
  await add('second');
  await people(scene, 20);
  for (let i = 0; i < 20; i++) await scene.send(`user-${i}`);
  await scene.one.settle();
  await scene.restart();
  answers.set('first', down);
  await scene.pass(20 * minuteMs);
  t.notOk(
    scene.calls.some(({ relay }) => relay === ids.get('second')),
    'the first may have taken them all',
  );
  answers.delete('first');
  await scene.pass(20 * minuteMs);
  onceEach(t, scene, 20, 'after it came back');
});

t.test('a refused key and a slow relay leave their messages to the next', async (t) => {
  for (const [name, answer] of Object.entries({ revoked, slower })) {
    const { scene, answers, ids, add } = await world(t);
    await add('first');
    await add('second');
    await people(scene, 50);
    answers.set('first', answer);
    for (let i = 0; i < 50; i++) await scene.send(`user-${i}`);
    await scene.pass(5 * secondMs);
    onceEach(t, scene, 50, name);
    t.ok(
      taken(scene).every(({ relay }) => relay === ids.get('second')),
      name,
    );
    const state = name === 'revoked' ? 'refused' : 'paused';
    t.match(await scene.one.value(scene.app, 'relay.health', {}), [
      { relay: 'server', state: 'ok' },
      { relay: ids.get('first'), state },
      { relay: ids.get('second'), state: 'ok' },
    ]);
  }
});

t.test('a relay whose account cannot be opened leaves its messages to the next', async (t) => {
  const { scene, answers, ids, add } = await world(t);
  await add('first');
  await add('second');
  await people(scene, 30);
  const unopened = new AdaptersUnavailable(new Error('its configuration is wrong'));
  scene.failsBy = (relay) => (relay === ids.get('first') ? unopened : undefined);
  for (let i = 0; i < 30; i++) await scene.send(`user-${i}`);
  await newsletter(scene);
  await scene.pass(30 * secondMs);
  onceEach(t, scene, 60, 'receipts and a newsletter');
  t.ok(taken(scene).every(({ relay }) => relay === ids.get('second')));
  const health = await scene.one.value(scene.app, 'relay.health', {});
  t.match(
    health.find(({ relay }) => relay === ids.get('first')),
    { state: 'refused', sinceMs: Number, because: { reason: 'adapter_unavailable' } },
  );
  scene.failsBy = () => undefined;
  answers.clear();
  await scene.pass(limits.circuitCapMs);
  await scene.send('user-0');
  await scene.rest();
  t.equal(taken(scene).at(-1)?.relay, ids.get('first'), 'it is tried again');
});

t.test('a relay whose secrets cannot be decrypted leaves its messages to the next', async (t) => {
  const { scene, ids, add } = await world(t);
  await add('first');
  await people(scene, 30);
  scene.masterKeys = [new Uint8Array(32).fill(8)];
  await scene.restart();
  await add('second');
  for (let i = 0; i < 30; i++) await scene.send(`user-${i}`);
  await newsletter(scene);
  await scene.pass(30 * secondMs);
  onceEach(t, scene, 60, 'receipts and a newsletter');
  t.ok(taken(scene).every(({ relay }) => relay === ids.get('second')));
  const health = await scene.one.value(scene.app, 'relay.health', {});
  t.match(
    health.find(({ relay }) => relay === ids.get('first')),
    { state: 'refused', because: { reason: 'credential_unreadable' } },
  );
  t.match(
    health.find(({ relay }) => relay === ids.get('second')),
    { state: 'ok' },
  );
});

t.test('without another relay they wait for it; then the server takes what is left', async (t) => {
  const { scene, answers, add } = await world(t);
  await add('only');
  await people(scene, 10);
  answers.set('only', revoked);
  for (let i = 0; i < 10; i++) await scene.send(`user-${i}`);
  await scene.pass(5 * secondMs);
  t.ok(taken(scene).every(({ relay }) => relay === 'server'));
  onceEach(t, scene, 10, 'by the server itself');
});

t.test('what waits for a refused relay tries at once when somebody mends it', async (t) => {
  for (const owner of ['app', 'org'] as const) {
    const { scene, answers, ids, add } = await world(t);
    scene.available = [];
    await scene.restart();
    const relayId = await add('only', {}, owner);
    const names = await people(scene, 20);
    answers.set('only', revoked);
    for (const name of names) await scene.send(name);
    await scene.pass(5 * minuteMs);
    t.equal(taken(scene).length, 0);
    answers.delete('only');
    const config = { host: 'other.example.com' };
    const to = owner === 'app' ? scene.app : scene.org;
    await scene.one.value(to, 'relay.update', { relayId, input: { config } });
    await scene.pass(5 * secondMs);
    onceEach(t, scene, 20, `${owner}: five seconds later`);
    t.ok(taken(scene).every(({ relay }) => relay === ids.get('only')));
  }
});

t.test('streams: a newsletter whose relay is dead holds up no receipt', async (t) => {
  const { scene, answers, ids, add } = await world(t);
  await add('receipts', { streams: ['transactional'] });
  await add('news', { streams: ['marketing'] });
  await add('more news', { streams: ['marketing'] });
  const count = tries(2_000);
  const names = await people(scene, count);
  await newsletter(scene);
  await scene.one.settle();
  answers.set('news', down);
  await receipts(scene, names.slice(0, 200));
  await scene.pass(30 * secondMs);
  const receiptsTaken = taken(scene).filter(({ relay }) => relay === ids.get('receipts'));
  t.equal(receiptsTaken.length, 200, 'receipts');
  await scene.pass(2 * minuteMs);
  onceEach(t, scene, count + 200, 'newsletter and receipts');
  const news = taken(scene).filter(({ relay }) => relay === ids.get('more news'));
  t.equal(news.length, count, 'the newsletter left by the next relay of its stream');
  answers.delete('news');
  await newsletter(scene);
  await scene.pass(limits.circuitProbeMsMax + minuteMs);
  onceEach(t, scene, 2 * count + 200, 'the second newsletter');
  const back = taken(scene).filter(({ relay }) => relay === ids.get('news'));
  t.ok(back.length > 0, `the first relay is back: ${back.length}`);
});

t.test('a campaign over a restart: each person once but what was in flight', async (t) => {
  const { scene, ids, add } = await world(t);
  await add('first');
  await add('second');
  const count = tries(1_000);
  await people(scene, count);
  await newsletter(scene);
  await scene.one.settle();
  await scene.restart();
  await scene.pass(5 * minuteMs);
  const sends = taken(scene).map(({ sendId }) => sendId);
  t.equal(new Set(sends).size, count, 'everybody');
  t.notOk(scene.calls.some(({ relay }) => relay === ids.get('second')));
});

t.test('relays of an org and of an app: its own come first, a change holds at once', async (t) => {
  const { scene, ids, add } = await world(t);
  await people(scene, 1);
  const org = scene.one.product.state.apps.get(scene.app)?.record.org as number;
  const shared = await scene.one.value(org, 'relay.create', {
    channel: 'email',
    relayKind: 'smtp',
    input: { name: 'shared', config: { host: 'mail.example.com' } },
  });
  await scene.send('user-0');
  await scene.rest();
  await add('own', { streams: ['transactional'] });
  await scene.send('user-0');
  await scene.rest();
  await newsletter(scene);
  await scene.pass(secondMs);
  t.same(
    scene.calls.map(({ relay }) => relay),
    [shared.id, ids.get('own'), shared.id],
  );
  await scene.pass(dayMs);
});
