// A provider that asks for fewer calls gets one a pause, and all that waits when it takes messages
// again: in order, and nothing twice.

import t, { type Test } from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { limits } from '../../../../actors/limits.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { testClock } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';
import { ThrottleScene } from './throttle-scene.ts';

const accepted: Outcome = { outcome: 'accepted' };
const slower: Outcome = {
  outcome: 'rate',
  reason: 'throttled',
  detail: '421 4.7.28 Gmail has detected an unusual rate',
};

/** Mail to people in a relay's hands, sent in batches of a thousand. */
async function waitingMails(scene: ThrottleScene, count: number): Promise<readonly string[]> {
  const people = Math.min(count, 1_000);
  for (let i = 0; i < people; i++)
    await scene.person(`user-${i}`, 'email', `user-${i}@example.com`);
  const ids: string[] = [];
  const request = { title: 'T', body: 'x' };
  while (ids.length < count) {
    const recipients = Array.from({ length: people }, (_, i) => ({
      to: { externalUserId: `user-${i}` },
    }));
    ids.push(...(await scene.batch(request, recipients)));
  }
  return ids;
}

/** When calls began after the first refusal, in seconds from there. */
function secondsAfter({ calls }: ThrottleScene, fromMs: number): number[] {
  return calls.filter(({ atMs }) => atMs > fromMs).map(({ atMs }) => (atMs - fromMs) / secondMs);
}

t.test('100,000 waiting mails: one call a pause for ten minutes, then all in order', async (t) => {
  const count = tries(100_000);
  let wellMs = Number.POSITIVE_INFINITY;
  const answer = (_: unknown, nowMs: number) => (nowMs < wellMs ? slower : accepted);
  const scene = await ThrottleScene.open(t, { channels: ['email'], answer, connections: 16 });
  const ids = await waitingMails(scene, count);
  const fromMs = scene.nowMs;
  wellMs = fromMs + 10 * minuteMs;
  await scene.rest();
  t.ok(scene.calls.length <= 16, `${scene.calls.length} calls until the first refusal is known`);
  await scene.pass(18 * minuteMs);
  t.same(secondsAfter(scene, fromMs), [30, 90, 210, 510], 'one call a pause');
  await scene.pass(minuteMs);
  const taken = scene.calls.filter(({ outcome }) => outcome?.outcome === 'accepted');
  t.equal(taken[0]?.atMs, fromMs + 1110 * secondMs);
  const places = new Map(ids.map((id, place) => [id, place]));
  t.equal(taken.length, ids.length, `nothing is lost: ${taken.length} of ${ids.length}`);
  t.same(new Set(taken.map(({ sendId }) => sendId)), new Set(ids), 'nothing is sent twice');
  const worst = Math.max(
    ...taken.map(({ sendId }, place) => Math.abs((places.get(sendId) ?? 0) - place)),
  );
  const probes = 4; // each is a mail that was not tried before
  const most = limits.inFlightPerAccountMax + probes;
  t.ok(worst <= most, `the furthest is ${worst} places from its turn`);
});

/** A scene with mail to some people, one send each. */
async function mails(
  t: Test,
  names: readonly string[],
  options: Omit<Parameters<typeof ThrottleScene.open>[1], 'channels'>,
) {
  const scene = await ThrottleScene.open(t, { channels: ['email'], ...options });
  for (const name of names) await scene.person(name, 'email', name);
  const ids: string[] = [];
  for (const name of names) ids.push(await scene.send(name));
  return { scene, ids };
}

const addresses = (count: number, domain = 'example.com') =>
  Array.from({ length: count }, (_, i) => `user-${i}@${domain}`);

t.test('one mail that is refused again and again keeps no other back', async (t) => {
  const [poisoned, ...names] = addresses(4) as [string, string, string, string];
  const { scene, ids } = await mails(t, [poisoned], {
    answer: ({ sendId }) => (sendId === ids[0] ? slower : accepted),
  });
  const [poison] = ids;
  await scene.rest();
  const others: string[] = [];
  for (const name of names) {
    await scene.person(name, 'email', name);
    others.push(await scene.send(name));
  }
  await scene.pass(minuteMs);
  const states = await Promise.all([...ids, ...others].map((id) => scene.statusOf(id)));
  t.same(states, ['pending', 'delivered', 'delivered', 'delivered']);
  await scene.pass(hourMs);
  const again = scene.calls.filter(({ sendId }) => sendId === poison);
  t.ok(again.length < 12, `${again.length} calls with it in an hour`);
});

