// Webhooks through a whole server in sandbox mode: each kind of the specification's table is
// provoked over HTTP, and a receiver verifies every delivery as the documentation tells it to.
// Hostile receivers stand beside a good one.

import { simpleParser } from 'mailparser';
import t from 'tap';
import { endless, rawReceiver } from '../actors/integrations/webhooks/call/receivers.ts';
import { chapter } from '../contract/chapter.ts';
import { client, eventually, makeOrg, startServer } from '../support/server.ts';
import { webhookHook } from '../support/webhook-hook.ts';

t.setTimeout(400_000); // campaigns with a throttle, and a machine that is busy with other tests
const limitMs = 120_000;

const server = await startServer(t);
const { client: api } = await makeOrg(server, 'Acme', {
  rateLimits: { transactional: null, standard: null },
  dailySendCap: null,
});
const sandbox = client(server.sandboxUrl);

async function newApp(name: string) {
  const { id } = await api.must('POST /v1/apps', { name, timezone: 'UTC' });
  const base = `/v1/apps/${id}`;
  return {
    id,
    base,
    person: (externalUserId: string, channel?: string, endpoint?: string) =>
      api.must(`POST ${base}/subscribers`, {
        externalUserId,
        devices: channel === undefined ? [] : [{ channel, endpoint }],
      }),
    send: async (externalUserId: string, more: object = {}): Promise<string> => {
      const body = { externalUserId, title: 'Hello', body: 'World', ...more };
      return (await api.must(`POST ${base}/notifications`, body)).id;
    },
    campaign: async (more: object): Promise<string> => {
      const { id: messageId } = await api.must(`POST ${base}/messages`, {
        title: 'News',
        body: 'Hi',
      });
      const { id } = await api.must(`POST ${base}/campaigns`, {
        name: 'Spring & sale',
        messageId,
        ...more,
      });
      await api.must(`POST /v1/campaigns/${id}/send`);
      return id;
    },
  };
}

/** The specification's table, but for `campaign.failed`, which needs live mode. */
const kindsHere = [
  'campaign.completed',
  'delivery.degraded',
  'campaign.chunk_processed',
  'message.delivered',
  'message.bounced',
  'message.suppressed',
  'message.deferred',
  'message.failed',
  'message.opened',
  'message.clicked',
  'message.dismissed',
  'subscriber.unsubscribed',
];

