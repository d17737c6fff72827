// The stand-in of HTTP gateways: every recipe sends through it, its refusals mean what they should,
// and what it reports is read as it was meant. The inbox shows the texts.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { readMailMark } from '../../actors/channels/email/mail-mark.ts';
import type { OpenRelay } from '../../actors/channels/port/open-relay.ts';
import type { RelayCall } from '../../actors/channels/port/relay-events.ts';
import { readGatewayReports } from '../../actors/channels/relays/gateway/events.ts';
import { http } from '../../actors/channels/relays/gateway/kind.ts';
import { gatewayRecipes } from '../../actors/channels/relays/gateway/recipes/recipes.ts';
import { createVoice } from '../../actors/channels/voice/adapter.ts';
import { adapterAt } from '../actors/channels/http-rig.ts';
import {
  aGateway,
  gatewayConfig,
  throughRelay,
} from '../actors/channels/relays/gateway/gateways.ts';
import { anAttempt } from '../actors/channels/stand-ins.ts';
import { withSandbox } from './with-sandbox.ts';

type Heard = RelayCall & { readonly path: string };

/** A product that takes reports: the first `wanted` of them. */
async function listener(t: Test) {
  const calls: Heard[] = [];
  let heard: () => void = () => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [path = '', ...query] = (request.url ?? '').split('?');
      const headers = request.headers as RelayCall['headers'];
      const body = Buffer.concat(chunks);
      const fetchText = () => Promise.resolve(undefined);
      calls.push({ path, body, headers, query: query.join('?'), nowMs: Date.now(), fetchText });
      response.end();
      heard();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const until = async (count: number) => {
    while (calls.length < count) await new Promise<void>((resolve) => (heard = resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, until };
}

function relayOf(config: object): OpenRelay {
  const open = http.configSchema.parse(config);
  return { id: 'rel_1', kind: 'http', config: open, fingerprint: JSON.stringify(config) };
}

const plain = {
  ...aGateway,
  answer: {
    id: 'id',
    code: ['status', 'error'],
    accepted: { code: ['queued'] },
    meanings: [
      { code: ['number'], outcome: 'permanent', reason: 'invalid_number' },
      { code: ['credit'], outcome: 'config', reason: 'balance_used_up' },
      { code: ['key'], outcome: 'config', reason: 'unauthenticated' },
      { code: ['throttled'], outcome: 'rate', reason: 'throttled' },
    ],
  },
};

const subjects: readonly (readonly [name: string, config: object])[] = [
  ...Object.entries(gatewayRecipes).flatMap(([recipe, { credentials, channel }]) => {
    if (channel === 'voice') return [];
    const secrets = Object.fromEntries(Object.keys(credentials).map((name) => [name, `a-${name}`]));
    return [[recipe, { recipe, from: 'Shop', credentials: secrets }] as const];
  }),
  ['plain', plain],
];

for (const [name, config] of subjects) {
  t.test(`${name}: sent, refused, reported, and answered by its reader`, async (t) => {
    const product = await listener(t);
    const sandbox = await withSandbox(t);
    const relay = relayOf(config);
    const operator = { mode: 'sandbox', publicUrl: product.url } as const;
    const { adapter } = adapterAt(
      t,
      throughRelay(relay),
      gatewayConfig(sandbox.providerUrls['GATEWAY'], operator),
    );
    const host = new URL(String(relay.config['url'])).host;
    const attempt = (ending: string) => ({
      ...anAttempt({ channel: 'sms', endpoint: `+8490123${ending}` }),
      content: { body: 'Đơn hàng đã gửi', options: {} },
    });
    const address = `${product.url}/v1/webhooks/relay/rel_1?app=${attempt('').appId}&token=a-reports`;
    await sandbox.call('POST', '/control/gateway/hook', { host, url: address });

    for (const [ending, outcome, reason] of [
      ['0001', 'permanent', undefined],
      ['0002', 'config', 'balance_used_up'],
      ['0003', 'config', undefined],
      ['0006', 'retry', 'unavailable'],
      ['0008', 'ambiguous', 'connection_lost'],
    ] as const) {
      const told = await adapter.send(attempt(ending), {});
      t.match(told, { outcome, ...(reason === undefined ? {} : { reason }) }, `${name} ${ending}`);
    }
    t.equal(product.calls.length, 0, 'nothing refused is reported');

    const isHeard = 'callbacks' in relay.config && relay.config['callbacks'] !== undefined;
    const sent = await adapter.send(attempt('4567'), {});
    t.match(sent, { outcome: 'accepted', providerMessageId: String });
    const [shown] = await sandbox.messages();
    t.match(shown, { look: 'phone', outcome: 'accepted' });
    const { json } = await sandbox.call('GET', `/control/messages/${shown?.id}`);
    t.match(JSON.stringify(json), /Đơn hàng đã gửi/);
    if (!isHeard) return;
    await product.until(2);
    const read = await Promise.all(
      product.calls.map((call) => readGatewayReports(call, relay.config)),
    );
    const news = read.flatMap((one) => (one.state === 'read' ? (one.items ?? []) : []));
    t.match(
      news.map(({ item }) => item),
      [
        { kind: 'status', news: { kind: 'taken' } },
        { kind: 'status', news: { kind: 'arrived' } },
      ],
    );
    for (const { item, app } of news) {
      const named = 'sendId' in item ? item.sendId : 'name' in item ? item.name : '';
      t.ok(
        named === attempt('').sendId ||
          named === ('providerMessageId' in sent && sent.providerMessageId),
      );
      t.equal(app, readMailMark(`${attempt('').sendId}-${attempt('').deviceId}`)?.app);
    }
    for (const [ending, reason] of [
      ['0007', 'invalid_number'],
      ['0014', 'handset_unreachable'],
    ]) {
      const before = product.calls.length;
      await adapter.send(attempt(String(ending)), {});
      await product.until(before + 2);
      const last = await readGatewayReports(product.calls.at(-1) as Heard, relay.config);
      const item = last.state === 'read' ? last.items?.[0]?.item : undefined;
      t.match(item, { kind: 'status', news: { kind: 'failed' } }, `${name}: ${reason}`);
    }
  });
}

t.test('a call is shown as one, and its reports come', async (t) => {
  const product = await listener(t);
  const sandbox = await withSandbox(t);
  const credentials = { apiKey: 'a-key', reports: 'a-reports' };
  const relay = relayOf({ recipe: 'infobip-voice', from: '842873000000', credentials });
  const operator = { mode: 'sandbox', publicUrl: product.url } as const;
  const config = gatewayConfig(sandbox.providerUrls['GATEWAY'], operator);
  const { adapter } = adapterAt(t, createVoice, config);
  const content = { title: 'Parcel', body: 'Đơn hàng đã gửi', options: {} };
  const call = async (ending: string) => {
    const to = anAttempt({ channel: 'voice', endpoint: `+8490123${ending}`, language: 'vi' });
    return adapter.send({ ...to, content }, undefined, undefined, relay);
  };
  t.match(await call('4567'), { outcome: 'accepted', providerMessageId: String });
  const [shown] = await sandbox.messages();
  t.match(shown, { look: 'call', outcome: 'accepted' });
  const { json } = await sandbox.call('GET', `/control/messages/${shown?.id}`);
  t.match(JSON.stringify(json), '"said":["Parcel. Đơn hàng đã gửi"]');
  await call('0007');
  await call('0014');
  await product.until(6);
  const read = await Promise.all(product.calls.map((one) => readGatewayReports(one, relay.config)));
  const news = read.flatMap((one) => (one.state === 'read' ? (one.items ?? []) : []));
  const reasons = news.flatMap(({ item }) => ('news' in item ? [item.news] : []));
  t.same(reasons.filter(({ kind }) => kind === 'arrived').length, 1);
  t.same(reasons.flatMap((one) => ('reason' in one ? [one.reason] : [])).sort(), [
    'invalid_number',
    'no_answer',
  ]);
  t.match(await call('0002'), { outcome: 'config', reason: 'balance_used_up' });
});

const asked = {
  ...plain,
  callbacks: undefined,
  polling: {
    url: 'https://gateway.example.com/v2/messages/{{ message_id }}',
    headers: { authorization: 'Bearer {{ credentials.apiKey }}' },
    answer: {
      ...{ status: 'status', error: 'error' },
      statuses: [
        { status: ['delivered'], means: 'arrived' },
        { status: ['failed'], error: ['gone'], means: 'dead', reason: 'invalid_number' },
        { status: ['failed'], means: 'failed' },
      ],
    },
  },
};

for (const [name, config] of [
  ['zenziva', { recipe: 'zenziva', credentials: { userKey: 'a', passKey: 'b' } }],
  ['one of its own', asked],
] as const)
  t.test(`${name}: tells what became of a text when it is asked`, async (t) => {
    const sandbox = await withSandbox(t);
    const relay = relayOf(config);
    const operator = gatewayConfig(sandbox.providerUrls['GATEWAY'], { mode: 'sandbox' });
    const { adapter } = adapterAt(t, throughRelay(relay), operator);
    const attempt = anAttempt({ channel: 'sms', endpoint: '' });
    const told = async (name?: string) => {
      const { sendId, deviceId } = attempt;
      const messages = [{ sendId, deviceId, dueMs: 0, ...(name === undefined ? {} : { name }) }];
      const query = { sinceMs: 0, untilMs: 0, startKey: null, asked: { relay, messages } };
      const answer = await adapter.results?.(query, undefined);
      return answer?.state === 'told' ? (answer.told[0]?.news ?? 'nothing') : answer;
    };
    for (const [ending, news] of [
      ['4567', { kind: 'arrived' }],
      ['0007', { kind: 'failed' }],
      ['0014', { kind: 'failed', effect: 'none' }],
      ['0019', 'nothing'],
    ] as const) {
      const sent = await adapter.send({ ...attempt, endpoint: `+628123${ending}` }, {});
      if (sent.outcome !== 'accepted') throw new Error(`${ending} was not accepted`);
      t.match(await told(sent.providerMessageId), news, ending);
    }
    t.equal(await told('unknown'), 'nothing');
  });

t.test('a forged report, a reply, and every number of the page', async (t) => {
  const product = await listener(t);
  const sandbox = await withSandbox(t);
  const relay = relayOf(plain);
  const operator = { mode: 'sandbox', publicUrl: product.url } as const;
  const config = gatewayConfig(sandbox.providerUrls['GATEWAY'], operator);
  const { adapter } = adapterAt(t, throughRelay(relay), config);
  const to = '+84901230015';
  await adapter.send({ ...anAttempt({ channel: 'sms', endpoint: to }) }, {});
  await product.until(2);
  for (const call of product.calls)
    t.same(await readGatewayReports(call, relay.config), { state: 'refused', reason: 'signature' });
  const replied = await sandbox.call('POST', '/control/gateway/inbound', {
    from: to,
    body: 'DỪNG',
  });
  t.equal(replied.status, 200);
  const told = await readGatewayReports(product.calls.at(-1) as Heard, relay.config);
  t.match(told, { items: [{ item: { kind: 'inbound', from: to } }] });
  t.equal(
    (await sandbox.call('POST', '/control/gateway/inbound', { from: '+1', body: 'x' })).status,
    404,
  );
});
