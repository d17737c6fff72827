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

const own = {
  url: 'https://gateway.example.com/v1/messages',
  headers: { authorization: 'Bearer {{ credentials.key }}' },
  body: { to: '{{ to }}', text: '{{ text }}', reference: '{{ id }}', notify: '{{ callback_url }}' },
  query: { signed: '{{ text | hmac_sha256: credentials.key }}' },
  answer: {
    id: 'id',
    code: ['status', 'error'],
    words: 'error',
    accepted: { code: ['queued'] },
    meanings: [{ code: ['number'], outcome: 'dead', reason: 'invalid_number' }],
  },
  callbacks: {
    proof: { kind: 'token', secret: 'reports' },
    reports: { mark: 'reference', status: 'status', statuses: [{ means: 'taken' }] },
  },
  credentials: { key: 'the-secret-key-0123', reports: 'the-secret-token-4567' },
};

t.test(
  'a description is tried with a text: shown, sent and judged, without a secret',
  async (t) => {
    const { id } = await api.must(`POST ${base}/relays`, {
      ...{ name: 'Own', channel: 'sms', kind: 'http', order: 9, config: own },
    });
    const asked = `POST ${base}/relays/${id}/try`;
    const shown = await api.must(asked, { to: '+84 90 123 4567', text: 'Chào' });
    t.match(shown, { answer: null, outcome: null, messageId: null });
    t.match(shown.request, {
      method: 'POST',
      url: /^https:\/\/gateway\.example\.com\/v1\/messages\?signed=[0-9a-f]{64}$/,
      headers: { authorization: 'Bearer *key*', 'content-type': 'application/json' },
    });
    const body = JSON.parse(shown.request.body);
    t.match(body, { to: '+84901234567', text: 'Chào', notify: /token=\*reports\*/ });
    const sent = await api.must(asked, { to: '+84901234571', send: true });
    t.match(sent, { outcome: 'accepted', answer: { status: 202 }, messageId: /./, reason: null });
    const { messages } = await inbox.must('GET /control/messages?limit=50');
    const arrived = messages.filter((one: object) => JSON.stringify(one).includes('+84901234571'));
    t.equal(arrived.length, 1);
    t.match(await api.must(asked, { to: '+84901230001', send: true }), {
      ...{ outcome: 'dead', reason: 'invalid_number', answer: { status: 400 } },
    });
    const change = { answer: { ...own.answer, meanings: [] } };
    const changed = await api.must(asked, { to: '+84901230001', send: true, config: change });
    t.match(changed, { outcome: 'permanent', reason: 'code_number' });
    t.match((await api.must(`GET ${base}/relays/${id}`)).config.answer.meanings, [{}], 'not saved');
    const all = JSON.stringify([shown, sent, changed]);
    for (const secret of Object.values(own.credentials)) t.notOk(all.includes(secret), secret);
    const shared = await api.must('POST /v1/org/relays', {
      ...{ name: 'Shared', channel: 'sms', kind: 'http', order: 9, config: own },
    });
    const tried = await api.must(`POST /v1/org/relays/${shared.id}/try`, { to: '+84901234567' });
    t.match(tried, { answer: null, request: { method: 'POST', headers: shown.request.headers } });
    await api.must(`DELETE /v1/org/relays/${shared.id}`);
    const wrong = await api.call(asked, { to: '0901234567' });
    t.equal(wrong.status, 400);
    t.match(wrong.json, { field: 'to' });
    const member = await api.call(asked, { to: '+84901234567', config: { url: 'nowhere' } });
    t.match(member, { status: 400, json: { field: 'config.url' } });
  },
);

t.test(
  'a recipe is taken anew, secrets change one by one, and null removes a member',
  async (t) => {
    const { id } = await api.must(`POST ${base}/relays`, {
      ...{ name: 'Anew', channel: 'sms', kind: 'http', order: 10 },
      config: {
        ...{ recipe: 'esms', from: 'Shop', segmentsMax: 2, url: 'https://proxy.example.com/' },
        ...{ price: { currency: 'VND', byCountry: { VN: 800 } } },
        credentials: { apiKey: 'a', secretKey: 'b', reports: 'c' },
      },
    });
    const at = `PATCH ${base}/relays/${id}`;
    const { config: less } = await api.must(at, { config: { segmentsMax: null } });
    t.notOk('segmentsMax' in less);
    t.match(less, { url: 'https://proxy.example.com/' });
    // The others stay, or the schema would miss them.
    await api.must(at, { config: { credentials: { apiKey: 'another' } } });
    const { config: anew } = await api.must(at, { config: { recipe: 'esms' } });
    t.match(anew, { url: /^https:\/\/rest\.esms\.vn/, from: 'Shop', price: { currency: 'VND' } });
    const other = await api.must(at, {
      config: { recipe: 'speedsms', credentials: { accessToken: 't', apiKey: null } },
    });
    t.match(other.config, { url: /speedsms/, from: 'Shop' });
    t.notOk('encoding' in other.config, 'nothing of the other recipe is left');
    const none = await api.call(at, { config: { price: { currency: 'VND' } } });
    t.match(none, { status: 400, json: { field: 'config.price' } });
  },
);

