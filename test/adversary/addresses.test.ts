// Taking, silencing and squatting addresses: a stranger registers or removes an email address or a
// number that is someone else's.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import type { Reply } from '../support/server.ts';
import { stranger, victim } from './stranger.ts';

const all = await victim(t);
const { api, app, base } = all;
const { secret } = await api.must(`POST ${base}/identity-secret`);
await api.must(`PATCH ${base}/settings`, { identityVerification: 'first-use' });

let address = 100;
const sdk = (line: string, body: object): Promise<Reply> =>
  stranger(all, address++).call(`POST /v1/sdk/${line}`, { appId: app, ...body });
interface Login {
  readonly subscriberId: string;
  readonly clientToken: string;
}
const login = async (body: object = {}): Promise<Login> => (await sdk('subscriber', body)).json;
const proven = (externalUserId: string) =>
  login({
    externalUserId,
    identityHash: createHmac('sha256', secret).update(externalUserId).digest('hex'),
  });
const email = (endpoint: string) => ({ channel: 'email', endpoint });
const register = ({ clientToken }: Login, device: object) =>
  sdk('register', { clientToken, ...device });
const devicesOf = async (id: string) =>
  (await api.must(`GET ${base}/subscribers/${id}`)).devices as {
    id: string;
    endpoint: string;
    enabled: boolean;
  }[];
const refused = { status: 403, json: { code: 'identity_required' } };

t.test('an address that the tenant registered stays where it is', async (t) => {
  const named = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'vera',
    devices: [email('vera@example.com'), { channel: 'sms', endpoint: '+14155550100' }],
  });
  const nameless = await api.must(`POST ${base}/subscribers`, {
    devices: [email('nameless@example.com'), { channel: 'telegram', endpoint: '424242' }],
  });
  const before = [await devicesOf(named.id), await devicesOf(nameless.id)];
  const takers = [await login(), await login({ externalUserId: 'thief' }), await proven('honest')];
  for (const taker of takers)
    for (const device of [
      email('vera@example.com'),
      { channel: 'sms', endpoint: '+14155550100' },
      email('nameless@example.com'),
      { channel: 'telegram', endpoint: '424242' },
    ])
      t.match(await register(taker, device), refused, JSON.stringify(device));
  t.same([await devicesOf(named.id), await devicesOf(nameless.id)], before);
});

t.test('nor does its person’s own token silence it', async (t) => {
  const own = await proven('carl');
  await api.must(`POST ${base}/subscribers/external:carl/devices`, email('carl@example.com'));
  const [device] = await devicesOf('external:carl');
  const deviceId = device?.id;
  t.match(await sdk('unregister', { ...own, deviceId }), refused);
  const off = { ...email('carl@example.com'), enabled: false };
  t.match(await register(own, off), { ...refused, json: { field: 'enabled' } });
  t.match((await register(own, email('carl@example.com'))).json, { deviceId });
  await api.must(`PATCH ${base}/subscribers/external:carl/devices/${deviceId}`, { enabled: false });
  await register(own, email('carl@example.com'));
  t.match(await devicesOf('external:carl'), [{ enabled: false }], 'nor does it wake one');
  const gone = await api.call(`DELETE ${base}/subscribers/external:carl/devices/${deviceId}`);
  t.equal(gone.status, 204, 'a key may');
});

t.test('a squatted address yields to a proven session, and to a key', async (t) => {
  const squatter = await login({ externalUserId: 'squatter' });
  for (const name of ['owner', 'other', 'third'])
    t.equal((await register(squatter, email(`${name}@example.com`))).status, 200);
  const owner = await proven('owner');
  t.equal((await register(owner, email('owner@example.com'))).status, 200);
  t.match(await devicesOf('external:owner'), [{ endpoint: 'owner@example.com' }]);
  t.match(await register(squatter, email('owner@example.com')), refused, 'it cannot take it back');
  const another = await proven('another');
  t.match(await register(another, email('owner@example.com')), refused, 'nor can another proven');
  const claimed = await login({ externalUserId: 'claimed' });
  t.match(await register(claimed, email('other@example.com')), refused, 'without proof');
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'by-key',
    devices: [email('third@example.com')],
  });
  t.match(await register(squatter, email('third@example.com')), refused);
  t.match(await devicesOf('external:squatter'), [{ endpoint: 'other@example.com' }]);
});

t.test('what a client registered it may remove, and who it is survives kill -9', async () => {
  const own = await login({ externalUserId: 'self' });
  const { deviceId } = (await register(own, email('self@example.com'))).json;
  afterKill(all.server, 'an address is whose it was', async (t) => {
    t.match(await register(await login(), email('vera@example.com')), refused);
    t.equal((await sdk('unregister', { ...own, deviceId })).status, 204);
    t.same(await devicesOf('external:self'), []);
    const phone = { channel: 'fcm', endpoint: 'phone-by-key-1' };
    const { id } = await api.must(`POST ${base}/subscribers/external:self/devices`, phone);
    t.equal(
      (await sdk('unregister', { ...own, deviceId: id })).status,
      204,
      'a push token is theirs',
    );
  });
});
