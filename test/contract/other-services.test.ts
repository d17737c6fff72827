// Libraries and examples of other services, unchanged but for the address: what they send is stored
// as our own routes would store it, and what is not understood is an error in their form.

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Analytics } from '@segment/analytics-node';
import { APIClient, SendEmailRequest, TrackClient } from 'customerio-node';
import t from 'tap';
import { certificate } from '../actors/channels/certificate.ts';
import { eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, app, base, org, server } = await chapter(t);

const personAt = (id: string) => api.must(`GET ${base}/subscribers/external:${id}`);
const eventsOf = async (id: string) => {
  const { id: subscriberId } = await personAt(id);
  const { items } = await api.must(`GET ${base}/events?subscriberId=${subscriberId}`);
  return items;
};

t.test("Segment's Node library", async (t) => {
  const { writeKey } = await api.must(`PUT ${base}/integrations/cdp`, {});
  const problems: unknown[] = [];
  const analytics = new Analytics({
    writeKey: `${app}.${writeKey}`,
    host: server.url,
    path: '/compat/segment/v1/batch',
    maxRetries: 0,
    flushAt: 1,
  });
  analytics.on('error', (error) => problems.push(error));
  analytics.identify({ userId: 'seg-1', traits: { email: 'seg@example.com', plan: 'pro' } });
  analytics.track({ userId: 'seg-1', event: 'Order Completed', properties: { total: 42.5 } });
  await analytics.closeAndFlush();
  t.same(problems, []);
  t.match(await personAt('seg-1'), {
    tags: { plan: 'pro' },
    devices: [{ channel: 'email', endpoint: 'seg@example.com' }],
  });
  t.match(await eventsOf('seg-1'), [{ name: 'Order Completed', props: { total: 42.5 } }]);

  const wrong = new Analytics({
    writeKey: `${app}.wk_wrong`,
    host: server.url,
    path: '/compat/segment/v1/batch',
    maxRetries: 0,
    flushAt: 1,
  });
  wrong.on('error', (error) => problems.push(error));
  wrong.track({ userId: 'seg-1', event: 'Stranger' });
  await wrong.closeAndFlush();
  t.equal(problems.length, 1, 'a wrong key is an error of the library');
  const call = (path: string, key: string, body: object) =>
    fetch(`${server.url}/compat/segment/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      body: JSON.stringify(body),
    });
  const page = { userId: 'seg-1', name: 'Home' };
  t.equal((await call('page', `${app}.${writeKey}`, page)).status, 200);
  t.equal((await call('delete', `${app}.${writeKey}`, page)).status, 404);
  for (const key of ['', writeKey, app, `${app}.`, `.${writeKey}`]) {
    const refused = await call('page', key, page);
    t.equal(refused.status, 401, key);
    t.match(await refused.json(), { success: false, message: String, code: 'unauthorized' });
  }
  t.equal((await eventsOf('seg-1')).length, 2);
});

/** Customer.io's library speaks TLS alone. */
async function tlsInFront(): Promise<number> {
  const front = createServer(certificate, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const answer = await fetch(`${server.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': request.headers['content-type'] ?? '',
      },
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  t.teardown(() => front.close());
  return (front.address() as AddressInfo).port;
}

t.test("Customer.io's Node library", async (t) => {
  const port = await tlsInFront();
  const url = 'https://127.0.0.1/compat/customerio/api/v1';
  // What the library passes on to `https.request`.
  const defaults = { url, port, rejectUnauthorized: false, agent: false } as object;
  const track = new TrackClient(app, org.key, defaults);
  await track.identify('cio-1', {
    email: 'cio@example.com',
    first_name: 'Ada',
    seats: 3,
    created_at: 1_700_000_000,
    timezone: 'Europe/Paris',
  });
  t.match(await personAt('cio-1'), {
    tags: { first_name: 'Ada', seats: 3 },
    timezone: 'Europe/Paris',
    devices: [{ channel: 'email', endpoint: 'cio@example.com' }],
  });
  await track.track('cio-1', { name: 'purchase', data: { price: 23.45 } });
  await track.trackPageView('cio-1', '/pricing');
  t.match(
    (await eventsOf('cio-1')).map(({ name, props }: { name: string; props: object }) => [
      name,
      props,
    ]),
    [
      ['page', { name: '/pricing' }],
      ['purchase', { price: 23.45 }],
    ],
  );
  await track.addDevice('cio-1', 'fcm-token-of-cio-1', 'android');
  t.equal((await personAt('cio-1')).devices.length, 2);
  await track.deleteDevice('cio-1', 'fcm-token-of-cio-1');
  await track.deleteDevice('cio-1', 'fcm-token-of-cio-1');
  t.equal((await personAt('cio-1')).devices.length, 1);

  await track.identify('cio-1', { unsubscribed: true });
  t.match(await personAt('cio-1'), { devices: [{ suppressed: { scope: 'marketing' } }] });
  await t.rejects(track.identify('cio-1', { unsubscribed: false, plan: 'x' }), /DELETE/);
  t.equal((await personAt('cio-1')).tags.plan, undefined, 'a refused call stores nothing');
  await t.rejects(track.identify('cio-1', { address: { city: 'Hue' } }), /address/);
  await t.rejects(track.identify('cio_abc', { plan: 'x' }), /cio_id/);
  await t.rejects(track.trackAnonymous('anon', { name: 'x' }), /anonymous/);
  await track.identify('cio-2', { email: 'new@example.com', unsubscribed: true });
  t.match(await personAt('cio-2'), { devices: [{ suppressed: { scope: 'marketing' } }] });

  const key = await api.must('POST /v1/keys', {
    name: 'app',
    scopes: ['send', 'write'],
    appId: app,
  });
  const mailer = new APIClient(key.key, defaults);
  const sent = (await mailer.sendEmail(
    new SendEmailRequest({
      to: 'cio@example.com',
      identifiers: { id: 'cio-1' },
      subject: 'Your order',
      body: '<p>Hello {{ name }}</p>',
      message_data: { name: 'Ada' },
      from: undefined as never,
    }),
  )) as { readonly delivery_id: string };
  const { outcomes } = await eventually(
    async () => {
      const read = await api.must(`GET ${base}/notifications/${sent.delivery_id}`);
      return read.outcomes.length > 0 ? read : undefined;
    },
    () => 'no outcome',
  );
  t.match(outcomes, [{ channel: 'email' }], 'a receipt is sent to who left marketing');
  await t.rejects(
    mailer.sendEmail(
      new SendEmailRequest({
        to: 'other@example.com',
        identifiers: { id: 'cio-1' },
        subject: 'x',
        body: 'y',
        from: undefined as never,
      }),
    ),
    /another email address/,
  );
  await t.rejects(
    mailer.sendEmail(
      new SendEmailRequest({
        to: 'cio@example.com',
        identifiers: { id: 'cio-1' },
        subject: 'x',
        body: 'y',
        from: undefined as never,
        bcc: 'boss@example.com',
      }),
    ),
    /bcc/,
  );
  await track.destroy('cio-2');
  await track.destroy('cio-2');
  t.equal((await api.call(`GET ${base}/subscribers/external:cio-2`)).status, 404);
  const stranger = new TrackClient(app, 'ek_000000000000_wrong', defaults);
  await t.rejects(stranger.identify('cio-1', { plan: 'stolen' }), /key/);
});

t.test("OneSignal's public examples", async (t) => {
  const call = async (path: string, body: object, authorization = `Key ${org.key}`) => {
    const answer = await fetch(`${server.url}/compat/onesignal/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds
    const json = (await answer.json()) as any;
    return { status: answer.status, json };
  };
  const player = {
    app_id: app,
    device_type: 1,
    identifier: 'fcm-token-of-one-1',
    external_user_id: 'one-1',
    language: 'en',
    tags: { foo: 'bar' },
  };
  const added = await call('players', player);
  t.match(added, { status: 200, json: { success: true, id: /^sub_/ } });
  t.match(await personAt('one-1'), { tags: { foo: 'bar' }, devices: [{ channel: 'fcm' }] });
  const message = { contents: { en: 'English Message', es: 'Spanish Message' }, app_id: app };
  const cases = [
    { include_external_user_ids: ['one-1'] },
    { include_aliases: { external_id: ['one-1'] }, target_channel: 'push' },
    { include_player_ids: [added.json.id] },
  ];
  for (const who of cases) {
    const sent = await call('notifications', { ...message, ...who, headings: { en: 'Hi' } });
    t.match(sent, { status: 200, json: { id: /^ntf_/, recipients: 1, external_id: null } });
    t.equal((await api.call(`GET ${base}/notifications/${sent.json.id}`)).status, 200);
  }
  const some = await call('notifications', {
    ...message,
    include_external_user_ids: ['one-1', 'nobody'],
    idempotency_key: 'once',
  });
  if (some.status !== 200) t.comment(JSON.stringify(some.json));
  t.match(some, {
    status: 200,
    json: { recipients: 1, errors: { invalid_aliases: { external_id: ['nobody'] } } },
  });
  const again = await call('notifications', {
    ...message,
    include_external_user_ids: ['one-1', 'nobody'],
    idempotency_key: 'once',
  });
  t.equal(again.json.id, some.json.id, 'a repeated call sends nothing');
  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['notifications', { ...message, included_segments: ['All'] }, /included_segments/],
    ['notifications', { ...message, ...cases[0], send_after: 'tomorrow' }, /send_after/],
    ['notifications', message, /include_aliases/],
    ['notifications', { ...message, ...cases[0], contents: { de: 'x' } }, /contents/],
    ['players', { ...player, device_type: 5 }, /device_type/],
    ['players', { ...player, notification_types: -2 }, /notification_types/],
  ];
  for (const [path, body, words] of refused) {
    const answer = await call(path, body);
    t.equal(answer.status, 400, JSON.stringify(answer.json));
    t.match(answer.json.errors, [words]);
  }
  t.equal((await call('players', player, `Basic ${org.key}`)).status, 200, 'the older scheme');
  for (const wrong of ['', 'Key nothing', 'Basic nothing', `Token ${org.key}`])
    t.match(await call('players', player, wrong), { status: 401, json: { errors: [String] } });
  const theirs = await api.must('POST /v1/keys', { name: 'reads', scopes: ['read'] });
  t.equal((await call('players', player, `Key ${theirs.key}`)).status, 403);
  const stranger = await call('players', { ...player, app_id: `app_${'0'.repeat(26)}` });
  t.match(stranger, { status: 404, json: { errors: [String] } });
});
