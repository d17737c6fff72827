// A campaign whose provider asks for fewer messages: one call a pause, the reason with its
// instants, and everybody reached in the end.

import t from 'tap';
import { minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { accept, Scene } from './scene.ts';

t.test('a throttled campaign waits for the relay, not for every person', async (t) => {
  const scene = await Scene.withPeople(2_000, ['email']);
  scene.answers = () => ({ outcome: 'rate', reason: 'throttled', detail: '421 4.7.28' });
  const { id } = await scene.campaign({ channels: ['email'] });
  const fromMs = scene.one.clock.nowMs;
  await scene.send(id);
  t.ok(scene.sent.length <= 64, `${scene.sent.length} calls before the first refusal is known`);
  for (let second = 0; second < 600; second++) await scene.advance(secondMs);
  const after = scene.sentMs.filter((ms) => ms > fromMs).map((ms) => (ms - fromMs) / secondMs);
  t.same(after, [30, 90, 210, 510], 'one call a pause');
  t.match((await scene.stats(id)).progress?.waitingFor, {
    reason: 'provider_pause',
    text: 'Email: slowed down by the relay',
    sinceMs: fromMs,
    untilMs: fromMs + 1110 * secondMs,
  });
  scene.answers = accept;
  await scene.crash();
  for (let minute = 0; minute < 12; minute++) await scene.advance(minuteMs);
  t.match(await scene.stats(id), { state: 'completed', delivered: 2_000, failed: 0 });
  const taken = scene.sent.slice(-2_000).map(({ sendId }) => sendId);
  t.equal(new Set(taken).size, 2_000, 'nobody twice');
});

t.test('a campaign that is handed over says what its last mails wait for', async (t) => {
  for (const domain of [undefined, 'example.com']) {
    const scene = await Scene.withPeople(30, ['email']);
    const slowed = domain === undefined ? {} : { domain };
    scene.answers = () => ({ outcome: 'rate', reason: 'throttled', detail: '454', ...slowed });
    const { id } = await scene.campaign({ channels: ['email'] });
    const fromMs = scene.one.clock.nowMs;
    await scene.send(id);
    for (let second = 0; second < 100; second++) await scene.advance(secondMs);
    const untilMs = fromMs + 210 * secondMs;
    t.match((await scene.stats(id)).progress, {
      waitingFor: {
        reason: 'provider_pause',
        text: `Email: slowed down by ${domain ?? 'the relay'}`,
        sinceMs: fromMs,
        untilMs,
        people: 30,
      },
      expectedEndMs: untilMs,
    });
  }
});

t.test('mail of a campaign to a slow domain waits, and the rest is sent', async (t) => {
  const scene = await Scene.withPeople(300, ['email']);
  const slow = 'slow.example';
  for (let i = 0; i < 50; i++)
    await scene.one.value(scene.app, 'subscriber.upsert', {
      subscriber: {
        externalUserId: `slow-${i}`,
        devices: [{ channel: 'email', endpoint: `u${i}@${slow}` }],
      },
    } as never);
  const isSlow = (endpoint: unknown) => String(endpoint).endsWith(slow);
  scene.answers = ({ endpoint }) =>
    isSlow(endpoint)
      ? { outcome: 'rate', reason: 'throttled', domain: slow }
      : { outcome: 'accepted' };
  const { id } = await scene.campaign({ channels: ['email'] });
  const fromMs = scene.one.clock.nowMs;
  await scene.send(id);
  t.equal((await scene.stats(id)).delivered, 300, 'all others');
  for (let second = 0; second < 120; second++) await scene.advance(secondMs);
  const after = scene.sentMs.filter((ms) => ms > fromMs).map((ms) => (ms - fromMs) / secondMs);
  t.same(after, [30, 90]);
  scene.answers = accept;
  for (let minute = 0; minute < 4; minute++) await scene.advance(minuteMs);
  t.match(await scene.stats(id), { state: 'completed', delivered: 350 });
});
