// Integrations at the edge: what connects one is judged before an actor is asked, the catalog
// says by what, and a test of one waits no longer than it says.

import t from 'tap';
import { z } from 'zod';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { fakeFront } from './fake-front.ts';

const base = `/v1/apps/${exampleIds.app}/integrations`;
const url = 'https://hooks.acme.example/engage';
const events = ['*'];

const destination = {
  type: 'webhook',
  enabled: true,
  disabledReason: null,
  events,
  concurrency: 16,
  health: 'ok',
  pending: 0,
  createdMs: 0,
  updatedMs: 0,
};
const saving = (environment?: Record<string, string>) =>
  fakeFront(() => ({ destination, created: true, isSecretFresh: false }), environment);
const connected = () => {
  const integration = { type: 'cdp', enabled: true, createdMs: 0, updatedMs: 0 };
  return fakeFront(() => ({ integration, created: true }));
};
const inputOf = (front: ReturnType<typeof fakeFront>) =>
  front.asked.at(-1)?.message['input'] as Record<string, unknown>;

t.test('numbers of a webhook: at, below and above their bounds', async (t) => {
  const put = async (type: string, body: object) => {
    const front = saving();
    const got = await front.call(`PUT ${base}/${type}`, { body: { url, events, ...body } });
    return [got.status, (got.json as { field?: string }).field ?? inputOf(front)];
  };
  t.match(await put('webhook', {}), [201, { concurrency: 16, headers: {}, enabled: true }]);
  t.match(await put('webhook', { concurrency: 1 }), [201, { concurrency: 1 }]);
  t.match(await put('webhook', { concurrency: 64 }), [201, { concurrency: 64 }]);
  for (const concurrency of [0, 65, 1.5, '4'])
    t.same(await put('webhook', { concurrency }), [400, 'concurrency']);
  const name = (length: number) => `webhook-${'x'.repeat(length)}`;
  t.match(await put(name(1), {}), [201]);
  t.match(await put(name(32), {}), [201]);
  t.same(await put(name(33), {}), [400, 'type']);
  t.same(await put(name(0), {}), [400, 'type']);
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-own-${i}`, 'v']));
  t.match(await put('webhook', { headers: headers(5) }), [201, { headers: headers(5) }]);
  t.same(await put('webhook', { headers: headers(6) }), [400, 'headers']);
  t.same(await put('webhook', { headers: { 'X-Own': 'a', 'x-own': 'b' } }), [400, 'headers']);
  t.match(await put('webhook', { headers: { 'X-Own': 'a' } }), [
    201,
    { headers: { 'x-own': 'a' } },
  ]);
});

t.test('in live mode the address of a webhook or chat workspace is public', async (t) => {
  const live = { ENGAGE_MODE: 'live' };
  const put = async (type: string, url: string, environment: Record<string, string>) => {
    const body = type === 'slack' ? { url } : { url, events };
    const front = saving(environment);
    const got = await front.call(`PUT ${base}/${type}`, { body });
    if (got.status === 400) {
      t.match(got.json, { code: 'invalid', field: 'url' }, url);
      t.same(front.asked, [], 'no actor is asked');
    }
    return got.status;
  };
  for (const type of ['webhook', 'webhook-b', 'slack']) {
    t.equal(await put(type, 'https://hooks.slack.com/services/T/B/x', live), 201);
    for (const url of [
      'http://example.com/hook',
      'https://example.com:9000/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://192.168.1.5/',
      'https://169.254.169.254/',
      'https://localhost/',
    ]) {
      t.equal(await put(type, url, live), 400, `${type} ${url}`);
      t.equal(await put(type, url, { ...live, ENGAGE_ALLOW_PRIVATE_NETWORKS: '1' }), 201, url);
    }
  }
});

t.test('the catalog describes what each PUT takes', async (t) => {
  const got = await fakeFront().call('GET /v1/integrations');
  const { items } = got.json as { items: { type: string; configSchema: object }[] };
  t.same(
    items.map(({ type }) => type),
    ['cdp', 'slack', 'webhook'],
  );
  const schemas = Object.fromEntries(items.map(({ type, configSchema }) => [type, configSchema]));
  t.match(schemas, {
    cdp: { type: 'object', properties: {} },
    slack: { required: ['url'], properties: { url: { type: 'string' }, enabled: Object } },
    webhook: {
      required: ['url', 'events'],
      properties: { concurrency: { minimum: 1, maximum: 64, default: 16 }, secret: Object },
    },
  });
  for (const [type, body] of [
    ['slack', {}],
    ['slack', { url }],
    ['slack', { url: 7 }],
    ['slack', { url, enabled: 'no' }],
    ['webhook', { url }],
    ['webhook', { url, events }],
    ['webhook', { url, events: [] }],
    ['webhook', { url, events: ['sms'] }],
    ['webhook', { url, events, concurrency: 0 }],
    ['webhook', { url, events, concurrency: 65 }],
    ['webhook', { url, events, headers: { 'x-own': 5 } }],
    ['cdp', {}],
    ['cdp', []],
  ] as const) {
    const described = z.fromJSONSchema(schemas[type] as z.core.JSONSchema.JSONSchema);
    const front = type === 'cdp' ? connected() : saving();
    const { status } = await front.call(`PUT ${base}/${type}`, { body });
    t.equal(
      described.safeParse(body).success,
      status !== 400,
      `${type} ${JSON.stringify(body)}: ${status}`,
    );
  }
});

t.test('a customer data platform is connected without a body', async (t) => {
  t.equal((await connected().call(`PUT ${base}/cdp`)).status, 201);
});

t.test('a test waits for the first attempt, and ten seconds at most', async (t) => {
  for (const [hangs, status, reads] of [
    [false, 'delivered', 3],
    [true, 'pending', 5],
  ] as const) {
    let asked = 0;
    const front = fakeFront((message) => {
      if (message.kind === 'destination.test') return { id: exampleIds.webhookDelivery };
      asked++;
      passedMs += 2_000;
      const state = !hangs && asked === 3 ? 'delivered' : 'pending';
      return { delivery: { ...delivery, state } };
    });
    let passedMs = 0;
    Object.assign(front.edge.clock, { monotonic: () => passedMs });
    const got = await front.call(`POST ${base}/webhook/test`);
    t.match([got.status, got.json], [200, { status, event: 'webhook.test' }]);
    t.equal(asked, reads, `${passedMs} ms have passed`);
  }
});

const delivery = {
  id: exampleIds.webhookDelivery,
  type: 'webhook',
  event: 'webhook.test',
  attempts: 0,
  createdMs: 0,
};
