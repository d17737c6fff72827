// Texts through a gateway: the conformance suite of all adapters, the request as exact bytes, what
// answers mean, and what keeps a tenant's address from reaching further than the internet.

import t from 'tap';
import { createOutbound } from '../../../../../actors/channels/outbound/outbound.ts';
import type { Attempt } from '../../../../../actors/channels/port/attempt.ts';
import { attemptUuid } from '../../../../../actors/channels/port/attempt-uuid.ts';
import { openGatewayAccount } from '../../../../../actors/channels/relays/gateway/account.ts';
import { createSms } from '../../../../../actors/channels/sms/adapter.ts';
import { type ChannelSubject, channelConformance } from '../../../../conformance/channel.ts';
import { adapterAt, openHttp, withProvider } from '../../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock, type HttpBehavior } from '../../stand-ins.ts';
import {
  aGateway,
  apiKey,
  gatewayConfig,
  openRelay,
  reportToken,
  throughRelay,
} from './gateways.ts';

const number = '+84901234567';
const text = (over: Partial<Attempt['content']> = {}): Attempt => ({
  ...anAttempt({ channel: 'sms', endpoint: number }),
  content: { body: 'It has shipped.', options: {}, ...over },
});

const accept: HttpBehavior = said(202, { message: { id: 9_007_199_254, status: 'queued' } });

function said(status: number, body: object, headers: Record<string, string> = {}): HttpBehavior {
  return { status, headers, body: JSON.stringify(body) };
}

function error(status: number, code: string, words = 'no'): HttpBehavior {
  return said(status, { error: { code, text: words } });
}

const behaviors: Record<string, HttpBehavior> = {
  accept,
  hang: 'hang',
  cut: 'cut',
  'a number of nobody': error(400, 'unknown_number'),
  'a person who left': error(400, 'blocked'),
  'no credit': error(402, 'no_credit'),
  'a suspended account': error(200, 'suspended_by_owner'),
  'a slower pace': error(200, 'slow'),
  'a gateway that is busy': error(200, 'busy'),
  'a status of its own': error(422, 'whatever'),
  'an unknown code': error(400, 'E-17 x'),
  'an unknown code beneath a 200': error(200, 'strange'),
  'an unknown code beneath a 502': error(502, 'strange'),
  'a page of somebody else': { status: 200, body: '<html>' },
  'a yes that was cut': { status: 200, body: '{"message":{"status":"que' },
  'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  'a wrong key': { status: 401 },
  'a key without rights': { status: 403 },
  'a wrong path': { status: 404 },
  'an empty account': { status: 402 },
  'too many': { status: 429 },
  'trouble of its own': { status: 500 },
  'seconds to wait': { status: 429, headers: { 'retry-after': '7' } },
  'a date to wait for': {
    status: 503,
    headers: { 'retry-after': new Date(acceptedMs + 90_000).toUTCString() },
  },
  'a day to wait': { status: 429, headers: { 'retry-after': '86400' } },
  'a wait by its rule': error(200, 'slow'),
  echo: error(400, 'x', `no: ${number} ${apiKey} ${reportToken} a@example.com`),
};

