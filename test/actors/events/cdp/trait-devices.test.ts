import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import type { CdpCall, Contact, PushToken } from '../../../../actors/events/cdp/protocol.ts';
import type { DeviceInput } from '../../../../actors/people/audience/protocol.ts';
import { Documents } from '../../../../storage/documents.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import { indexedDevices } from '../../../support/indexed-devices.ts';
import {
  partitionWithApp,
  TestPartition,
  type TestPartitionOptions,
} from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const secretHash = new Uint8Array(createHash('sha256').update('one').digest());
const apnsToken = 'ab'.repeat(32);
const number = '+14155550123';

async function connected(options: TestPartitionOptions = {}) {
  const { one, app } = await partitionWithApp(options);
  await one.value(app, 'cdp.put', { secretHash });
  const take = (...calls: readonly CdpCall[]) =>
    one.value(app, 'cdp.take', {
      secretHash,
      calls: calls.map((call, index) => ({ ...call, index })),
    });
  const read = (externalUserId: string) =>
    one.value(app, 'subscriber.read', { ref: { externalUserId } });
  const devices = async (externalUserId: string) =>
    (await read(externalUserId)).devices.map(({ channel, endpoint }) => `${channel} ${endpoint}`);
  const upsert = (externalUserId: string | undefined, ...some: readonly DeviceInput[]) =>
    one.value(app, 'subscriber.upsert', {
      subscriber: { ...(externalUserId === undefined ? {} : { externalUserId }), devices: some },
    });
  return { one, app, take, read, devices, upsert };
}

const identify = (userId: string, contact: Contact = {}, more: object = {}): CdpCall => ({
  kind: 'identify',
  index: 0,
  userId,
  traits: {},
  contact,
  ...more,
});
const track = (userId: string, push?: PushToken): CdpCall => ({
  kind: 'event',
  index: 0,
  userId,
  name: 'Paid',
  atMs: Date.UTC(2026, 0, 1),
  ...(push === undefined ? {} : { push }),
});
const email = (endpoint: string): DeviceInput => ({ channel: 'email', endpoint });

t.test('a trait is a device; another value replaces that device and no other', async (t) => {
  const { take, devices, upsert, read } = await connected();
  await upsert('ada', email('work@x.example'), { channel: 'fcm', endpoint: 'token' });
  const kept = ['email work@x.example', 'fcm token'];
  await take(identify('ada', { email: 'ada@x.example', phone: number }));
  t.same(await devices('ada'), [...kept, 'email ada@x.example', `sms ${number}`]);
  const [, , before] = (await read('ada')).devices;
  await take(
    identify('ada', { email: ' ADA@X.example ' }),
    identify('ada', { email: 'ada@x.example' }),
  );
  t.same((await read('ada')).devices[2], before, 'the same address changes nothing');
  await take(identify('ada', { email: 'new@x.example' }));
  t.same(await devices('ada'), [...kept, `sms ${number}`, 'email new@x.example']);
  await take(identify('ada', { email: 'work@x.example' }));
  t.same(await devices('ada'), [...kept, `sms ${number}`], 'a device of another origin is enough');
  await take(identify('ada', { email: 'last@x.example', phone: null }));
  t.same(
    await devices('ada'),
    [...kept, 'email last@x.example'],
    'and stays when the trait goes on',
  );
  await take(identify('ada'));
  t.equal((await devices('ada')).length, 3, 'a call without the trait changes nothing');
  const { errors } = await take(identify('ada', { email: 'nowhere', phone: '0812' }));
  t.match(errors, [
    { index: 0, error: /^traits\.email: must be an email address/ },
    { index: 0, error: /^traits\.phone: must be a phone number in E\.164 form/ },
  ]);
  t.equal((await devices('ada')).length, 3, 'what cannot be read replaces nothing');
  await take(identify('ada', { email: null }));
  t.same(await devices('ada'), kept);
});

