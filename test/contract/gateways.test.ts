// Texts through HTTP gateways, over the API and with the sandbox's stand-in at the other end: a
// recipe, fail-over, reports, replies, and secrets that never come back.

import t from 'tap';
import { client, eventually, until } from '../support/server.ts';
import { chapter } from './chapter.ts';

const one = await chapter(t);
const { api, base, server } = one;
const secrets = {
  apiKey: 'key-of-the-tenant',
  apiSecret: 'secret-of-the-tenant',
  reports: 'token-0',
};

const {
  id: vonage,
  config,
  events,
} = await api.must(`POST ${base}/relays`, {
  ...{ name: 'Vonage', channel: 'sms', kind: 'http', order: 1 },
  config: { recipe: 'vonage', from: 'Shop', credentials: secrets },
});

const inbox = client(server.sandboxUrl);
/** As Vonage's console has it: the address for receipts and for inbound texts. */
await inbox.must('POST /control/gateway/hook', {
  host: 'rest.nexmo.com',
  url: `${events.url}?app=${base.split('/').at(-1)}&token=${secrets.reports}`,
});

async function texted(externalUserId: string, endpoint: string) {
  await api.must(`POST ${base}/subscribers`, {
    externalUserId,
    devices: [{ channel: 'sms', endpoint }],
  });
  const request = { externalUserId, channels: ['sms'], body: `Đơn hàng của ${externalUserId}` };
  const { id } = await api.must(`POST ${base}/notifications`, request);
  const ends = (status: string) =>
    until(
      async () => (await api.must(`GET ${base}/notifications/${id}`)).status === status,
      () => `the text to ${externalUserId} is not ${status}`,
    );
  return { id, ends };
}

const shown = (to: string) =>
  eventually(async () => {
    const { messages } = await inbox.must('GET /control/messages?limit=50');
    return messages.find((message: { to: string }) => message.to === to);
  }, `nothing was sent to ${to}`);

t.test('the recipes are listed with what to enter for each', async (t) => {
  const { items, total } = await api.must('GET /v1/relay-recipes?limit=100');
  t.equal(items.length, total);
  const [listed] = items.filter(({ recipe }: { recipe: string }) => recipe === 'vonage');
  t.same(Object.keys(listed.credentials), Object.keys(secrets));
});

t.test('a recipe fills the configuration, and no answer has a secret', async (t) => {
  t.match(config, { recipe: 'vonage', url: 'https://rest.nexmo.com/sms/json', from: 'Shop' });
  const all = JSON.stringify([
    config,
    await api.must(`GET ${base}/relays`),
    await api.must(`GET ${base}/relays/${vonage}`),
  ]);
  for (const secret of Object.values(secrets)) t.notOk(all.includes(secret), secret);
});

t.test('a text leaves by the gateway and is delivered by its report', async (t) => {
  const { ends } = await texted('lan', '+84901234567');
  await ends('delivered');
  t.match(await shown('84901234567'), { channel: 'gateway', outcome: 'accepted' });
});

t.test('a number that nobody has is disabled, by a report of later', async () => {
  const { ends } = await texted('gone', '+84901230007');
  await ends('bounced');
  await until(
    async () => {
      const { items } = await api.must(`GET ${base}/subscribers?externalUserId=gone`);
      return items[0].devices[0].enabled === false;
    },
    () => 'the device is not disabled',
  );
});

t.test('STOP to the number of the gateway opts the person out', async (t) => {
  const { ends } = await texted('leaver', '+84901239999');
  await ends('delivered');
  const { status } = await inbox.must('POST /control/gateway/inbound', {
    from: '84901239999',
    body: 'STOP',
  });
  t.equal(status, 200);
  const { items } = await api.must(`GET ${base}/suppressions`);
  t.match(
    items.find(({ address }: { address: string }) => address === '+84901239999'),
    { reason: 'stop', source: 'callback' },
  );
});

t.test('a gateway that refuses the account gives way to the next one in order', async (t) => {
  await api.must(`POST ${base}/relays`, {
    ...{ name: 'eSMS', channel: 'sms', kind: 'http', order: 2 },
    config: {
      recipe: 'esms',
      from: 'Shop',
      credentials: { apiKey: 'a', secretKey: 'b', reports: 'c' },
    },
  });
  const credentials = { ...secrets, apiKey: 'revoked' };
  await api.must(`PATCH ${base}/relays/${vonage}`, { config: { credentials } });
  const { ends } = await texted('other', '+84901234444');
  await ends('delivered');
  t.match(await shown('0901234444'), { channel: 'gateway', outcome: 'accepted' });
  const { items } = await api.must(`GET ${base}/relays`);
  const { health } = items.find(({ name }: { name: string }) => name === 'Vonage');
  t.match(health, { state: 'refused', reason: 'unauthenticated' });
  t.notMatch(JSON.stringify(health), /revoked|secret-of/);
});

t.test('a mistake in a configuration names its member', async (t) => {
  const refused = await api.call(`POST ${base}/relays`, {
    ...{ name: 'Wrong', channel: 'sms', kind: 'http' },
    config: { recipe: 'vonage', headers: { 'x-to': '{{ too }}' }, credentials: secrets },
  });
  t.equal(refused.status, 400);
  t.match(refused.json.error, /config\.headers\.x-to.*too.*unknown/);
});
