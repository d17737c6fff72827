// A backup is brought back: what its campaigns had under way when it was cut may have been sent
// since, so nothing of it leaves again by itself, unless the operator says so.

import t from 'tap';
import type { Restored } from '../../../../actors/runtime/restored.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { accept, Scene } from './scene.ts';

const restored: Restored = { epoch: 2, resend: 'none', erased: () => [] };

/** In the middle of 300 people, with some to be tried again and some with several devices. */
async function cut() {
  const scene = await Scene.withPeople(298);
  await scene.person('several', ['fcm', 'fcm']);
  await scene.person('more', ['fcm', 'fcm']);
  const { id } = await scene.campaign();
  scene.answers = ({ endpoint }) =>
    String(endpoint).includes('user-1') ? { outcome: 'retry', reason: 'http_503' } : undefined;
  await scene.send(id);
  const { nowMs } = scene.one.clock;
  const schedule = (atMs: number) => ({ schedule: { type: 'at', atMs } as const });
  const { id: soon } = await scene.campaign(schedule(nowMs + hourMs / 2));
  const { id: later } = await scene.campaign(schedule(nowMs + 4 * hourMs));
  for (const one of [soon, later]) await scene.send(one);
  scene.sent.length = 0;
  scene.answers = accept;
  scene.one.clock.nowMs += hourMs;
  return { scene, id, soon, later };
}

for (const resend of ['none', 'transactional'] as const)
  t.test(
    `with ${resend}, campaigns under way are paused and what was in flight is unknown`,
    async (t) => {
      const { scene, id, soon, later } = await cut();
      await scene.crash({ restored: { ...restored, resend } });
      await scene.advance(hourMs);
      t.same(scene.sent, [], 'nothing leaves');
      const stats = await scene.stats(id);
      t.match(stats, { state: 'paused', stateReason: 'restored', sent: stats.failed });
      t.ok(stats.failed > 60, `${stats.failed} are dead letters`);
      t.match(stats.progress?.waitingFor, { reason: 'paused', text: /backup was restored/ });
      t.match(
        await scene.stats(soon),
        { state: 'paused', stateReason: 'restored' },
        'it may have begun since',
      );
      t.match(await scene.stats(later), { state: 'scheduled' });
      const [held, ...others] = await scene.one.value(scene.app, 'held.survey', {});
      t.same(others, []);
      t.same(held?.campaigns.map((one) => one.id).sort(), [id, soon].sort(), 'for the operator');
      await scene.crash({ restored: { ...restored, resend } });
      await scene.advance(hourMs);
      t.same(scene.sent, [], 'nor after one more start');
      await scene.verb('resume', id);
      t.equal(new Set(scene.reached()).size, 300 - stats.failed, 'the others get it');
      t.match(await scene.stats(id), { state: 'completed', sent: 300, failed: stats.failed });
      scene.sent.length = 0;
      await scene.advance(hourMs);
      t.equal(scene.sent.length, 302, 'the one of later comes at its time');
      t.notOk(scene.firstGap());
      t.ok(scene.isMemoryOfLog());
    },
  );

t.test('with all, campaigns go on as after any restart', async (t) => {
  const { scene, id, soon } = await cut();
  await scene.crash({ restored: { ...restored, resend: 'all' } });
  await scene.advance(dayMs);
  t.match(await scene.stats(id), { state: 'completed', sent: 300, failed: 0 });
  t.match(await scene.stats(soon), { state: 'completed', sent: 300 });
});