t.test('a relay that takes half a minute to refuse, for two hours', async (t) => {
  const endMs = testClock().nowMs + 2 * hourMs;
  const { scene, ids } = await mails(t, addresses(100), {
    answer: (_, nowMs) => (nowMs < endMs ? slower : accepted),
    tookMs: (_, nowMs) => (nowMs < endMs ? 30 * secondMs : 0),
    connections: 16,
  });
  await scene.rest();
  const fromMs = scene.nowMs + 30 * secondMs;
  await scene.pass(2 * hourMs);
  t.equal(scene.calls.filter(({ atMs }) => atMs < fromMs).length, 16, 'no more than connections');
  const after = secondsAfter(scene, fromMs);
  t.same(after.slice(0, 6), [30, 120, 270, 600, 1230, 2160], 'the refusal begins the next pause');
  t.ok(after.length < 14, `${after.length} calls in two hours`);
  await scene.pass(16 * minuteMs);
  const states = await Promise.all(ids.map((id) => scene.statusOf(id)));
  t.same(new Set(states), new Set(['delivered']));
});

t.test('calls in flight that are refused with the first do not lengthen the pause', async (t) => {
  let calls = 0;
  const { scene } = await mails(t, addresses(64), {
    answer: () => slower,
    tookMs: () => ++calls * 400,
  });
  await scene.pass(10 * secondMs, 400);
  const state = await scene.channel('email');
  await scene.pass(16 * secondMs, 400);
  t.match(await scene.channel('email'), { state: 'paused', untilMs: state?.untilMs ?? -1 });
  t.match(state?.because, { reason: 'throttled', detail: /unusual rate/ });
  t.equal((state?.untilMs ?? 0) - (state?.sinceMs ?? 0), 30 * secondMs);
});

t.test('the delay that a provider names wins, up to an hour', async (t) => {
  for (const [retryAfterMs, expected] of [
    [5 * secondMs, [5, 10, 15, 20]],
    [20 * minuteMs, [1200, 2400, 3600, 4800]],
    [365 * dayMs, [3600, 7200, 10800, 14400]],
  ] as const) {
    const answer = (): Outcome => ({ ...slower, retryAfterMs }) as Outcome;
    const { scene } = await mails(t, addresses(3), { answer });
    await scene.rest();
    const fromMs = scene.nowMs;
    await scene.pass(4 * expected[0] * secondMs, Math.max(1, expected[0] / 60) * secondMs);
    t.same(secondsAfter(scene, fromMs), expected);
  }
});

t.test('a limit known to last is waited out at least, and then the pauses grow on', async (t) => {
  const answer = (): Outcome => ({ ...slower, atLeastMs: 2 * minuteMs }) as Outcome;
  const { scene } = await mails(t, addresses(3), { answer });
  await scene.rest();
  const fromMs = scene.nowMs;
  await scene.pass(20 * minuteMs);
  t.same(secondsAfter(scene, fromMs), [120, 240, 360, 660]);
});

t.test('a limit of ten a minute: never two calls a second for long', async (t) => {
  const takenMs: number[] = [];
  const { scene, ids } = await mails(t, addresses(60), {
    answer: (_, nowMs) => {
      if (takenMs.filter((ms) => ms > nowMs - minuteMs).length >= 10) return slower;
      takenMs.push(nowMs);
      return accepted;
    },
  });
  await scene.pass(30 * minuteMs);
  t.equal(takenMs.length, ids.length, 'all arrive');
  const instants = new Set(scene.calls.map(({ atMs }) => atMs));
  t.ok(instants.size <= 30, `calls at ${instants.size} instants`);
});

t.test('a domain alone is slowed down; mail to others goes on', async (t) => {
  let isSlow = true;
  const slow = addresses(10, 'slow.example');
  const { scene, ids } = await mails(t, [...slow, ...addresses(10, 'other.example')], {
    answer: ({ endpoint }) =>
      isSlow && String(endpoint).endsWith('slow.example')
        ? ({ ...slower, domain: 'slow.example' } as Outcome)
        : accepted,
  });
  await scene.rest();
  const fromMs = scene.nowMs;
  const more = await Promise.all(
    addresses(10, 'other.example').map((name) => scene.send(name, { title: 'Again' })),
  );
  await scene.rest();
  t.same(await Promise.all(more.map((id) => scene.statusOf(id))), Array(10).fill('delivered'));
  const state = await scene.channel('email');
  t.match(state, { state: 'slowed', untilMs: null, sinceMs: null });
  t.match(state?.domains, [
    { domain: 'slow.example', untilMs: fromMs + 30 * secondMs, because: { reason: 'throttled' } },
  ]);
  await scene.pass(4 * minuteMs);
  t.same(secondsAfter(scene, fromMs), [30, 90, 210], 'one call a pause');
  isSlow = false;
  await scene.pass(6 * minuteMs);
  t.same(new Set(await Promise.all(ids.map((id) => scene.statusOf(id)))), new Set(['delivered']));
  t.match(await scene.channel('email'), { state: 'ok', domains: [] });
  const kept = scene.one.product.state.apps.get(scene.app)?.outbox.health('email');
  t.same(Object.keys(kept?.accounts ?? {}), [], 'it takes no room');
});

