// Mistakes of gateways and of their descriptions, each unlike the others: what a gateway answers or
// posts, and what a tenant describes, never changes another message, reaches an inner address or
// shows a secret.

import fc from 'fast-check';
import t from 'tap';
import { createOutbound } from '../../../../../actors/channels/outbound/outbound.ts';
import type {
  OutboundCall,
  OutboundResult,
} from '../../../../../actors/channels/outbound/outbound-call.ts';
import type { AdapterContext } from '../../../../../actors/channels/port/adapter.ts';
import { attemptUuid } from '../../../../../actors/channels/port/attempt-uuid.ts';
import type { RelayCall } from '../../../../../actors/channels/port/relay-events.ts';
import { gatewayRequest } from '../../../../../actors/channels/relays/gateway/account.ts';
import { gatewaySchema } from '../../../../../actors/channels/relays/gateway/config.ts';
import { readGatewayReports } from '../../../../../actors/channels/relays/gateway/events.ts';
import { tryGateway } from '../../../../../actors/channels/relays/gateway/try-out.ts';
import { createSms } from '../../../../../actors/channels/sms/adapter.ts';
import { tries } from '../../../../support/tries.ts';
import { withProvider } from '../../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock } from '../../stand-ins.ts';
import {
  aGateway,
  apiKey,
  gatewayConfig,
  openRelay,
  reportToken,
  throughRelay,
} from './gateways.ts';

const number = '+84901234567';
const attempt = { ...anAttempt({ channel: 'sms', endpoint: number }) };
const { sendId, deviceId, appId } = attempt;
const mark = `${sendId}-${deviceId}`;

async function answered(
  t: import('tap').Test,
  body: string,
  config: object = aGateway,
  status = 200,
) {
  const { adapter } = await withProvider(t, throughRelay(openRelay(config)), gatewayConfig, {
    ...{ status, body },
  });
  return adapter.send(attempt, {});
}

t.test('an id beyond 2^53 is kept to its last digit', async (t) => {
  const id = '9007199254740993123';
  const body = `{"message":{"status":"queued","id":${id}}}`;
  t.match(await answered(t, body), { outcome: 'accepted', providerMessageId: id });
});

t.test('a 200 with an error in its body is no acceptance', async (t) => {
  for (const body of [
    '{"message":{"status":"error"}}',
    '{"error":{"code":"no_credit"}}',
    '{"message":null,"error":[]}',
    '{"message":{"status":{"queued":true}}}',
    '[]',
    'null',
    '""',
    '',
    '<html>queued</html>',
  ]) {
    const { outcome } = await answered(t, body);
    t.not(outcome, 'accepted', body);
  }
});

t.test('a huge answer, and one that never closes its braces, is ambiguous', async (t) => {
  t.match(await answered(t, `{"message":{"status":"queued","pad":"${'x'.repeat(1e6)}"}}`), {
    outcome: 'ambiguous',
  });
  t.match(await answered(t, '['.repeat(16_000)), { outcome: 'ambiguous' });
});

t.test('a redirect is not followed, and nobody else gets the secret', async (t) => {
  const { adapter, provider } = await withProvider(t, throughRelay(openRelay()), gatewayConfig, {
    status: 307,
    body: '',
    headers: { location: 'https://elsewhere.example.com/' },
  } as never);
  t.match(await adapter.send(attempt, {}), { outcome: 'config', reason: 'http_307' });
  t.equal(provider.calls.length, 1);
});

t.test('addresses inside the network are refused, however they are written', async (t) => {
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(() => outbound.close(0));
  const clock = fixedClock(acceptedMs);
  const context = { config: gatewayConfig(), outbound, clock } as unknown as AdapterContext;
  const adapter = createSms(context);
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '169.254.169.254',
    '10.1.2.3',
    '100.64.0.1',
    'localhost',
    'user:secret@127.0.0.1',
  ]) {
    const relay = openRelay({ ...aGateway, url: `https://${host}/send` });
    const outcome = await adapter.send(attempt, undefined, undefined, relay);
    t.match(outcome, { outcome: /config|retry/ }, host);
    t.notMatch(JSON.stringify(outcome), /accepted|ambiguous/, host);
  }
});

t.test('no text, sender or secret writes a line into a header', async () => {
  const config = {
    ...aGateway,
    headers: { 'x-from': '{{ from }}', 'x-key': 'a{{ credentials.apiKey }}' },
  };
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (secret) => {
      const relay = openRelay({ ...config, credentials: { apiKey: secret, reports: 'r' } });
      const { request, outcome } = shownOf(relay, 'Hi');
      if (request === undefined) return outcome?.outcome === 'permanent';
      return Object.values(request.headers).every((value) => !/[\r\n\0]/.test(value));
    }),
    { numRuns: tries(100) },
  );
});

t.test('a query keeps every character of a text', async () => {
  const config = { ...aGateway, method: 'GET', query: { text: '{{ text }}', to: '{{ to }}' } };
  const { body: _body, ...asked } = config;
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (text) => {
      const { request } = shownOf(openRelay(asked), text);
      const { searchParams } = new URL(request?.url ?? '');
      return searchParams.get('text') === text && searchParams.get('to') === number;
    }),
    { numRuns: tries(200) },
  );
});