t.test('a device that a key registers again is the tenant’s, and stays', async (t) => {
  const { take, devices, upsert } = await connected();
  await take(identify('ada', { email: 'ada@x.example' }));
  await upsert('ada', email('ada@x.example'));
  await take(identify('ada', { email: 'new@x.example' }));
  t.same(await devices('ada'), ['email ada@x.example', 'email new@x.example']);
});

t.test('an address of someone else moves as it does for clients', async (t) => {
  const { take, devices, upsert, read } = await connected();
  await upsert('ada', email('ada@x.example'));
  await upsert(undefined, email('list@x.example'));
  await take(identify('bob', { email: 'bob@x.example' }));
  for (const address of ['ada@x.example', 'list@x.example', 'bob@x.example']) {
    const { errors } = await take(identify('eve', { email: address }));
    t.match(errors, [{ error: /^traits\.email: belongs to someone else/ }], address);
    t.same(await devices('eve'), []);
  }
  t.ok(await read('eve'), 'the person is stored all the same');
  // A push token proves that its phone is theirs now.
  const push: PushToken = { platform: 'apple', token: apnsToken };
  await take(identify('ada', {}, { push }), identify('bob', {}, { push }));
  t.same(await devices('ada'), ['email ada@x.example']);
  t.same(await devices('bob'), ['email bob@x.example', `apns ${apnsToken}`]);
});

t.test('a number is a device only where the app lets clients register paid channels', async (t) => {
  const { one, app, take, devices } = await connected({ credentialsRequired: true });
  const { errors } = await take(identify('ada', { email: 'ada@x.example', phone: number }));
  t.match(errors, [
    { error: /^traits\.phone: is stored as a tag and not as a device.*registerPaidChannels/ },
  ]);
  t.same(await devices('ada'), ['email ada@x.example']);
  const patch = { keylessEvents: { registerPaidChannels: true }, defaultCountry: 'US' };
  await one.value(app, 'settings.patch', { patch });
  await take(identify('ada', { phone: '(415) 555-0123' }));
  t.same(await devices('ada'), ['email ada@x.example', `sms ${number}`]);
});

t.test('a push token comes with any call, once, and keeps its state', async (t) => {
  const { one, app, take, devices, read } = await connected();
  const apple: PushToken = { platform: 'apple', token: apnsToken.toUpperCase() };
  await take(track('ada', apple), track('ada', apple), identify('ada', {}, { push: apple }));
  t.same(await devices('ada'), [`apns ${apnsToken}`]);
  const [device] = (await read('ada')).devices;
  await one.value(app, 'device.enable', {
    ref: { externalUserId: 'ada' },
    deviceId: device?.id ?? '',
    enabled: false,
  });
  await take(track('ada', apple), track('ada', { platform: 'apple', token: 'dZ:APA91b' }));
  await take(track('ada', { platform: 'android', token: 'android-token' }));
  t.match((await read('ada')).devices, [
    { channel: 'apns', enabled: false },
    { channel: 'fcm', endpoint: 'dZ:APA91b', enabled: true },
    { channel: 'fcm', endpoint: 'android-token' },
  ]);
  const { errors } = await take(track('ada', { platform: 'apple', token: 'short' }));
  t.match(errors, [{ error: /^context\.device\.token: must be an APNs device token/ }]);
  t.equal(one.product.state.apps.get(app)?.nextEvent, 7, 'the event counts all the same');
});

t.test('opt-outs hold, whenever they came', async (t) => {
  const { one, app, take, read } = await connected();
  const opted = { channel: 'email', address: 'ada@x.example', source: 'api' } as const;
  await one.value(app, 'suppression.add', opted);
  await take(identify('ada', { email: 'ADA@x.example', phone: number }));
  await one.value(app, 'suppression.add', {
    channel: 'voice',
    address: number,
    source: 'callback',
  });
  await take(identify('ada', { email: 'ada@x.example', phone: number }));
  t.match((await read('ada')).devices, [
    { channel: 'email', suppressed: { scope: 'all' } },
    { channel: 'sms', suppressed: { scope: 'all' } },
  ]);
});

