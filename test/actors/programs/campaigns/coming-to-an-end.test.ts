// Campaigns that something stands in the way of, and what is counted of people for whom something
// went wrong.

import t from 'tap';
import type { WaveSettled } from '../../../../actors/sending/dispatch/entries.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { Scene } from './scene.ts';

t.test(
  'a campaign goes on when a credential works again, though all it sent has expired',
  async (t) => {
    const scene = await Scene.withPeople(100);
    const messageId = await scene.message({ ttlSeconds: 1 });
    const campaign = await scene.campaign({ messageId });
    scene.answers = () => ({ outcome: 'config', reason: 'bad_credentials' });
    await scene.send(campaign.id);
    t.match(await scene.stats(campaign.id), { state: 'sending', sent: 64 });
    await scene.advance(10 * minuteMs);
    const before = scene.sent.length;
    t.ok(before > 64 && before < 80, `one at a time asks: ${before} calls`);
    scene.answers = () => ({ outcome: 'accepted' });
    await scene.advance(hourMs);
    const stats = await scene.stats(campaign.id);
    t.match(stats, { state: 'completed', sent: 100 });
    t.equal(stats.delivered + stats.failed, 100);
  },
);

t.test(
  'a campaign that was paused past the end of its schedule is over when it is resumed',
  async (t) => {
    const scene = await Scene.withPeople(1);
    const endMs = scene.one.clock.nowMs + 2 * hourMs;
    const schedule = {
      type: 'recurring',
      every: 'hour',
      at: '00:30',
      timezone: 'UTC',
      endMs,
    } as const;
    const campaign = await scene.campaign({ schedule });
    await scene.send(campaign.id);
    await scene.verb('pause', campaign.id);
    await scene.advance(3 * hourMs);
    await scene.verb('resume', campaign.id);
    t.match(await scene.stats(campaign.id), { state: 'completed', sent: 0 });
  },
);

t.test('a click counts while another device of the person could not be sent to', async (t) => {
  const scene = await Scene.withPeople(1, ['fcm', 'email']);
  const campaign = await scene.campaign({ channels: ['fcm', 'email'] });
  scene.answers = ({ channel }) =>
    channel === 'fcm' ? undefined : { outcome: 'permanent', reason: 'invalid_content' };
  await scene.send(campaign.id);
  t.match(await scene.stats(campaign.id), { sent: 1, suppressed: 0 });
  const click = { name: 'clicked', externalUserId: 'user-0', campaignId: campaign.id };
  const { id: appId } = await scene.one.value(scene.app, 'app.read', {});
  const bytes = Buffer.from(JSON.stringify({ appId, events: [click] }));
  await scene.one.value(scene.app, 'events.ingest', { keyless: false }, { bytes } as never);
  t.match(await scene.stats(campaign.id), { sent: 1, clicked: 1 });
});

t.test('who failed on two devices has failed also when one of them opted out since', async (t) => {
  const scene = await Scene.withPeople(1, ['fcm', 'email']);
  const messageId = await scene.message({ ttlSeconds: 1 });
  const campaign = await scene.campaign({ messageId, channels: ['fcm', 'email'] });
  scene.answers = () => ({ outcome: 'retry', reason: '503', retryAfterMs: 5_000 });
  await scene.send(campaign.id);
  t.match(await scene.stats(campaign.id), { state: 'completed', sent: 1, failed: 1 });
  const address = { channel: 'email', address: 'user-0@example.com', source: 'api' } as const;
  await scene.one.value(scene.app, 'suppression.add', address);
  const letters = await scene.one.value(scene.app, 'dead_letter.list', { limit: 10 });
  const ids = letters.items.filter(({ channel }) => channel === 'email').map(({ id }) => id);
  await scene.one.value(scene.app, 'dead_letter.redrive', { ids });
  await scene.run();
  t.match(await scene.stats(campaign.id), { sent: 1, failed: 1, suppressed: 0 });
});

t.test('what is tried again waits while its campaign is paused', async (t) => {
  const scene = await Scene.withPeople(3);
  const campaign = await scene.campaign();
  scene.answers = () => ({ outcome: 'retry', reason: '503', retryAfterMs: 30_000 });
  await scene.send(campaign.id);
  await scene.verb('pause', campaign.id);
  scene.answers = () => ({ outcome: 'accepted' });
  await scene.advance(10 * minuteMs);
  t.equal(scene.sent.length, 3);
  await scene.verb('resume', campaign.id);
  await scene.advance(2 * minuteMs);
  t.equal(scene.sent.length, 6);
  t.match(await scene.stats(campaign.id), { state: 'completed', delivered: 3 });
});

t.test('a pause holds people with several devices as well', async (t) => {
  const scene = await Scene.open();
  for (let i = 0; i < 300; i++) {
    const devices = [1, 2].map((n) => ({ channel: 'fcm', endpoint: `token-${i}-${n}` }));
    const subscriber = { externalUserId: `user-${i}`, devices };
    await scene.one.value(scene.app, 'subscriber.upsert', { subscriber } as never);
  }
  const campaign = await scene.campaign();
  scene.answers = () => undefined;
  await scene.send(campaign.id);
  const { sent } = await scene.stats(campaign.id);
  t.ok(sent >= 64 && sent < 150, `${sent} people are handed out while no provider answers`);
});

t.test(
  'what comes back to a campaign that was deleted since names the send that was made',
  async (t) => {
    const scene = await Scene.withPeople(2);
    const campaign = await scene.campaign();
    scene.answers = () => undefined;
    await scene.send(campaign.id);
    const made = scene.sent.map(({ sendId }) => sendId).sort();
    await scene.verb('cancel', campaign.id);
    await scene.one.value(scene.app, 'campaign.delete', { id: campaign.id });
    await scene.crash();
    const entries = [...scene.one.store.blocks(1, Number.POSITIVE_INFINITY)].flatMap(
      ({ block }) => decodeBlock(block).entries,
    );
    const settled = entries.find(({ kind }) => kind === 'wave.settled') as WaveSettled;
    const named = settled.spilled.map(({ person }) =>
      formatId('ntf', { ...settled.sendParts, low32: person }),
    );
    t.same(named.sort(), made);
  },
);
