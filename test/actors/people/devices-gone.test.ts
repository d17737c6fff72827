// What callbacks about a device need goes with the device, whichever way it leaves its person: an
// erasure could not find it afterwards.

import t from 'tap';
import { limits } from '../../../actors/limits.ts';
import { Documents } from '../../../storage/documents.ts';
import { deviceSends } from '../../../storage/tables/device-send.ts';
import { partitionWithApp } from '../../support/partition.ts';

const tokenKey = new Uint8Array(32).fill(9);
const phone = (name: string) => ({ channel: 'viber' as const, endpoint: `viber-of-${name}` });

async function world() {
  const { one, app } = await partitionWithApp({ available: ['viber', 'fcm'] });
  await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
  const logIn = (login: object = {}) =>
    one.value(app, 'sdk.login', { login: { ...login, tokenKey } });
  /** Registers the person's phone and sends to it; the provider names the message. */
  const sentTo = async (clientToken: string, subscriberId: string, name: string) => {
    const device = phone(name);
    const { deviceId } = await one.value(app, 'sdk.register', { clientToken, device });
    const request = { to: { id: subscriberId }, channels: ['viber' as const], body: 'Hi' };
    await one.value(app, 'transactional.accept', { request, claim: null });
    const outcome = { outcome: 'accepted' as const, providerMessageId: `m-${name}` };
    for (const { attempts } of one.takeGrants()) {
      const reports = attempts.map(({ target, attempt: { sendId, attempt } }) => {
        return { sendId, target, attempt, outcome };
      });
      await one.value(app, 'dispatch.report', { channel: 'viber', reports });
    }
    return deviceId;
  };
  const isKept = (deviceId: string) =>
    new Documents(one.store).get(deviceSends, app, [deviceId]) !== undefined;
  return { one, app, logIn, sentTo, isKept };
}

t.test('a device that its app unregisters leaves nothing kept', async (t) => {
  const { one, app, logIn, sentTo, isKept } = await world();
  const { clientToken, subscriberId } = await logIn();
  const deviceId = await sentTo(clientToken, subscriberId, 'ana');
  t.ok(isKept(deviceId));
  await one.value(app, 'sdk.unregister', { clientToken, device: deviceId });
  t.notOk(isKept(deviceId));
});

t.test('a device that moves to another person leaves nothing kept', async (t) => {
  for (const way of ['subscriber.upsert', 'subscriber.import'] as const) {
    const { one, app, logIn, sentTo, isKept } = await world();
    const { clientToken, subscriberId } = await logIn();
    const deviceId = await sentTo(clientToken, subscriberId, 'ana');
    const subscriber = { externalUserId: 'ben', devices: [phone('ana')] };
    await one.value(app, way, { subscriber, rows: [subscriber] } as never);
    t.notOk(isKept(deviceId), way);
  }
});

t.test('a merge keeps what goes with the devices that it keeps, and no more', async (t) => {
  const { one, app, logIn, sentTo, isKept } = await world();
  const devices = Array.from({ length: limits.devicesMax - 1 }, (_, i) => ({
    channel: 'fcm' as const,
    endpoint: `phone-${i}-of-ana`,
  }));
  await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ana', devices } });
  const { clientToken, subscriberId } = await logIn();
  const older = await sentTo(clientToken, subscriberId, 'older');
  one.clock.nowMs += 1_000;
  const newer = await sentTo(clientToken, subscriberId, 'newer');
  await logIn({ clientToken, externalUserId: 'ana' });
  t.same([isKept(older), isKept(newer)], [false, true]);
});