t.test(
  'a call leaves by a gateway of the channel voice, and is delivered by its report',
  async (t) => {
    const credentials = { apiKey: 'voice-key-of-the-tenant', reports: 'voice-token' };
    const body = { name: 'Calls', channel: 'voice', kind: 'http' };
    const recipe = { recipe: 'infobip-voice', from: '842873000000', credentials };
    const wrong = await api.call(`POST ${base}/relays`, {
      ...body,
      channel: 'sms',
      config: recipe,
    });
    t.match(wrong, { status: 400, json: { field: 'config.recipe' } });
    const relay = await api.must(`POST ${base}/relays`, { ...body, config: recipe });
    t.match(relay, { channel: 'voice', order: 1, events: { url: /webhooks\/relay/ } });
    const change = { config: { recipe: 'messagebird', credentials: { accessKey: 'k' } } };
    const other = await api.call(`PATCH ${base}/relays/${relay.id}`, change);
    t.match(other, { status: 400, json: { field: 'config.recipe' } });
    const { items: recipes } = await api.must('GET /v1/relay-recipes?limit=100');
    t.match(
      recipes.find((one: { recipe: string }) => one.recipe === 'infobip-voice'),
      { channel: 'voice' },
    );
    await api.must(`POST ${base}/subscribers`, {
      ...{ externalUserId: 'caller', language: 'vi' },
      devices: [{ channel: 'voice', endpoint: '+84901235555' }],
    });
    const request = {
      externalUserId: 'caller',
      channels: ['voice'],
      title: 'Hi',
      body: 'A parcel.',
    };
    const { id } = await api.must(`POST ${base}/notifications`, request);
    const read = () => api.must(`GET ${base}/notifications/${id}`);
    await until(
      async () => (await read()).status === 'delivered',
      () => 'the call is not delivered',
    );
    t.match((await read()).outcomes, [{ channel: 'voice', relay: relay.id, relayName: 'Calls' }]);
    t.match(await shown('84901235555'), { channel: 'gateway', look: 'call', outcome: 'accepted' });
    await until(
      async () => (await api.must(`GET ${base}/relays/${relay.id}`)).events.since !== null,
      () => 'the gateway has not reported',
    );
    const tried = await api.must(`POST ${base}/relays/${relay.id}/try`, { to: '+84901235556' });
    t.match(tried.request, { url: 'https://api.infobip.com/tts/3/advanced' });
  },
);

t.test('the cost of a campaign is read for a dry run', async (t) => {
  const { items } = await api.must(`GET ${base}/relays`);
  const [first] = items.filter(({ name }: { name: string }) => name === 'Vonage');
  const price = { currency: 'USD', perSegment: 0.05 };
  await api.must(`PATCH ${base}/relays/${first.id}`, { config: { price } });
  const { id: messageId } = await api.must(`POST ${base}/messages`, { body: 'Hi' });
  const { id } = await api.must(`POST ${base}/campaigns`, {
    ...{ name: 'Texts', messageId, channels: ['sms'] },
    filter: { tag: 'unknown', exists: false },
  });
  const { dryRunId, wouldSend } = await api.must(`POST ${base}/campaigns/${id}/dry-run`);
  t.ok(wouldSend > 0);
  const cost = await api.must(`GET ${base}/campaigns/${id}/dry-run/${dryRunId}/cost`);
  t.match(cost, {
    ...{
      relay: { name: 'Vonage' },
      pricesOf: 'relay',
      currency: 'USD',
      isEstimate: false,
      fallback: null,
    },
    primary: { texts: wouldSend, segments: wouldSend, countries: [{ country: 'VN' }] },
  });
  t.equal(cost.primary.total, Math.round(wouldSend * 50) / 1000);
  const textPrices = { currency: 'EUR', byCountry: { VN: 0.5 } };
  await api.must(`PATCH ${base}/settings`, { textPrices });
  t.match((await api.must(`GET ${base}/settings`)).textPrices, textPrices);
  await api.must(`PATCH ${base}/relays/${first.id}`, { config: { price: null } });
  const own = await api.must(`GET ${base}/campaigns/${id}/dry-run/${dryRunId}/cost`);
  t.match(own, { pricesOf: 'app', currency: 'EUR', relay: { name: 'Vonage' } });
  t.equal(own.primary.total, wouldSend * 0.5);
  for (const [wrong, field] of [
    [{ currency: 'dollars', perSegment: 1 }, 'textPrices.currency'],
    [{ currency: 'EUR' }, 'textPrices'],
    [{ currency: 'EUR', byCountry: { VN: -1 } }, 'textPrices.byCountry.VN'],
  ] as const) {
    const refused = await api.call(`PATCH ${base}/settings`, { textPrices: wrong });
    t.match(refused, { status: 400, json: { field } });
  }
  const unknown = await api.call(`GET ${base}/campaigns/${id}/dry-run/dry_x/cost`);
  t.equal(unknown.status, 404);
});
