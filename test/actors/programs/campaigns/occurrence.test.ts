// Memory written down in the middle of a campaign, wherever that is, and read back: what follows is
// what would have followed.

import t from 'tap';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';
import { Scene } from './scene.ts';

/** An hour of a campaign with everything on, begun the same way each time. */
async function anHour(stopAt: number, cut: (scene: Scene) => Promise<void>) {
  const scene = await Scene.open();
  await scene.settings({
    quietHours: { start: '22:00', end: '00:20', timezone: 'subscriber' },
    caps: [{ max: 3, perHours: 1 }],
  });
  await scene.people(60, ['fcm', 'email'], { timezone: 'Asia/Tokyo' }, 'day');
  await scene.people(30, ['fcm', 'email', 'fcm'], {}, 'night');
  await scene.people(10, ['email'], {}, 'mail');
  scene.answers = ({ endpoint, attempt }) => {
    const digit = Number(/-(\d)/.exec(String(endpoint))?.[1]);
    if (digit === 3) return { outcome: 'dead', reason: 'unregistered' };
    return digit === 5 && attempt === 1
      ? { outcome: 'retry', reason: 'http_503' }
      : { outcome: 'accepted' };
  };
  const messages = [await scene.message({ title: 'one' }), await scene.message({ title: 'two' })];
  const { id } = await scene.sentCampaign({
    filter: { tag: 'first_name', exists: true },
    throttle: { perMinute: 240 },
    holdoutShare: 0.1,
    variants: messages.map((messageId, i) => ({ id: `v${i}`, weight: 1, messageId })),
    experiment: { sampleShare: 0.4, winnerMetric: 'opened', decideAfterMinutes: 10 },
    goal: { event: 'bought', withinHours: 1 },
    fallbackChannels: ['email'],
    fallbackAfterMinutes: 15,
  });
  for (let step = 0; step < 130; step++) {
    if (step === stopAt) await cut(scene);
    await scene.advance(step < 40 ? 1_000 : minuteMs);
    if (step % 9 === 0) await scene.track(`day-${step % 60}`, 'opened', { campaignId: id });
    if (step % 11 === 0) await scene.track(`night-${step % 30}`, 'bought');
  }
  const { progress, ...stats } = await scene.stats(id);
  return { scene, stats };
}

t.test('written down anywhere, a campaign goes on as if it had not been', async (t) => {
  const whole = await anHour(-1, async () => {});
  t.match(whole.stats, { state: 'completed', audience: 100 });
  for (const name of ['opened', 'converted', 'bounced'] as const)
    t.ok(whole.stats[name] > 0, `some ${name}`);
  t.ok(whole.stats.fallback.sent > 10);
  const rng = seededRng(11);
  for (let round = 0; round < 6; round++) {
    const stopAt = below(rng, 130);
    let isSame = false;
    const cut = await anHour(stopAt, async (scene) => {
      isSame = await scene.moveByCheckpoint();
    });
    t.ok(isSame, `step ${stopAt}: memory of the log is memory of the checkpoint`);
    t.same(cut.stats, whole.stats, `step ${stopAt}`);
    t.same(cut.scene.calls().sort(), whole.scene.calls().sort(), `step ${stopAt}`);
  }
  t.ok(whole.scene.one.clock.nowMs > hourMs);
});
