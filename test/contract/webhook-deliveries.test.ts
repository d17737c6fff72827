// The ledger of webhooks over HTTP: its rows, its filters, and retries by hand; what the audit log
// and the metrics say of destinations.

import t from 'tap';
import { rawReceiver } from '../actors/integrations/webhooks/call/receivers.ts';
import { eventually } from '../support/server.ts';
import { webhookHook } from '../support/webhook-hook.ts';
import { chapter } from './chapter.ts';

const c = await chapter(t);
const { api, base } = c;
const integrations = `${base}/integrations`;
const ledger = `${base}/webhook-deliveries`;

const list = async (query = ''): Promise<Record<string, unknown>[]> =>
  (await api.must(`GET ${ledger}?limit=100${query}`)).items;
const settled = (count: number, query: string) =>
  eventually(
    async () => {
      const rows = await list(query);
      return rows.length === count ? rows : undefined;
    },
    `there are not ${count} of ${query}`,
    60_000,
  );

let people = 0;
/** One message to somebody new, which the provider takes. */
async function send(): Promise<string> {
  const externalUserId = `person-${++people}`;
  const device = { channel: 'fcm', endpoint: `phone-${people}` };
  await api.must(`POST ${base}/subscribers`, { externalUserId, devices: [device] });
  const body = { externalUserId, title: 'Hello', body: 'World' };
  return (await api.must(`POST ${base}/notifications`, body)).id;
}

t.test('a row says when it was delivered, and the receiver gets the headers', async (t) => {
  const hook = await webhookHook(t);
  await api.must(`PUT ${integrations}/webhook`, {
    url: hook.url,
    events: ['message.delivered'],
    headers: { Authorization: 'Bearer of-the-receiver', 'x-own': 'mine' },
  });
  const sendId = await send();
  const [row] = await settled(1, '&status=delivered');
  t.match(hook.got, [{ headers: { authorization: 'Bearer of-the-receiver', 'x-own': 'mine' } }]);
  t.match(row, { type: 'webhook', attempts: 1, lastStatus: 204, lastError: null });
  const { createdAt, deliveredAt, durationMs, nextRetryAt } = row ?? {};
  t.equal(nextRetryAt, null);
  t.type(durationMs, 'number');
  t.ok(Date.parse(String(deliveredAt)) >= Date.parse(String(createdAt)), `${deliveredAt}`);
  const { items } = await api.must(`GET ${base}/events?name=delivered`);
  const event = items.find((one: { sendId: string }) => one.sendId === sendId);
  t.equal(hook.events()[0]?.seq, event?.seq, 'its number is the one in the list of events');
  await api.must(`DELETE ${integrations}/webhook`);
});

t.test('many are retried with one request, and filters choose which', async (t) => {
  let status = 410;
  const hook = await webhookHook(t, () => status);
  await api.must(`PUT ${integrations}/webhook-gone`, { url: hook.url, events: ['message.*'] });
  for (let i = 0; i < 3; i++) {
    await send();
    await settled(i + 1, '&status=stopped&type=webhook-gone');
  }
  const rows = await list('&status=stopped&type=webhook-gone');
  const [newest, , oldest] = rows.map(({ createdAt }) => String(createdAt));
  t.equal((await list(`&type=webhook-gone&from=${newest}`)).length, 1);
  t.equal((await list(`&type=webhook-gone&to=${newest}`)).length, 2);
  t.equal((await list(`&type=webhook-gone&to=${oldest}`)).length, 0);
  const id = rows[0]?.['id'];
  t.match(await api.must(`GET ${ledger}/${id}`), { lastStatus: 410, lastError: 'status' });

  status = 204;
  const retry = async (body: object) =>
    (await c.takes(t, `POST ${ledger}/retry`, { status: 'stopped', ...body }, 202)).json;
  t.same(await retry({ event: 'message.failed' }), { retried: 0 });
  t.same(await retry({ type: 'webhook-other' }), { retried: 0 });
  t.same(await retry({ from: newest, type: 'webhook-gone' }), { retried: 1 });
  await settled(1, '&status=delivered&type=webhook-gone');
  t.same(await retry({}), { retried: 2 });
  await settled(3, '&status=delivered&type=webhook-gone');
  t.same(await retry({}), { retried: 0 });
  t.match((await api.must(`GET ${ledger}/${id}`)).tries, [{ status: 410 }, { status: 204 }]);
  for (const wrong of [{}, { status: 'pending' }, { status: 'delivered' }])
    await c.refuses(t, `POST ${ledger}/retry`, wrong, { status: 400, field: 'status' });
  await api.must(`DELETE ${integrations}/webhook-gone`);
});

t.test('a delivery that is under way cannot be sent again, and is counted', async (t) => {
  const counted = async (name: string) => {
    const text = await (await fetch(`${c.server.metricsUrl}/metrics`)).text();
    const values = [...text.matchAll(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'gm'))];
    return values.reduce((sum, [, value]) => sum + Number(value), 0);
  };
  const disabled = await counted('engage_webhooks_disabled');
  const hanging = await rawReceiver(t);
  await api.must(`PUT ${integrations}/webhook-hang`, { url: hanging.url, events: ['message.*'] });
  await send();
  const [row] = await settled(1, '&status=pending');
  await c.refuses(t, `POST ${ledger}/${row?.['id']}/retry`, undefined, {
    status: 409,
    code: 'wrong_state',
    error: /pending/,
  });
  t.ok((await counted('engage_webhooks_open')) >= 1, 'other chapters may have some');
  t.equal(await counted('engage_webhooks_disabled'), disabled);
  await api.must(`DELETE ${integrations}/webhook-hang`);
});

t.test('a chat workspace is tested, and its rows are listed', async (t) => {
  const chat = await webhookHook(t, () => 200);
  await api.must(`PUT ${integrations}/slack`, { url: chat.url });
  const { json } = await c.takes(t, `POST ${integrations}/slack/test`, undefined, 200);
  t.match(json, { type: 'slack', event: 'webhook.test', status: 'delivered', lastStatus: 200 });
  t.match(await list('&type=slack'), [{ id: json?.id, type: 'slack', attempts: 1 }]);
  t.equal(chat.got.length, 1);
  t.match(JSON.parse(chat.got[0]?.body ?? ''), { text: String });
  t.notOk(chat.got[0]?.headers['x-engage-event'], 'none of our headers');
  await c.takes(t, `DELETE ${integrations}/slack`, undefined, 204);
});

t.test('saving, rotating and removing are in the audit log, without secrets', async (t) => {
  const url = 'https://audited.acme.example/engage';
  const body = { url, events: ['message.*'], concurrency: 2 };
  await api.must(`PUT ${integrations}/webhook-audited`, body);
  await api.must(`POST ${integrations}/webhook-audited/rotate-secret`);
  await api.must(`DELETE ${integrations}/webhook-audited`);
  const { items } = await api.must('GET /v1/org/audit-log?limit=3');
  t.match(items, [
    { action: 'integration.removed', target: 'webhook-audited' },
    { action: 'integration.secret_replaced', target: 'webhook-audited' },
    {
      action: 'integration.saved',
      target: 'webhook-audited',
      after: { enabled: true, events: ['message.*'], concurrency: 2 },
    },
  ]);
  t.notMatch(JSON.stringify(items), /audited\.acme|whsec_/);
});
