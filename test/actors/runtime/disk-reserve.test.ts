// What goes on while the disk is nearly full: outcomes of what is under way, opt-outs by whatever
// way they come, what follows from either, and every read.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { ChannelId } from '../../../actors/channels/channel-ids.ts';
import { markOfDevice } from '../../../actors/channels/email/return-path.ts';
import type { Attempt } from '../../../actors/channels/port/attempt.ts';
import { allowedWhenFull } from '../../../actors/runtime/disk-reserve.ts';
import { Documents } from '../../../storage/documents.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { fileAt } from '../../support/places.ts';
import { endpointOf, type Scene } from '../programs/campaigns/scene.ts';
import { JourneyScene, send } from '../programs/journeys/support/journey-scene.ts';
import { reportInbound, reportStatus } from '../sending/callbacks/provider.ts';

/** One person with a device on a channel, and a disk that can be filled. */
async function open(channel: ChannelId) {
  const disk = { isLow: false };
  const one = await JourneyScene.open({ available: [channel], diskLow: () => disk.isLow });
  const { scene } = one;
  await scene.people(1, [channel]);
  const notify = async () => {
    const request = {
      to: { externalUserId: 'user-0' },
      channels: [channel],
      title: 'Hi',
      body: 'Hi',
    };
    await scene.one.value(scene.app, 'transactional.accept', { request, claim: null } as never);
    await scene.run();
    return scene.sent.at(-1) as Attempt;
  };
  return { disk, one, scene, notify };
}

const optedOut = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'suppression.list', { limit: 10 })).items.length;

t.test(
  'what a campaign has handed to providers has its outcomes, and nobody gets it twice',
  async (t) => {
    const { disk, scene } = await open('sms');
    const { id } = await scene.campaign({ channels: ['sms'] });
    const release = scene.hold();
    await scene.send(id);
    t.equal(scene.sent.length, 1);
    disk.isLow = true;
    await release();
    t.match(await scene.stats(id), { sent: 1, delivered: 1 });
    await scene.crash();
    disk.isLow = false;
    await scene.advance(600_000);
    t.equal(scene.sent.length, 1);
    t.match(await scene.stats(id), { delivered: 1 });
  },
);

t.test('STOP and START count, and so does what a carrier tells late', async (t) => {
  const { disk, scene, notify } = await open('sms');
  const sent = await notify();
  disk.isLow = true;
  const told = { MessageStatus: 'undelivered', ErrorCode: '30007' };
  t.match(await reportStatus(scene, 'sms', sent, told), { taken: 1 });
  t.match(await scene.one.value(scene.app, 'transactional.read', { id: sent.sendId }), {
    status: 'bounced',
  });
  const From = endpointOf('user-0', 'sms');
  t.match(await reportInbound(scene, { MessageSid: 'a', From, Body: 'STOP' }), { taken: 1 });
  t.equal(await optedOut(scene), 1);
  t.match(await reportInbound(scene, { MessageSid: 'b', From, Body: 'START' }), { taken: 1 });
  t.equal(await optedOut(scene), 0);
});

t.test('opt-outs by mail and complaints count', async (t) => {
  for (const way of ['mail', 'complaint']) {
    const { disk, scene, notify } = await open('email');
    const { sendId, deviceId, email } = await notify();
    const mail = { person: email?.person as number, deviceMark: markOfDevice(deviceId) as number };
    disk.isLow = true;
    if (way === 'mail') {
      const { address } = await scene.one.value(scene.app, 'callback.email_address', mail);
      await scene.optOut('email', address as string);
    } else {
      const news = { kind: 'complained' } as const;
      await scene.one.value(scene.app, 'callback.email', { ...mail, sendId, news });
    }
    t.equal(await optedOut(scene), 1, way);
  }
});

t.test('what stops sends works', async (t) => {
  const { disk, one, scene } = await open('sms');
  await scene.people(5, ['sms']);
  const { id } = await scene.campaign({ channels: ['sms'], throttle: { perMinute: 1 } });
  const journey = await one.journey({ triggerEvent: 'opened', steps: [send('a')] } as never);
  await scene.send(id);
  disk.isLow = true;
  const change = (active: boolean) =>
    scene.one.ask(scene.app, 'journey.update', {
      id: journey.id,
      change: { input: {}, removed: [] },
      active,
    });
  t.ok((await scene.one.ask(scene.app, 'campaign.pause', { id })).ok, 'pause');
  t.ok((await scene.one.ask(scene.app, 'campaign.cancel', { id })).ok, 'cancel');
  t.match(await change(true), { ok: false, fault: { code: 'disk_full' } });
  t.ok((await change(false)).ok, 'a journey that is switched off');
});

t.test('what makes room works: a deleted app, and its rows go', async (t) => {
  const { disk, scene, notify } = await open('sms');
  await notify();
  await scene.people(1_000, ['sms']);
  const rows = () => new Documents(scene.one.store).range(subscribers, scene.app, { limit: 5_000 });
  t.equal(rows().length, 1_000);
  disk.isLow = true;
  t.ok((await scene.one.ask(scene.app, 'app.delete', {})).ok);
  for (let seconds = 0; seconds < 5; seconds++) await scene.one.advance(1_000);
  t.equal(rows().length, 0, 'without waiting for the disk');
  disk.isLow = false;
  await scene.one.advance(60_000);
  t.equal(scene.one.product.state.tombstones.size, 0);
});

t.test('a change that is let through has its note in the audit log', async (t) => {
  const { disk, scene } = await open('sms');
  disk.isLow = true;
  await scene.settings({ eventsRetentionDays: 30 });
  const { items } = await scene.one.value(scene.org, 'audit.list', { limit: 10 });
  t.ok(items.some(({ action }) => action === 'settings.changed'));
});

t.test('a journey hears of what is let through', async (t) => {
  const { disk, one, scene, notify } = await open('sms');
  const { id } = await one.journey({ triggerEvent: 'opened', steps: [send('a')] } as never);
  const sent = await notify();
  disk.isLow = true;
  await reportStatus(scene, 'sms', sent, { MessageStatus: 'read' });
  disk.isLow = false;
  await scene.run();
  t.match(await one.stats(id), { enrolled: 1 });
});

t.test('every GET is answered', (t) => {
  // What a host answers without its partition, or with such questions only as are among the others.
  const byHost =
    /^(campaign\.cost$|insight\.(?!facts)|subscribers\.export$|timeline\.read$|send\.preview$)/;
  const asks = /(?:ask\w*\([^;]*?|(?:asks|all): )'([a-z_]+\.[a-z_]+)'/g;
  const folder = fileURLToPath(fileAt('http/routes'));
  let asked = 0;
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const source = readFileSync(join(folder, file), 'utf8');
    for (const statement of source.split(/\n(?=export |const |function |async function )/)) {
      const isRead = (text: string) => /method: 'GET'|\.(?:list|read)\(\{/.test(text);
      if (!isRead(statement)) continue;
      // A function that makes several routes: what stands before them serves each.
      const [shared = '', ...routes] = statement.split(/\n {4}(?=\w+(?:\.\w+)?\(\{)/);
      const reading = [shared, ...routes.filter(isRead)].join('\n');
      for (const [, kind = ''] of reading.matchAll(asks)) {
        if (byHost.test(kind)) continue;
        asked++;
        t.ok(allowedWhenFull({ kind }), `${kind} of ${file}`);
      }
    }
  }
  t.ok(asked > 60, `${asked} questions`);
  t.end();
});
