// A newcomer's first hour, on the real server: an org, an app, a person with three devices, one
// message, and what its recipient sees; then the way out of the mails, and what happens when a
// provider refuses.

import t from 'tap';
import { client, eventually, makeOrg, startServer, until } from '../support/server.ts';

const server = await startServer(t);
const org = await makeOrg(server, 'Acme');
const app = await org.client.must('POST /v1/apps', { name: 'Shop', timezone: 'Asia/Bangkok' });
const sandbox = client(server.sandboxUrl);
const base = `/v1/apps/${app.id}`;

/** The send, once it is no longer pending. */
function settled(id: string) {
  return eventually(async () => {
    const send = await org.client.must(`GET ${base}/notifications/${id}`);
    return send.status === 'pending' ? undefined : send;
  }, `${id} stays pending`);
}

/** The send, once it has this many outcomes. */
function outcomes(id: string, count: number) {
  return eventually(async () => {
    const send = await org.client.must(`GET ${base}/notifications/${id}`);
    return send.outcomes.length < count ? undefined : send;
  }, `${id} has fewer than ${count} outcomes`);
}

async function person(externalUserId: string, devices: readonly object[], tags = {}) {
  return org.client.must(`POST ${base}/subscribers`, { externalUserId, devices, tags });
}

async function send(externalUserId: string, more: object = {}): Promise<string> {
  const body = { externalUserId, title: 'Hello {{ first_name }}', body: 'It is {{ what }}.' };
  const variables = { first_name: 'you', what: 'here' };
  return (await org.client.must(`POST ${base}/notifications`, { ...body, variables, ...more })).id;
}

async function messages(sendId: string) {
  return (await sandbox.must(`GET /control/messages?sendId=${sendId}`)).messages;
}

t.test('one message reaches three devices, and each recipient can read it', async (t) => {
  const { subscription } = await subscribe('ada-browser');
  const ada = await person(
    'ada',
    [
      { channel: 'email', endpoint: 'ada@example.com' },
      { channel: 'webpush', endpoint: subscription },
      { channel: 'fcm', endpoint: 'token-of-ada-0123456789' },
    ],
    { first_name: 'Ada' },
  );
  t.equal(ada.devices.length, 3);
  const id = await send('ada', {
    title: 'Order {{ order_id }}',
    body: 'Dear {{ first_name }}, it is on its way.',
    variables: { order_id: 'A-1001' },
    data: { screen: 'orders', order: '{{ order_id }}' },
  });
  const done = await outcomes(id, 3);
  t.equal(done.status, 'delivered');
  t.same(done.failures, { open: 0, recovered: 0 });
  t.same(done.outcomes.map((one: { channel: string }) => one.channel).sort(), [
    'email',
    'fcm',
    'webpush',
  ]);
  for (const outcome of done.outcomes) {
    t.match(outcome, { status: 'delivered', attempts: 1, providerMessageId: /./ }, outcome.channel);
    t.ok(
      ada.devices.some((device: { id: string }) => device.id === outcome.deviceId),
      `${outcome.channel} names the device`,
    );
  }
  const seen = await messages(id);
  t.equal(seen.length, 3);
  for (const message of seen) {
    t.equal(message.title, 'Order A-1001', `${message.channel} is opened and read`);
    t.match(message.text, /Dear Ada, it is on its way\./, message.channel);
    t.equal(message.outcome, 'accepted');
  }
});

t.test('what happened is in the event stream, and a webpush key is the app’s own', async (t) => {
  const { items } = await org.client.must(`GET ${base}/events?name=delivered`);
  t.equal(items.length, 3);
  t.match(items[0], { name: 'delivered', externalUserId: 'ada', sendId: /^ntf_/ });
  t.match(await org.client.must(`GET ${base}`), { vapidPublicKey: app.vapidPublicKey });
});

