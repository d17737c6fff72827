// Asks a gateway what became of texts: the exact request, what its answers mean, and that neither a
// gateway that is down nor one that is slow is called for ever.

import t, { type Test } from 'tap';
import type {
  AskedMessage,
  LateResults,
} from '../../../../../actors/channels/port/late-results.ts';
import type { OpenRelay } from '../../../../../actors/channels/port/open-relay.ts';
import { gatewaySchema } from '../../../../../actors/channels/relays/gateway/config.ts';
import { http } from '../../../../../actors/channels/relays/gateway/kind.ts';
import { createSms } from '../../../../../actors/channels/sms/adapter.ts';
import { withProvider } from '../../http-rig.ts';
import { anAttempt, type HttpBehavior } from '../../stand-ins.ts';
import { aGateway, apiKey, gatewayConfig, openRelay } from './gateways.ts';

const { sendId, deviceId } = anAttempt({ channel: 'sms', endpoint: '+84901234567' });
const message = (name?: string): AskedMessage => ({
  ...{ sendId, deviceId, dueMs: 1 },
  ...(name === undefined ? {} : { name }),
});
const polling = {
  url: 'https://gateway.example.com/v2/messages/{{ message_id }}',
  query: { ref: '{{ id }}' },
  headers: { authorization: 'Bearer {{ credentials.apiKey }}' },
  answer: {
    status: 'status',
    error: 'error',
    statuses: [
      { status: ['delivered'], means: 'arrived' },
      { status: ['sent'], means: 'taken' },
      { status: ['failed'], error: ['unknown'], means: 'dead', reason: 'invalid_number' },
      { status: ['failed'], means: 'failed' },
    ],
  },
};
const gateway = { ...aGateway, callbacks: undefined, polling };

async function asking(t: Test, first: HttpBehavior, relay: OpenRelay = openRelay(gateway)) {
  const { adapter, provider } = await withProvider(t, createSms, gatewayConfig, first);
  const ask = (...names: readonly (string | undefined)[]) =>
    adapter.results?.(
      {
        ...{ sinceMs: 0, untilMs: 0, startKey: null },
        asked: { relay, messages: names.map(message) },
      },
      undefined,
    ) as Promise<LateResults>;
  return { provider, ask };
}

const said = (body: object, status = 200): HttpBehavior => ({
  status,
  body: JSON.stringify(body),
});

t.test('the request names the message, and has no more of a text', async (t) => {
  const { provider, ask } = await asking(t, said({ status: 'delivered' }));
  const told = await ask('a b/1');
  t.match(told, {
    state: 'told',
    told: [{ message: { name: 'a b/1' }, news: { kind: 'arrived' } }],
  });
  const [call] = provider.calls;
  t.equal(call?.method, 'GET');
  t.equal(call?.path, `/gateway.example.com/v2/messages/a%20b%2F1?ref=${sendId}-${deviceId}`);
  t.equal(call?.headers.authorization, `Bearer ${apiKey}`);
  t.equal(call?.headers['idempotency-key'], undefined, 'of a text alone');
  t.equal(call?.body.length, 0);
});

t.test('a login of the gateway stays, and a body can ask', async (t) => {
  const relay = openRelay({
    ...aGateway,
    headers: {},
    basic: { user: 'me', password: '{{ credentials.apiKey }}' },
    polling: {
      ...{ url: 'https://gateway.example.com/report', method: 'POST', contentType: 'form' },
      body: { id: '{{ message_id }}', own: '{{ uuid }}' },
      answer: polling.answer,
    },
  });
  const { provider, ask } = await asking(t, said({ status: 'sent' }), relay);
  t.match(await ask('7'), { told: [{ news: { kind: 'taken' } }] });
  const [call] = provider.calls;
  t.equal(call?.headers.authorization, `Basic ${Buffer.from(`me:${apiKey}`).toString('base64')}`);
  t.match(String(call?.body), /^id=7&own=[0-9a-f-]{36}$/);
});

t.test('what answers mean; what no rule knows says nothing of the message', async (t) => {
  const { provider, ask } = await asking(t, said({}));
  for (const [answer, news] of [
    [said({ status: 'failed', error: 'unknown' }), { kind: 'failed', effect: 'dead' }],
    [said({ status: 'failed' }), { kind: 'failed', reason: 'failed', effect: 'none' }],
    [said({ status: 'whatever' }), undefined],
    [said({ error: 'no such message' }, 404), undefined],
    [said({ status: 'delivered' }, 404), { kind: 'arrived' }],
    [{ status: 200, body: '<html>' }, undefined],
    [{ status: 200, body: '' }, undefined],
  ] as const) {
    provider.meet(answer);
    const told = await ask('1');
    t.match(told, { state: 'told', told: [{ message: { name: '1' } }] });
    t.notOk('failure' in told, JSON.stringify(answer));
    t.match(told.state === 'told' && told.told[0]?.news, news, JSON.stringify(answer));
  }
});

