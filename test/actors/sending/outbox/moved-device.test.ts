// A device that its provider knows by another address, or at another server: told once, written
// down with the receipt.

import t from 'tap';
import type { Moved } from '../../../../actors/channels/port/outcome.ts';
import type { DeviceInput } from '../../../../actors/people/audience/protocol.ts';
import { anApp, TestPartition } from '../../../support/partition.ts';
import { Scene } from '../../programs/campaigns/scene.ts';

const group = { channel: 'telegram' as const, endpoint: '-500100' };
const phone = { channel: 'apns' as const, endpoint: 'ab'.repeat(32) };
const movedTo = '-1001500100';

async function world(...people: (readonly DeviceInput[])[]) {
  const options = { available: ['telegram', 'apns'] as const };
  let one = new TestPartition(options);
  const { app } = await anApp(one);
  for (const [i, devices] of people.entries())
    await one.value(app, 'subscriber.upsert', {
      subscriber: { externalUserId: `user-${i}`, devices },
    });
  one.takeGrants();
  const send = async (to: string) => {
    const request = { to: { externalUserId: to }, title: 'x', body: 'x' };
    await one.value(app, 'transactional.accept', { request, claim: null });
    return one.takeGrants();
  };
  /** Answers everything that is granted as moved. */
  const deliver = async (to: string, moved: (from: unknown) => Moved) => {
    for (const { channel, attempts } of await send(to))
      await one.ask(app, 'dispatch.report', {
        channel,
        reports: attempts.map(({ target, attempt }) => ({
          sendId: attempt.sendId,
          target,
          attempt: attempt.attempt,
          outcome: { outcome: 'accepted' as const, moved: moved(attempt.endpoint) },
        })),
      });
  };
  const devices = async (to: string) =>
    (await one.value(app, 'subscriber.read', { ref: { externalUserId: to } })).devices;
  const restart = () => {
    one = new TestPartition({ ...options, store: one.store.crash(), clock: one.clock });
  };
  const register = (to: string, device: DeviceInput) =>
    one.value(app, 'device.add', { ref: { externalUserId: to }, device });
  return { send, deliver, devices, restart, register };
}

t.test('a group that moved is sent to at its new address, also after a restart', async (t) => {
  const { send, deliver, devices, restart, register } = await world([group], []);
  await deliver('user-0', () => ({ from: group.endpoint, endpoint: movedTo }));
  restart();
  const [device] = await devices('user-0');
  t.match(device, { endpoint: movedTo, enabled: true });
  const [grant] = await send('user-0');
  t.match(grant?.attempts, [{ attempt: { endpoint: movedTo, deviceId: device?.id } }]);
  const again = await register('user-0', { ...group, endpoint: movedTo });
  t.equal(again.id, device?.id, 'the new address is this device');
  await register('user-1', group);
  t.same(
    [(await devices('user-0')).length, (await devices('user-1')).length],
    [1, 1],
    'the old one is free',
  );
  await register('user-1', { ...group, endpoint: movedTo });
  t.same(await devices('user-0'), [], 'and whoever registers the new one has it');
});

t.test('a token of the other server is asked for there from the next send on', async (t) => {
  const { send, deliver, devices, restart } = await world([phone]);
  await deliver('user-0', (from) => ({ from: from as string, environment: 'sandbox' }));
  restart();
  t.match(await devices('user-0'), [{ endpoint: phone.endpoint, environment: 'sandbox' }]);
  t.match((await send('user-0'))[0]?.attempts, [{ attempt: { environment: 'sandbox' } }]);
});

t.test('an address is one device’s: where another has it, this one is disabled', async (t) => {
  const other = { ...group, endpoint: '-500200' };
  const moved = (from: unknown) => ({ from: from as string, endpoint: movedTo });
  for (const people of [
    [[group], [{ ...group, endpoint: movedTo }]],
    [[group, other], []],
  ]) {
    const { deliver, devices } = await world(...people);
    await deliver('user-0', moved);
    const all = [...(await devices('user-0')), ...(await devices('user-1'))];
    t.equal(all.length, 2);
    const enabled = all.filter((one) => one.enabled);
    t.match(enabled, [{ endpoint: movedTo }], 'also where two moved at once');
    t.match(
      all.filter((one) => !one.enabled),
      [{ disabledReason: 'moved' }],
    );
  }
});

t.test('what is told of an address that was given up, or is none, changes nothing', async (t) => {
  const { deliver, devices } = await world([group, phone]);
  const before = await devices('user-0');
  for (const moved of [
    { from: '-500999', endpoint: movedTo },
    { from: group.endpoint, endpoint: 'no chat' },
    { from: group.endpoint, endpoint: group.endpoint },
    { from: 'ff'.repeat(32), environment: 'sandbox' as const },
    { from: group.endpoint },
  ])
    await deliver('user-0', () => moved);
  t.same(await devices('user-0'), before);
});

t.test('a campaign moves the devices of its people, and of nobody else', async (t) => {
  const scene = await Scene.open({ available: ['fcm'] });
  await scene.people(6, ['fcm']);
  scene.answers = ({ endpoint }) => {
    const isOther = scene.sent.findIndex((one) => one.endpoint === endpoint) % 2 === 0;
    const moved = { from: endpoint, environment: 'sandbox' as const };
    return { outcome: 'accepted', ...(isOther ? { moved } : {}) };
  };
  const { id } = await scene.sentCampaign({ channels: ['fcm'] });
  t.match(await scene.stats(id), { delivered: 6 });
  const environments = new Map<string, string | undefined>();
  for (let i = 0; i < 6; i++) {
    const ref = { externalUserId: `user-${i}` };
    const { devices } = await scene.one.value(scene.app, 'subscriber.read', { ref });
    environments.set(String(devices[0]?.endpoint), devices[0]?.environment);
  }
  scene.sent.forEach(({ endpoint }, i) => {
    t.equal(environments.get(String(endpoint)), i % 2 === 0 ? 'sandbox' : undefined);
  });
});