t.test('each kind is sent, and verified as the documentation says', async (t) => {
  const app = await newApp('Kinds');
  const hook = await webhookHook(t);
  const chat = await webhookHook(t, () => 200);
  await app.person('before', 'fcm', 'phone-before');
  const before = await app.send('before');
  await eventually(
    async () => {
      const { outcomes } = await api.must(`GET ${app.base}/notifications/${before}`);
      return outcomes.length > 0 || undefined;
    },
    'the first message has no outcome',
    limitMs,
  );
  const { secret } = await api.must(`PUT ${app.base}/integrations/webhook`, {
    url: hook.url,
    events: ['*'],
  });
  await api.must(`PUT ${app.base}/integrations/slack`, { url: chat.url });
  const seen = async (type: string, matches: object = {}) =>
    eventually(
      async () =>
        hook
          .events()
          .find(
            (event) =>
              event.type === type &&
              Object.entries(matches).every(
                ([name, value]) => event[name as keyof typeof event] === value,
              ),
          ),
      () => `no ${type}: ${[...new Set(hook.events().map((event) => event.type))]}`,
      limitMs,
    );

  await app.person('ada', 'fcm', 'my-phone');
  await app.person('bob', 'fcm', 'dead-1');
  await app.person('cid');
  await app.person('eva', 'email', 'eva@example.com');
  await app.person('never', 'email', 'never@example.com');
  const sendId = await app.send('ada');
  t.match(await seen('message.delivered', { sendId }), {
    externalUserId: 'ada',
    channel: 'fcm',
    campaignId: null,
    meta: { attempts: 1 },
  });
  await app.send('bob');
  t.match(await seen('message.bounced'), { externalUserId: 'bob', meta: { reason: /\w/ } });
  await app.send('cid');
  t.match(await seen('message.suppressed'), {
    externalUserId: 'cid',
    meta: { reason: 'no_device' },
  });
  await sandbox.must('POST /control/faults', {
    channel: 'email',
    match: 'never',
    fault: 'status',
    value: 451,
  });
  await app.send('never', { data: { ttlSeconds: 1 } });
  t.match(await seen('message.failed'), {
    externalUserId: 'never',
    meta: { reason: /\w/, attempts: Number },
  });

  const told = (name: string) =>
    api.must('POST /e', { appId: app.id, events: [{ name, externalUserId: 'ada', sendId }] });
  for (const name of ['opened', 'clicked', 'dismissed']) {
    await told(name);
    t.match(await seen(`message.${name}`), { externalUserId: 'ada', sendId });
  }

  const running = Array.from({ length: 25 }, (_, i) => app.person(`runner-${i}`, 'fcm', `p-${i}`));
  await Promise.all(running);
  const runners = await app.campaign({
    channels: ['fcm'],
    throttle: { perMinute: 300 },
  });
  t.match(await seen('campaign.chunk_processed', { campaignId: runners }), {
    meta: { processed: Number, total: Number },
  });
  t.match(await seen('campaign.completed', { campaignId: runners }), {
    externalUserId: null,
    meta: { name: 'Spring & sale', state: 'completed', byChannel: { fcm: { sent: Number } } },
  });
  await eventually(async () => chat.got[0], 'no chat message', limitMs);
  t.match(JSON.parse(chat.got[0]?.body ?? ''), { text: /Spring &amp; sale/, blocks: Array });
  t.notOk(chat.got[0]?.headers['x-engage-signature']);

  await app.campaign({ channels: ['email'] });
  const link = await unsubscribeLink('eva@example.com');
  await client(server.url).call(`POST ${link}`, 'List-Unsubscribe=One-Click', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  t.match(await seen('subscriber.unsubscribed'), {
    externalUserId: 'eva',
    channel: 'email',
    meta: { source: /\w/, identityClass: 'email' },
  });

  const hour = (shift: number) =>
    `${String((new Date().getUTCHours() + shift + 24) % 24).padStart(2, '0')}:00`;
  await api.must(`PATCH ${app.base}/settings`, {
    quietHours: { start: hour(-1), end: hour(2), timezone: 'UTC' },
  });
  await app.campaign({ channels: ['fcm'] });
  t.match(await seen('message.deferred'), { meta: { reason: 'quiet_hours', until: /Z$/ } });

  const unlucky = Array.from({ length: 60 }, (_, i) => app.person(`u-${i}`, 'fcm', `dead-u${i}`));
  await Promise.all(unlucky);
  await Promise.all(unlucky.map((_, i) => app.send(`u-${i}`)));
  t.match(await seen('delivery.degraded'), {
    channel: 'fcm',
    externalUserId: null,
    meta: { channel: 'fcm', attempts: Number, failed: Number, since: /Z$/, reasons: Object },
  });

  hook.verifyAll(secret);
  t.notOk(
    hook.events().some((event) => event.sendId === before),
    'nothing from before the subscription',
  );
  const kinds = new Set(hook.events().map(({ type }) => type));
  for (const kind of kindsHere) t.ok(kinds.has(kind), kind);
  const ids = hook.events().map(({ id }) => id);
  t.equal(new Set(ids).size, ids.length, 'each once');
});

t.test('a campaign that cannot be sent is told, and why', async (t) => {
  const { api, base } = await chapter(t, {
    ENGAGE_MODE: 'live',
    ENGAGE_ALLOW_PRIVATE_NETWORKS: '1',
  });
  const hook = await webhookHook(t);
  const { secret } = await api.must(`PUT ${base}/integrations/webhook`, {
    url: hook.url,
    events: ['campaign.failed'],
  });
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'News', body: 'Hi' });
  const { id } = await api.must(`POST ${base}/campaigns`, {
    name: 'No credential',
    messageId,
    channels: ['fcm'],
  });
  await api.must(`POST /v1/campaigns/${id}/send`);
  const [event] = await eventually(
    async () => (hook.got.length > 0 ? hook.events() : undefined),
    'no campaign.failed',
    limitMs,
  );
  t.match(event, {
    type: 'campaign.failed',
    campaignId: id,
    meta: { name: 'No credential', reason: 'not_configured' },
  });
  hook.verifyAll(secret);
});