t.test(
  'the link in a mail asks first, and one POST opts the address out of mails only',
  async (t) => {
    await person('bob', [
      { channel: 'email', endpoint: 'bob@example.com' },
      { channel: 'fcm', endpoint: 'token-of-bob-0123456789' },
    ]);
    const first = await send('bob', { unsubscribe: 'both' });
    await outcomes(first, 2);
    const link = await unsubscribeLink(first);
    t.ok(link.startsWith(`${server.url}/u/`));
    const path = link.slice(server.url.length);

    const page = await client(server.url).call(`GET ${path}`);
    t.equal(page.status, 200);
    t.match(page.text, /Unsubscribe from Shop\?/);
    t.match(page.text, /bob@example\.com/);
    t.match(String(page.headers['content-security-policy']), /default-src 'none'/);
    t.same((await org.client.must(`GET ${base}/suppressions`)).items, [], 'a GET changes nothing');
    const again = await outcomes(await send('bob'), 2);
    t.same(
      again.outcomes.map((one: { status: string }) => one.status),
      ['delivered', 'delivered'],
    );

    // As a mail program does it: a form, no cookie, no page (RFC 8058).
    const done = await client(server.url).call(`POST ${path}`, 'List-Unsubscribe=One-Click', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    t.equal(done.status, 200);
    t.match(done.text, /You are unsubscribed/);
    t.match(await org.client.must(`GET ${base}/suppressions`), {
      items: [{ identity: 'email', address: 'bob@example.com', source: 'unsubscribe' }],
    });

    const { items: events } = await org.client.must(`GET ${base}/events?name=unsubscribed`);
    t.match(events, [{ name: 'unsubscribed', externalUserId: 'bob', channel: 'email' }]);

    const after = await outcomes(await send('bob'), 2);
    t.equal(after.status, 'delivered', 'the push still lands');
    const byChannel = new Map<string, { status: string; reason?: string }>(
      after.outcomes.map((one: { channel: string }) => [one.channel, one]),
    );
    t.match(byChannel.get('email'), { status: 'suppressed', reason: 'opt_out' });
    t.match(byChannel.get('fcm'), { status: 'delivered' });
    const mailOnly = await settled(await send('bob', { channels: ['email'] }));
    t.equal(mailOnly.status, 'suppressed');

    const forged = `${path.slice(0, -6)}AAAAAA`;
    t.equal((await client(server.url).call(`POST ${forged}`, '')).status, 404);
  },
);

t.test('an opt-out by API silences the address at once, and lifting it restores it', async (t) => {
  await person('cleo', [{ channel: 'email', endpoint: 'Cleo@Example.com' }]);
  await org.client.must(`POST ${base}/suppressions`, {
    channel: 'email',
    address: 'cleo@example.com',
    reason: 'asked support',
  });
  t.match(await settled(await send('cleo')), {
    status: 'suppressed',
    outcomes: [{ channel: 'email', reason: 'opt_out' }],
  });
  await org.client.must(`DELETE ${base}/suppressions?channel=email&address=cleo@example.com`);
  t.equal((await settled(await send('cleo'))).status, 'delivered');
});

t.test('what a provider refuses for good is bounced, and a dead device is disabled', async (t) => {
  const { subscription } = await subscribe('gone-browser');
  const dan = await person('dan', [
    { channel: 'email', endpoint: 'nouser@example.com' },
    { channel: 'fcm', endpoint: 'dead-0123456789abcdef' },
    { channel: 'webpush', endpoint: subscription },
  ]);
  const done = await outcomes(await send('dan'), 3);
  t.equal(done.status, 'bounced');
  for (const outcome of done.outcomes) t.equal(outcome.status, 'bounced', outcome.channel);
  await until(async () => {
    const { devices } = await org.client.must(`GET ${base}/subscribers/${dan.id}`);
    return devices.every((device: { enabled: boolean }) => !device.enabled);
  }, 'the devices stay enabled');
  t.match(await settled(await send('dan')), {
    status: 'suppressed',
    outcomes: [{ deviceId: null, channel: null, reason: 'no_device' }],
  });
});

t.test('what a provider refuses for now is tried again until it lands', async (t) => {
  await person('eve', [{ channel: 'email', endpoint: 'greylist-eve@example.com' }]);
  const done = await settled(await send('eve'));
  t.match(done, { status: 'delivered', outcomes: [{ attempts: 3 }] });
});

t.test('what never lands in its time is failed, kept as a dead letter, and redriven', async (t) => {
  await person('finn', [{ channel: 'fcm', endpoint: 'token-of-finn-0123456789' }]);
  const rule = { channel: 'fcm', match: 'finn', fault: 'status', value: 503 };
  const { id: ruleId } = await sandbox.must('POST /control/faults', rule);
  const id = await send('finn', { ttlSeconds: 1 });
  t.match(await settled(id), {
    status: 'failed',
    outcomes: [{ status: 'failed', reason: 'expired' }],
    failures: { open: 1, recovered: 0 },
  });
  const letters = await org.client.must(`GET ${base}/dead-letters`);
  t.match(letters.items, [{ sendId: id, channel: 'fcm', reason: 'expired', recoveredAt: null }]);
  await sandbox.must(`DELETE /control/faults/${ruleId}`);
  const redriven = await org.client.must(`POST ${base}/dead-letters/redrive`, {
    ids: [letters.items[0].id],
  });
  t.same(redriven, { redriven: 1 });
  const landed = await eventually(async () => {
    const read = await org.client.must(`GET ${base}/notifications/${id}`);
    return read.status === 'delivered' ? read : undefined;
  }, 'the redriven send does not land');
  t.same(landed.failures, { open: 0, recovered: 1 });
});

t.test('a stop lets calls end, says so with its exit code, and loses nothing', async (t) => {
  const id = await send('ada', { channels: ['email'] });
  t.equal(await server.stop(), 0);
  await server.start();
  t.equal((await settled(id)).status, 'delivered');
  t.equal((await org.client.must(`GET ${base}/subscribers?externalUserId=ada`)).items.length, 1);
});

async function subscribe(name: string) {
  return sandbox.must('POST /control/webpush/subscriptions', { name });
}

async function unsubscribeLink(sendId: string): Promise<string> {
  const mail = (await messages(sendId)).find((one: { channel: string }) => one.channel === 'email');
  const { details } = await sandbox.must(`GET /control/messages/${mail.id}`);
  const headers = new Map<string, string>(details);
  return (
    /^<(http[^>]+)>, <mailto:unsub\+[^>]+>$/.exec(headers.get('List-Unsubscribe') ?? '')?.[1] ?? ''
  );
}