const subject: ChannelSubject = {
  name: 'sms',
  attempt: () => text(),
  open: openHttp({
    create: throughRelay(openRelay()),
    config: (url) => gatewayConfig(url),
    credentials: {},
    accept,
    behaviors,
    lateBody: JSON.stringify({ message: { id: '1', status: 'queued' } }),
  }),
  outcomes: {
    'a number of nobody': { outcome: 'dead', reason: 'invalid_number' },
    'a person who left': { outcome: 'opted_out', reason: 'opted_out' },
    'no credit': { outcome: 'config', reason: 'balance_used_up' },
    'a suspended account': { outcome: 'config', reason: 'balance_used_up' },
    'a slower pace': { outcome: 'rate', reason: 'throttled' },
    'a gateway that is busy': { outcome: 'retry', reason: 'unavailable' },
    'a status of its own': { outcome: 'permanent', reason: 'content_refused' },
    'an unknown code': { outcome: 'permanent', reason: 'code_e_17_x' },
    'an unknown code beneath a 200': { outcome: 'permanent', reason: 'code_strange' },
    'an unknown code beneath a 502': { outcome: 'retry', reason: 'http_502' },
    'a page of somebody else': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'a yes that was cut': { outcome: 'ambiguous', reason: 'answer_unreadable' },
    'a redirect': { outcome: 'config', reason: 'http_302' },
    'a wrong key': { outcome: 'config', reason: 'unauthenticated' },
    'a key without rights': { outcome: 'config', reason: 'permission_denied' },
    'a wrong path': { outcome: 'config', reason: 'account_not_found' },
    'an empty account': { outcome: 'config', reason: 'balance_used_up' },
    'too many': { outcome: 'rate', reason: 'throttled' },
    'trouble of its own': { outcome: 'retry', reason: 'http_500' },
  },
  tooLarge: () => text({ body: 'x'.repeat(1_601) }),
  tooLargeReason: 'text_too_long',
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'a wait by its rule': 20_000,
  },
  secrets: [number, apiKey, reportToken, 'a@example.com'],
};

await channelConformance(t, subject);

t.test('the request is the layout with the values of the message', async (t) => {
  const { adapter, provider } = await withProvider(
    t,
    throughRelay(openRelay()),
    gatewayConfig,
    accept,
  );
  const attempt = text({ body: 'Xin chào "bạn"', options: { ttlSeconds: 90 } });
  t.same(await adapter.send(attempt, {}), {
    outcome: 'accepted',
    providerMessageId: '9007199254',
  });
  const { sendId, deviceId, appId } = attempt;
  const [call] = provider.calls;
  t.equal(call?.method, 'POST');
  t.equal(call?.path, '/gateway.example.com/v2/messages');
  t.match(call?.headers, {
    authorization: `Bearer ${apiKey}`,
    'idempotency-key': attemptUuid(sendId, deviceId),
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  });
  const query = `app=${appId}&mark=${sendId}-${deviceId}&token=${reportToken}`;
  t.same(JSON.parse(String(call?.body)), {
    from: 'Shop',
    to: number,
    text: 'Xin chào "bạn"',
    reference: `${sendId}-${deviceId}`,
    unicode: true,
    ttl: 90,
    notify: `https://engage.example.com/v1/webhooks/relay/rel_00000000000000000000000001?${query}`,
  });
});

t.test('a member without a value is left out, with its gateway on this machine too', async (t) => {
  const { from: _, ...withoutFrom } = aGateway;
  const config = (url: string) => gatewayConfig(url, { publicUrl: 'http://127.0.0.1:8400' });
  const create = throughRelay(openRelay(withoutFrom));
  const { adapter, provider } = await withProvider(t, create, config, accept);
  await adapter.send(text(), {});
  const body = JSON.parse(String(provider.calls[0]?.body));
  t.same(Object.keys(body), ['to', 'text', 'reference', 'unicode']);
});

t.test('a number has the form that its gateway wants', async (t) => {
  const national = { numberForm: 'national', country: 'VN' };
  for (const [form, to, wanted] of [
    [{}, number, number],
    [{ numberForm: 'digits' }, number, '84901234567'],
    [national, number, '0901234567'],
    [national, '+6281234567890', '6281234567890'],
    [{ ...national, nationalPrefix: '' }, number, '901234567'],
  ] as const) {
    const create = throughRelay(openRelay({ ...aGateway, ...form }));
    const { adapter, provider } = await withProvider(t, create, gatewayConfig, accept);
    await adapter.send({ ...text(), endpoint: to }, {});
    t.equal(JSON.parse(String(provider.calls[0]?.body)).to, wanted);
  }
});

