// Who leaves by a campaign's message: what the event names, and the figures that count them.

import t from 'tap';
import { markOfDevice } from '../../../../actors/channels/email/return-path.ts';
import { openUnsubscribe, unsubscribeUrl } from '../../../../actors/channels/email/unsubscribe.ts';
import { textSealer } from '../../../../actors/sealer.ts';
import { newId } from '../../../../engine/base/id.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { createSealer } from '../../../../storage/sealed.ts';
import { endpointOf, Scene } from './scene.ts';

t.test('an unsubscribe link names its mail, and links without one still work', (t) => {
  const sealer = textSealer(createSealer([new Uint8Array(32).fill(7)]));
  const open = (url: string) => openUnsubscribe(sealer, url.split('/u/')[1] ?? '');
  const address = '~m|9@example.com';
  const rng = seededRng(1);
  const mail = { sendId: newId('ntf', 42, 7, rng), deviceId: newId('dev', 42, 8, rng) };
  const ofJourney = { ...mail, journeyId: newId('jrn', 42, 9, rng) };
  for (const isMarketing of [true, false])
    for (const about of [undefined, mail, ofJourney]) {
      const url = unsubscribeUrl('https://a.example', sealer, 42, address, isMarketing, rng, about);
      t.same(open(url), { app: 42, address, isMarketing, ...(about && { about }) });
    }
  t.equal(open('https://a.example/u/AAAA'), undefined);
  t.end();
});

t.test('an opt-out by link, mail button or mail says by which message', async (t) => {
  const scene = await withMail(4);
  const { id, messageId } = await scene.campaign({ channels: ['email'] });
  await scene.send(id);
  const of = (who: string) => scene.sent.find(({ endpoint }) => String(endpoint).includes(who));
  const leave = async (who: string) => {
    const { sendId = '', deviceId = '' } = of(who) ?? {};
    const address = endpointOf(who, 'email');
    await scene.one.value(scene.app, 'suppression.add', {
      ...{ channel: 'email', address, source: 'unsubscribe' },
      about: { sendId, deviceId },
    } as never);
  };
  await leave('user-0');
  await leave('user-0'); // a button is pressed twice
  await leave('user-1');
  await complain(scene, of('user-2'));
  await complain(scene, of('user-1')); // who has left already
  const named = (who: string) => {
    const { sendId, deviceId } = of(who) ?? {};
    return { sendId, deviceId, campaignId: id, messageId };
  };
  t.match(scene.events('unsubscribed'), [named('user-0'), named('user-1'), named('user-2')]);
  t.equal(scene.firstGap(), undefined);
  const figures = { unsubscribed: 2, complained: 2 };
  const stats = await scene.stats(id);
  t.match(stats, { sent: 4, ...figures, occurrences: [figures] });
  await scene.crash();
  t.match(await scene.stats(id), figures);
  t.ok(await scene.moveByCheckpoint());
  t.match(await scene.stats(id), figures);
});

t.test('variants count who left by them, and the list of recipients names them', async (t) => {
  const scene = await withMail(40);
  const [one, other] = [await scene.message(), await scene.message()];
  const variants = [
    { id: 'a', weight: 1, messageId: one },
    { id: 'b', weight: 1, messageId: other },
  ];
  const { id } = await scene.sentCampaign({ channels: ['email'], messageId: one, variants });
  for (const sent of scene.sent.slice(0, 10)) await complain(scene, sent);
  const { byVariant, complained } = await scene.stats(id);
  t.equal(complained, 10);
  t.equal((byVariant['a']?.complained ?? 0) + (byVariant['b']?.complained ?? 0), 10);
  const asked = { id, outcome: 'complained' as const, limit: 100 };
  const { items } = await scene.one.value(scene.app, 'campaign.recipients', asked);
  t.equal(items.length, 10);
  t.ok(items.every((found) => found.complained && !found.unsubscribed));
});

t.test('a forged or foreign message counts for no campaign', async (t) => {
  const scene = await withMail(1);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const [sent] = scene.sent;
  await scene.person('late', ['email']);
  const about = { sendId: `${sent?.sendId.slice(0, -2)}zz`, deviceId: sent?.deviceId ?? '' };
  const address = endpointOf('late', 'email');
  await scene.one.value(scene.app, 'suppression.add', {
    ...{ channel: 'email', address, source: 'unsubscribe', about },
  } as never);
  t.match(await scene.stats(id), { unsubscribed: 0 });
});

async function withMail(people: number): Promise<Scene> {
  const scene = await Scene.open({ available: ['email'] });
  await scene.people(people, ['email']);
  return scene;
}

async function complain(scene: Scene, sent: Scene['sent'][number] | undefined): Promise<void> {
  const { sendId = '', deviceId = '', email } = sent ?? {};
  await scene.one.value(scene.app, 'callback.email', {
    ...{ sendId, person: email?.person ?? -1, deviceMark: markOfDevice(deviceId) ?? -1 },
    news: { kind: 'complained' },
  });
  await scene.run();
}