t.test('a setting of the integration leaves traits as tags; another key leaves it', async (t) => {
  const { one, app, take, devices } = await connected();
  t.match(await one.value(app, 'integration.list', {}), [{ devicesFromTraits: true }]);
  await one.value(app, 'cdp.configure', { settings: { devicesFromTraits: false } });
  const push: PushToken = { platform: 'android', token: 'token' };
  await take(identify('ada', { email: 'ada@x.example', phone: 'x' }, { push }));
  t.same(await devices('ada'), ['fcm token'], 'a push token is no trait');
  const other = new Uint8Array(32).fill(7);
  await one.value(app, 'cdp.put', { secretHash: other });
  t.match(await one.value(app, 'integration.list', {}), [{ devicesFromTraits: false }]);
  const again = new TestPartition({ store: one.store, clock: one.clock });
  t.match(await again.value(app, 'integration.list', {}), [{ devicesFromTraits: false }]);
  await one.value(app, 'cdp.put', { secretHash, settings: { devicesFromTraits: true } });
  await take(identify('ada', { email: 'ada@x.example' }));
  t.same(await devices('ada'), ['fcm token', 'email ada@x.example']);
  await one.value(app, 'cdp.remove', {});
  const gone = await one.ask(app, 'cdp.configure', { settings: {} });
  t.match(gone, { ok: false, fault: { code: 'not_found' } });
});

t.test('the fifty-first device is that device’s error', async (t) => {
  const { take, devices, upsert } = await connected();
  const many = Array.from({ length: 50 }, (_, nth) => email(`a${nth}@x.example`));
  await upsert('ada', ...many);
  const { errors } = await take(
    identify('ada', { email: 'new@x.example' }, { traits: { plan: 'pro' } }),
  );
  t.match(errors, [{ error: 'traits.email: a subscriber has at most 50 devices' }]);
  t.equal((await devices('ada')).length, 50);
});

t.test('calls about devices give in any parts what they give one by one', async (t) => {
  const user = fc.constantFrom('ada', 'bob', 'eve');
  const contact = fc.record(
    {
      email: fc.constantFrom('a@x.example', 'A@x.example', 'b@x.example', 'x', null),
      phone: fc.constantFrom(number, '+14155550124', null),
    },
    { requiredKeys: [] },
  );
  const push = fc.option(
    fc.constantFrom<PushToken>(
      { platform: 'apple', token: apnsToken },
      { platform: 'android', token: 'one' },
      { platform: 'android', token: 'two' },
    ),
    { nil: undefined },
  );
  const call = fc.oneof(
    fc
      .tuple(user, contact, push)
      .map(([who, some, token]) => identify(who, some, token === undefined ? {} : { push: token })),
    fc.tuple(user, push).map(([who, token]) => track(who, token)),
  );
  const parts = fc.array(fc.array(call, { minLength: 1, maxLength: 8 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(parts, async (requests) => {
      const [whole, single] = [await connected(), await connected()];
      for (const one of [whole, single]) await one.upsert('ada', email('b@x.example'));
      for (const calls of requests) {
        await whole.take(...calls);
        for (const one of calls) await single.take(one);
      }
      t.same(stored(whole), stored(single));
      const again = new TestPartition({ store: whole.one.store, clock: whole.one.clock });
      t.same(stored({ one: again, app: whole.app }), stored(whole), 'also after a restart');
    }),
    { seed: 313, numRuns: tries(60) },
  );
});

/** People with their devices; each device is found by its endpoint, and by no other. */
function stored({ one, app }: { readonly one: TestPartition; readonly app: number }) {
  const documents = new Documents(one.store);
  const people = documents.range(subscribers, app, { limit: 100 }).map(({ value }) => value);
  const own = people.flatMap(({ person, devices }) => devices.map(({ id }) => `${person} ${id}`));
  if (own.toSorted().join() !== indexedDevices(one, app).join())
    throw new Error('devices and endpoints');
  const known = one.product.state.apps.get(app);
  return people.map(({ person, externalUserId, devices, tags }) => ({
    person,
    externalUserId,
    tags,
    known: known?.people.find(externalUserId ?? ''),
    devices: devices.map(({ id: _, ...device }) => device),
  }));
}