t.test('a hostile receiver costs itself alone', async (t) => {
  const app = await newApp('Hostile');
  const good = await webhookHook(t);
  const hanging = await rawReceiver(t);
  const flooding = await rawReceiver(t, (socket) => {
    endless(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(8192));
  });
  const garbage = await rawReceiver(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  const gone = await webhookHook(t, () => 410);
  const put = (type: string, url: string) =>
    api.must(`PUT ${app.base}/integrations/${type}`, { url, events: ['message.delivered'] });
  await put('webhook-hang', hanging.url);
  await put('webhook-flood', flooding.url);
  await put('webhook-garbage', garbage.url);
  await put('webhook-gone', gone.url);
  const { secret } = await put('webhook', good.url);
  // For the one that hangs: 16 calls of ten seconds, and two times four.
  const people = 24;
  for (let i = 0; i < people; i++) await app.person(`person-${i}`, 'fcm', `phone-${i}`);
  await Promise.all(Array.from({ length: people }, (_, i) => app.send(`person-${i}`)));
  await eventually(
    async () => good.got.length === people || undefined,
    () => `${good.got.length} of ${people} came`,
    limitMs,
  );
  good.verifyAll(secret);

  const rows = async (type: string, status: string) =>
    (await api.must(`GET ${app.base}/webhook-deliveries?type=${type}&status=${status}&limit=100`))
      .items;
  const all = (type: string, status: string) =>
    eventually(
      async () => {
        const found = await rows(type, status);
        return found.length === people ? found : undefined;
      },
      () => `${type} is not ${status}`,
      limitMs,
    );
  t.match(await all('webhook', 'delivered'), [{ attempts: 1, lastStatus: 204, lastError: null }]);
  t.match(await all('webhook-gone', 'stopped'), [{ attempts: 1, lastStatus: 410 }]);
  for (const { lastError, lastStatus, attempts } of await all('webhook-flood', 'retrying'))
    t.same([lastError, lastStatus, attempts], ['too_large', 200, 1]);
  for (const { lastError, attempts } of await all('webhook-garbage', 'retrying'))
    t.same([lastError, attempts], ['refused', 1]);
  t.ok(hanging.sockets.length <= 16 * 4, 'it holds no more connections than its slots');
  for (const { lastError, nextRetryAt } of await all('webhook-hang', 'retrying'))
    t.match([lastError, nextRetryAt], ['timeout', /Z$/]);
});

/** From the newest mail to this address. */
async function unsubscribeLink(to: string): Promise<string> {
  const number = await eventually(
    async () => {
      const { messages } = await sandbox.must('GET /control/messages?channel=email&limit=100');
      return messages.find(
        (one: { to: string; title: string }) => one.to === to && one.title === 'News',
      )?.id;
    },
    () => `no mail to ${to}`,
    limitMs,
  );
  const { exchange } = await sandbox.must(`GET /control/messages/${number}`);
  const mail = await simpleParser(exchange.requestBody);
  const line = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? '';
  const [, link = ''] = /<(https?:[^>]+)>/.exec(line.replace(/\s+/g, '')) ?? [];
  return link.slice(server.url.length);
}