t.test('more slow domains than there is room for slow down the account', async (t) => {
  const names = Array.from({ length: 80 }, (_, i) => `ann@d${i}.example`);
  const { scene } = await mails(t, names, {
    answer: ({ endpoint }) =>
      ({ ...slower, domain: String(endpoint).split('@')[1] ?? '' }) as Outcome,
  });
  await scene.rest();
  const state = await scene.channel('email');
  t.equal(state?.state, 'paused');
  t.equal(state?.domains.length, limits.circuitAccountsMax);
});

t.test('SMS and voice share an account, its pause and its one call', async (t) => {
  let isSlow = true;
  const scene = await ThrottleScene.open(t, {
    channels: ['sms', 'voice'],
    answer: ({ channel }) => (isSlow && channel === 'sms' ? slower : accepted),
  });
  await scene.person('ann', 'sms', '+14155550101');
  await scene.person('bob', 'voice', '+14155550102');
  await scene.send('ann');
  await scene.rest();
  const fromMs = scene.nowMs;
  const calls = await Promise.all([1, 2, 3].map(() => scene.send('bob', { payload: {} })));
  await scene.pass(29 * secondMs);
  t.same(secondsAfter(scene, fromMs), [], 'no call by voice either');
  t.match(await scene.channel('voice'), { state: 'paused', untilMs: fromMs + 30 * secondMs });
  isSlow = false;
  await scene.pass(2 * secondMs);
  t.same(new Set(await Promise.all(calls.map((id) => scene.statusOf(id)))), new Set(['delivered']));
  t.match(await scene.channel('sms'), { state: 'ok', sinceMs: null });
});

t.test('a pause outlives a restart, also one in the middle of its one call', async (t) => {
  let tookMs = 0;
  let isSlow = true;
  const { scene, ids } = await mails(t, addresses(5), {
    answer: () => (isSlow ? slower : accepted),
    tookMs: () => tookMs,
  });
  await scene.rest();
  const fromMs = scene.nowMs;
  await scene.pass(10 * secondMs);
  await scene.restart();
  await scene.pass(19 * secondMs);
  t.same(secondsAfter(scene, fromMs), [], 'still the same pause');
  tookMs = 10 * secondMs;
  await scene.pass(2 * secondMs);
  t.same(secondsAfter(scene, fromMs), [30]);
  await scene.restart();
  await scene.pass(29 * secondMs);
  t.same(secondsAfter(scene, fromMs), [30], 'the interrupted call was that of this pause');
  scene.one.clock.nowMs += hourMs; // the machine was off
  isSlow = false;
  await scene.restart();
  await scene.pass(20 * secondMs);
  t.same(new Set(await Promise.all(ids.map((id) => scene.statusOf(id)))), new Set(['delivered']));
});

t.test('a new credential ends the pause', async (t) => {
  let isSlow = true;
  const scene = await ThrottleScene.open(t, {
    channels: ['sms'],
    answer: () => (isSlow ? slower : accepted),
  });
  await scene.person('ann', 'sms', '+14155550101');
  const id = await scene.send('ann');
  await scene.pass(secondMs);
  isSlow = false;
  await scene.one.value(scene.app, 'dispatch.resume', { channel: 'sms', now: true });
  t.match(await scene.channel('sms'), { state: 'ok' });
  await scene.pass(30 * secondMs);
  t.equal(await scene.statusOf(id), 'delivered');
});

t.test('what expires in a pause ends as expired', async (t) => {
  const { scene, ids } = await mails(t, addresses(3), { answer: () => slower });
  const short = await scene.send('user-0@example.com', { ttlSeconds: 20 });
  await scene.pass(2 * minuteMs);
  const read = await scene.one.value(scene.app, 'transactional.read', { id: short });
  t.match(read, { outcomes: [{ reason: 'expired' }] });
  await scene.pass(25 * hourMs, 5 * minuteMs);
  for (const id of ids) t.match(await scene.statusOf(id), /failed|suppressed/);
  t.ok(scene.calls.length < 110, `${scene.calls.length} calls in 25 hours`);
});