t.test('nothing that is shown or told has a secret, whatever the gateway echoes', async (t) => {
  const key = 'S3cret/+=é"\\key';
  const config = {
    ...aGateway,
    basic: { user: '{{ credentials.apiKey }}', password: 'x' },
    credentials: { apiKey: key, reports: reportToken },
  };
  const { authorization: _gone, ...headers } = aGateway.headers;
  const relay = openRelay({ ...config, headers });
  const echoes = [
    key,
    JSON.stringify({ message: { text: `bad key ${key}`, status: 'x' } }),
    `you sent ${Buffer.from(`${key}:x`).toString('base64')}`,
    `?key=${encodeURIComponent(key)}&token=${reportToken}`,
  ];
  for (const body of echoes) {
    const context = contextOf({ kind: 'answered', status: 401, headers: {}, body, complete: true });
    const result = JSON.stringify(await tryGateway('sms', trialOf('Hi', true), relay, context));
    for (const secret of [
      key,
      JSON.stringify(key).slice(1, -1),
      encodeURIComponent(key),
      reportToken,
    ])
      t.notOk(result.includes(secret), `${secret} in ${result}`);
    t.notOk(result.includes(Buffer.from(key).toString('base64').slice(0, 16)), result);
  }
});

/** A call of a gateway with the token of the relay. */
function callOf(body: string, type = 'application/json', query = ''): RelayCall {
  return {
    body: Buffer.from(body),
    headers: { 'content-type': type },
    query: `app=${appId}&token=${reportToken}${query}`,
    nowMs: acceptedMs,
    fetchText: () => Promise.resolve(undefined),
  };
}

async function itemsOf(call: RelayCall, config: object = aGateway) {
  const told = await readGatewayReports(call, openRelay(config).config);
  return told.state === 'read' ? (told.items ?? []).map(({ item }) => item) : told;
}

t.test('a list of reports is read one by one, and what is none is left out', async (t) => {
  const report = { reference: mark, status: 'delivered', to: '84901234567' };
  const items = await itemsOf(callOf(JSON.stringify([report, null, 7, [report], {}, report])));
  t.match(items, [{ sendId }, { sendId }]);
  t.equal((items as readonly unknown[]).length, 2);
  t.match(await itemsOf(callOf(JSON.stringify({ ...report, status: ['delivered'] }))), []);
});

t.test('a form and a GET say the same as JSON', async (t) => {
  const fields = new URLSearchParams({ reference: mark, status: 'delivered', to: '84901234567' });
  const form = 'application/x-www-form-urlencoded; charset=utf-8';
  const wanted = [{ kind: 'status', sendId, deviceId, news: { kind: 'arrived' } }];
  t.match(await itemsOf(callOf(String(fields), form)), wanted);
  t.match(await itemsOf(callOf('', '', `&${fields}`)), wanted);
  // Its own `?` behind an address that has one.
  t.match(await itemsOf(callOf('', '', `?${fields}`)), wanted);
});

t.test('a report cannot name the message of another app by its mark', async (t) => {
  const other = 'ntf_00009000000000000000000000-dev_00009000000000000000000000';
  const told = await readGatewayReports(
    callOf(JSON.stringify({ reference: other, status: 'delivered' })),
    openRelay().config,
  );
  // It goes to the app that the mark names, which answers only for relays of its own.
  t.match(told, { state: 'read' });
  if (told.state === 'read') t.not(told.items?.[0]?.app, 0);
});

t.test('any bytes with a valid token are read or refused, and never throw', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })),
      fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', ''),
      async (body, type) => {
        const told = await readGatewayReports(callOf(body, type), openRelay().config);
        return told.state === 'read' || told.state === 'refused';
      },
    ),
    { numRuns: tries(200) },
  );
});

t.test('a description with mistakes is refused by its member, and shows no secret', async (t) => {
  for (const [change, path] of [
    [{ price: { currency: 'USD' } }, 'price'],
    [{ price: { currency: 'usd', perSegment: 1 } }, 'price.currency'],
    [{ price: { currency: 'USD', perSegment: -1 } }, 'price.perSegment'],
    [{ price: { currency: 'USD', byCountry: { Vietnam: 1 } } }, 'price.byCountry.Vietnam'],
    [{ headers: { host: 'inner' } }, 'headers.host'],
    [{ headers: { 'x-a': 'a\r\nb: c' } }, 'headers.x-a'],
    [{ url: 'https://user:pass@{{ to }}/' }, 'url'],
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ query: { api_key: 'written-here' } }, 'query.api_key'],
  ] as const) {
    const { error } = gatewaySchema.safeParse({ ...aGateway, ...change });
    const paths = error?.issues.map((issue) => issue.path.join('.')) ?? [];
    t.ok(paths.includes(path), `${path} of ${paths}`);
    t.notOk(JSON.stringify(error?.issues).includes(apiKey));
  }
});

t.test('each try has ids of its own, equal at every attempt of one message', async (t) => {
  t.equal(attemptUuid(sendId, deviceId), attemptUuid(sendId, deviceId));
  t.not(attemptUuid(sendId, deviceId), attemptUuid(sendId, `${deviceId}1`));
});

function trialOf(text: string, isSent: boolean) {
  return { appId, sendId, deviceId, to: number, text, isSent };
}

function contextOf(result: OutboundResult, calls: OutboundCall[] = []): AdapterContext {
  return {
    config: gatewayConfig(),
    clock: fixedClock(acceptedMs),
    outbound: {
      allowPrivateNetworks: false,
      close: () => Promise.resolve(),
      call: (call: OutboundCall) => {
        calls.push(call);
        return Promise.resolve(result);
      },
    },
  };
}

function shownOf(relay: ReturnType<typeof openRelay>, text: string) {
  const context = contextOf({ kind: 'unsent', reason: 'closed' });
  const one = { ...attempt, content: { body: text, options: {} } };
  const made = gatewayRequest(one, { text }, relay, context);
  return 'outcome' in made ? { outcome: made, request: undefined } : { request: made };
}