t.test('a gateway of one alphabet or of few segments gets no other text', async (t) => {
  const limits = { encoding: { only: 'gsm7' }, segmentsMax: 2 };
  const create = throughRelay(openRelay({ ...aGateway, ...limits }));
  const { adapter, provider } = await withProvider(t, create, gatewayConfig, accept);
  t.match(await adapter.send(text({ body: 'chào bạn' }), {}), { reason: 'content_refused' });
  t.match(await adapter.send(text({ body: 'x'.repeat(307) }), {}), { reason: 'text_too_long' });
  t.equal(provider.calls.length, 0);
  t.match(await adapter.send(text({ body: 'x'.repeat(306) }), {}), { outcome: 'accepted' });
});

t.test('what a relay reports later is no delivery yet', async (t) => {
  const create = throughRelay(openRelay(aGateway, { reports: true }));
  const { adapter } = await withProvider(t, create, gatewayConfig, accept);
  t.match(await adapter.send(text(), {}), { outcome: 'accepted', reports: true });
});

t.test(
  'without a relay the carrier sends, and a relay of another kind changes nothing',
  async (t) => {
    const { adapter, provider } = await withProvider(t, createSms, gatewayConfig, accept);
    t.match(await adapter.send(text(), undefined), { reason: 'not_configured' });
    const smtp = { ...openRelay(), kind: 'smtp' as const };
    t.match(await adapter.send(text(), undefined, undefined, smtp), { reason: 'not_configured' });
    t.equal(provider.calls.length, 0);
  },
);

t.test('an address within a network is the fault of the relay, and nothing leaves', async (t) => {
  const { provider } = await withProvider(t, createSms, gatewayConfig, accept);
  for (const [url, reason] of [
    [`${provider.url}/send`, 'scheme_not_allowed'],
    ['https://127.0.0.1/send', 'private_address'],
    ['https://169.254.169.254/latest', 'private_address'],
    ['https://[::1]/send', 'private_address'],
    ['https://gateway.internal/send', 'private_address'],
    ['https://user:secret@gateway.example.com/', 'userinfo_not_allowed'],
    ['https://gateway.example.com:6379/', 'port_not_allowed'],
  ]) {
    const { adapter } = adapterAt(
      t,
      throughRelay(openRelay({ ...aGateway, url })),
      gatewayConfig(),
    );
    t.match(await adapter.send(text(), {}), { outcome: 'config', reason }, String(url));
  }
  t.equal(provider.calls.length, 0);
});

t.test('an answer of a mebibyte is cut, and what was sent is unknown', async (t) => {
  const huge: HttpBehavior = { status: 200, body: `{"x":"${'y'.repeat(1024 * 1024)}"}` };
  const { adapter } = await withProvider(t, throughRelay(openRelay()), gatewayConfig, huge);
  t.match(await adapter.send(text(), {}), { outcome: 'ambiguous', reason: 'answer_unreadable' });
});

t.test('an account is tried without sending, with the same login', async (t) => {
  const { provider } = await withProvider(t, createSms, gatewayConfig, { status: 200, body: '{}' });
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(() => outbound.close(0));
  const context = { config: gatewayConfig(provider.url), outbound, clock: fixedClock(acceptedMs) };
  const account = openGatewayAccount(openRelay(), context);
  t.same(await account.check(), { checked: true, ok: true });
  const [call] = provider.calls;
  t.equal(`${call?.method} ${call?.path}`, 'GET /gateway.example.com/v2/balance');
  t.equal(call?.headers['authorization'], `Bearer ${apiKey}`);
  t.equal(call?.body.length, 0);
  provider.meet({ status: 401, body: `wrong key ${apiKey}` });
  const refused = await account.check();
  t.match(refused, { checked: true, ok: false, reason: 'unauthenticated' });
  t.notOk(JSON.stringify(refused).includes(apiKey));
  const { check: _, ...withoutCheck } = aGateway;
  t.match(await openGatewayAccount(openRelay(withoutCheck), context).check(), { checked: false });
});