t.test('trouble of the account or the gateway ends a page, and shows no secret', async (t) => {
  const names = Array.from({ length: 40 }, (_, i) => `${i}`);
  const { provider, ask } = await asking(t, said({}));
  for (const [answer, failure] of [
    [said({ key: apiKey }, 401), { outcome: 'config', reason: 'unauthenticated' }],
    [said({ key: apiKey }, 403), { outcome: 'config', reason: 'permission_denied' }],
    [
      { status: 429, headers: { 'retry-after': '90' } },
      { outcome: 'rate', retryAfterMs: 90_000 },
    ],
    [said({}, 503), { outcome: 'retry', reason: 'unavailable' }],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { outcome: 'config' }],
    ['cut', { outcome: 'ambiguous' }],
  ] as const) {
    provider.calls.length = 0;
    provider.meet(answer);
    const told = await ask(...names);
    t.match(told, { state: 'told', told: [], failure });
    t.notMatch(JSON.stringify(told), apiKey);
    t.ok(provider.calls.length <= 4, `${provider.calls.length} calls`);
  }
});

t.test(
  'a few are asked at once, each once, and what was told before a failure is kept',
  async (t) => {
    let [now, most, calls] = [0, 0, 0];
    const { ask } = await asking(t, (_call, response) => {
      most = Math.max(most, ++now);
      const isDown = ++calls > 20;
      setImmediate(() => {
        now--;
        response.writeHead(isDown ? 500 : 200).end('{"status":"delivered"}');
      });
    });
    const told = await ask(...Array.from({ length: 30 }, (_, i) => `${i}`));
    t.ok(most <= 4);
    t.match(told, { state: 'told', failure: { outcome: 'retry' } });
    const names = told.state === 'told' ? told.told.map((one) => one.message.name) : [];
    t.equal(new Set(names).size, 20);
  },
);

t.test('an address of an inside network is not called', async (t) => {
  const { adapter } = await withProvider(t, createSms, () => gatewayConfig(), said({}));
  const inside = { ...polling, url: 'http://127.0.0.1:1/{{ message_id }}' };
  const relay = openRelay({ ...gateway, polling: inside });
  const asked = { relay, messages: [message('1')] };
  const query = { sinceMs: 0, untilMs: 0, startKey: null, asked };
  t.match(await adapter.results?.(query, undefined), { told: [], failure: { outcome: String } });
});

t.test('a description that cannot ask is refused, and says why', async (t) => {
  for (const [change, path, words] of [
    [
      { polling: { ...polling, url: 'https://a.example/all', query: {} } },
      'polling',
      /must name the message/,
    ],
    [
      { polling: { ...polling, query: { to: '{{ to }}' } } },
      'polling',
      /\{\{ to \}\} is not known later/,
    ],
    [
      { polling: { ...polling, query: { k: '{{ credentials.no }}' } } },
      'polling.query.k',
      /credentials/,
    ],
    [{ polling: { ...polling, url: 'ftp://a.example' } }, 'polling.url', /https/],
    [{ polling: { ...polling, everySeconds: 1 } }, 'polling.everySeconds', /30/],
    [{ body: { to: '{{ to }}', id: '{{ message_id }}' } }, 'body', /only in polling/],
  ] as const) {
    const { error } = gatewaySchema.safeParse({ ...gateway, ...change });
    const issue = error?.issues.find((one) => one.path.join('.') === path);
    t.match(issue?.message, words, path);
  }
  t.ok(gatewaySchema.safeParse(gateway).success);
});

t.test('Zenziva is asked with its keys, and its words are read', async (t) => {
  const credentials = { userKey: 'the-user', passKey: 'the-pass' };
  const config = http.configSchema.parse({ recipe: 'zenziva', credentials });
  const relay: OpenRelay = { id: 'rel_1', kind: 'http', config, fingerprint: 'z' };
  const { provider, ask } = await asking(t, said({ status: '1', text: 'Delivered' }), relay);
  t.match(await ask('98765'), { told: [{ news: { kind: 'arrived' } }] });
  t.equal(
    provider.calls[0]?.path,
    '/console.zenziva.net/reguler/api/report/?userkey=the-user&passkey=the-pass&messageId=98765',
  );
  for (const [text, news] of [
    ['Undelivered', { kind: 'failed' }],
    ['Failed', { kind: 'failed' }],
    ['Gagal', { kind: 'failed' }],
    ['Pending', { kind: 'taken' }],
    ['Sent', { kind: 'taken' }],
    ['Userkey / Passkey salah', undefined],
  ] as const) {
    provider.meet(said({ status: '1', text }));
    const told = await ask('1');
    t.match(told.state === 'told' && told.told[0]?.news, news, text);
  }
});
