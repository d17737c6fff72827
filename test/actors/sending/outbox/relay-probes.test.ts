// Domains that are slowed down while relays are, too: one message at a time finds out about each,
// and none is marked as found out about without a call.

import t, { type Test } from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { newsletter, onceEach, people, slower, world } from './relay-scene.ts';

const slowDomain: Outcome = { outcome: 'rate', reason: 'throttled', domain: 'slow.example' };

/** People of a domain that is slowed down, and of one that is not. */
async function slowed(t: Test) {
  const made = await world(t);
  const { scene, answers } = made;
  for (let i = 0; i < 20; i++) {
    await scene.person(`slow-${i}`, 'email', `user-${i}@slow.example`);
    await scene.person(`well-${i}`, 'email', `user-${i}@well.example`);
  }
  const bySlow = scene.answer;
  let isSlow = true;
  scene.answer = (attempt, nowMs, relay) => {
    const outcome = bySlow(attempt, nowMs, relay);
    const isConcerned = isSlow && String(attempt.endpoint).endsWith('@slow.example');
    return outcome.outcome === 'accepted' && isConcerned ? slowDomain : outcome;
  };
  const callsTo = (domain: string) =>
    scene.calls.filter(({ to }) => to.endsWith(`@${domain}`)).length;
  return { ...made, answers, callsTo, end: () => void (isSlow = false) };
}

t.test('a domain that is slow through a relay recovers with the first mail', async (t) => {
  const { scene, add, callsTo, end } = await slowed(t);
  await add('only');
  await scene.send('slow-0');
  await scene.rest();
  for (let i = 1; i < 20; i++) await scene.send(`slow-${i}`);
  await scene.pass(10 * secondMs);
  t.equal(callsTo('slow.example'), 1, 'the others wait');
  end();
  await scene.pass(minuteMs);
  t.equal(callsTo('slow.example'), 21, 'all of them went');
  t.match(await scene.channel('email'), { state: 'ok', domains: [] });
});

t.test('a mail that its relay holds does not count as the probe of its domain', async (t) => {
  const { scene, add, answers, callsTo, end } = await slowed(t);
  await add('receipts', { streams: ['transactional'] });
  await add('news', { streams: ['marketing'] });
  answers.set('server', slower);
  // Several addresses: the outbox has the newsletter, beside the receipt.
  await scene.person('slow-0', 'email', 'other@slow.example');
  await scene.send('slow-1');
  await scene.pass(20 * secondMs);
  answers.set('receipts', slower);
  await scene.send('well-0');
  await scene.rest();
  await scene.send('slow-2');
  await newsletter(scene);
  await scene.rest();
  const before = callsTo('slow.example');
  end();
  await scene.pass(11 * secondMs);
  t.ok(callsTo('slow.example') > before, 'a mail by the other relay found out at once');
  t.match(await scene.channel('email'), { domains: [] });
});

t.test('where a domain and every relay are slow, one mail finds out about both', async (t) => {
  const { scene, add, answers, end } = await slowed(t);
  await add('only');
  await scene.send('slow-0');
  await scene.rest();
  answers.set('only', slower);
  answers.set('server', slower);
  await scene.send('well-0');
  await scene.rest();
  for (let i = 1; i < 20; i++) await scene.send(`slow-${i}`);
  answers.clear();
  end();
  await scene.pass(2 * minuteMs);
  onceEach(t, scene, 21, 'two minutes later');
  t.match(await scene.channel('email'), { state: 'ok', domains: [] });
  const health = await scene.one.value(scene.app, 'relay.health', {});
  t.ok(health.some(({ relay, state }) => relay !== 'server' && state === 'ok'));
});

t.test('a campaign that finds out about a slow relay waits as long as receipts do', async (t) => {
  const { scene, answers, ids, add } = await world(t);
  await add('first');
  await add('second');
  answers.set('first', slower);
  const names = await people(scene, 700);
  await scene.send(names[0] as string);
  await scene.rest();
  const fromMs = scene.nowMs;
  await newsletter(scene, { throttle: { perMinute: 60 } });
  await scene.pass(10 * minuteMs);
  const tried = scene.calls.filter(({ relay }) => relay === ids.get('first'));
  const afterMs = tried.map(({ atMs }) => Math.floor((atMs - fromMs) / (10 * secondMs)) * 10);
  t.strictSame(afterMs, [0, 30, 90, 210, 510], 'seconds: after 30, 60, 120 and 300');
});

t.test('a dead address in a campaign leaves its relay to the next person', async (t) => {
  const { scene, answers, ids, add } = await world(t);
  await add('first');
  await add('second');
  answers.set('first', slower);
  await scene.person('nobody', 'email', 'dead@example.com');
  await people(scene, 100);
  await scene.send('user-0');
  await scene.rest();
  answers.set('first', { outcome: 'dead', reason: 'unknown_user' });
  await newsletter(scene, { throttle: { perMinute: 60 } });
  await scene.pass(40 * secondMs);
  answers.delete('first');
  await scene.pass(20 * secondMs);
  const [last] = scene.calls.toReversed();
  t.equal(last?.relay, ids.get('first'), 'the next person found out that it is back');
});

t.test('a relay that is gone is forgotten', async (t) => {
  const { scene, answers, ids, add } = await world(t);
  const names = await people(scene, 30);
  const first = await add('first');
  await add('second');
  answers.set('first', slower);
  await scene.send(names[0] as string);
  await scene.rest();
  const circuits = () =>
    scene.one.product.state.apps.get(scene.app)?.outbox.health('email').accounts;
  t.same(Object.keys(circuits() ?? {}), [first]);
  await scene.one.value(scene.app, 'relay.delete', { relayId: first });
  t.same(
    (await scene.one.value(scene.app, 'relay.health', {})).map(({ relay }) => relay),
    ['server', ids.get('second')],
  );
  answers.set('second', slower);
  await scene.send(names[1] as string);
  await scene.rest();
  t.same(Object.keys(circuits() ?? {}), [ids.get('second')]);
});
