// People who turn out to be somebody else while a campaign is under way.

import t from 'tap';
import { isHeldOut } from '../../../../actors/programs/campaigns/bucketing.ts';
import { Scene } from './scene.ts';

const tokenKey = new Uint8Array(32).fill(3);

/** Somebody anonymous with a device; gives back how they say who they are. */
async function stranger(scene: Scene, endpoint: string) {
  const { one, app } = scene;
  await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
  const { clientToken } = await one.value(app, 'sdk.login', { login: { tokenKey } });
  const device = { channel: 'fcm', endpoint } as const;
  await one.value(app, 'sdk.register', { clientToken, device });
  return (externalUserId: string) =>
    one.value(app, 'sdk.login', { login: { tokenKey, clientToken, externalUserId } });
}

t.test('a device that a stranger was sent a campaign on does not get it again', async (t) => {
  const scene = await Scene.open();
  const become = await stranger(scene, 'token-of-a-stranger');
  await scene.people(1);
  const campaign = await scene.campaign({ throttle: { perMinute: 60 } });
  await scene.send(campaign.id);
  t.same(
    scene.sent.map(({ endpoint }) => endpoint),
    ['token-of-a-stranger'],
  );
  await become('user-0');
  await scene.advance(60_000);
  t.equal(scene.sent.length, 1);
  t.match(await scene.stats(campaign.id), { state: 'completed', sent: 1, delivered: 1 });
});

t.test('who is held out stays so with the devices of a stranger', async (t) => {
  const holdoutShare = 0.5;
  const isOut = (person: number) => isHeldOut({ number: 1, holdoutShare }, person);
  const scene = await Scene.open();
  // Ordinals are given out in turn: somebody first who is targeted and passed, strangers until one
  // is targeted, one held out.
  const become: ((name: string) => Promise<unknown>)[] = [];
  let next = 0;
  let targeted = 0;
  while (targeted < 2) {
    become.push(await stranger(scene, `stranger-${next}`));
    if (!isOut(next++)) targeted++;
  }
  while (!isOut(next)) await scene.person(`passed-${next++}`, ['email']);
  await scene.person('held-out', ['fcm']);
  const campaign = await scene.campaign({ holdoutShare, throttle: { perMinute: 60 } });
  await scene.send(campaign.id);
  t.equal(scene.sent.length, 1);
  await become.at(-1)?.('held-out');
  await scene.advance(120_000);
  t.equal(scene.sent.length, 1);
  t.match(await scene.stats(campaign.id), { state: 'completed', sent: 1 });
});

t.test(
  'what a stranger was sent at a crash is tried again on the device they brought',
  async (t) => {
    const scene = await Scene.open();
    const become = await stranger(scene, 'token-of-a-stranger');
    await scene.people(1, ['email']);
    const campaign = await scene.campaign();
    scene.answers = () => undefined;
    await scene.send(campaign.id);
    await become('user-0');
    scene.answers = () => ({ outcome: 'accepted' });
    await scene.crash();
    await scene.advance(60_000);
    t.match(await scene.stats(campaign.id), { state: 'completed', sent: 1, delivered: 1 });
  },
);

t.test('nor does somebody who turns out to be a stranger that was sent it', async (t) => {
  const scene = await Scene.open();
  const { one, app } = scene;
  const become = await stranger(scene, 'token-of-a-stranger');
  await scene.people(1);
  const campaign = await scene.campaign({ throttle: { perMinute: 60 } });
  await scene.send(campaign.id);
  t.equal(scene.sent.length, 1);
  // The device they were sent it on is somebody else's by the time they say who they are.
  await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
  const { clientToken } = await one.value(app, 'sdk.login', { login: { tokenKey } });
  const device = { channel: 'fcm', endpoint: 'token-of-a-stranger' } as const;
  await one.value(app, 'sdk.register', { clientToken, device });
  await become('user-0');
  await scene.advance(60_000);
  t.equal(scene.sent.length, 1);
  t.match(await scene.stats(campaign.id), { state: 'completed', sent: 1, delivered: 1 });
});
