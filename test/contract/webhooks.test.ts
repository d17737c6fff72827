import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { chapter } from './chapter.ts';

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on this machine; `answer` decides what each call gets. */
async function receiver(t: Test, answer: (nth: number) => number = () => 200) {
  const got: Got[] = [];
  const waiting: { readonly count: number; readonly done: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.statusCode = answer(got.length);
      response.end('thanks');
      for (const { count, done } of waiting) if (got.length >= count) done();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    arrived: (count: number) =>
      new Promise<void>((done) => {
        if (got.length >= count) done();
        else waiting.push({ count, done });
      }),
  };
}

t.test('a delivered message reaches a real receiver, signed, and is listed', async (t) => {
  const c = await chapter(t);
  const hook = await receiver(t);
  const path = `${c.base}/integrations/webhook`;
  const put = await c.takes(
    t,
    `PUT ${path}`,
    { url: hook.url, events: ['message.delivered'] },
    201,
  );
  const { secret } = put.json as { secret: string };
  t.match(secret, /^whsec_/);
  t.notOk(put.text.includes(hook.url), 'the address is not read back');
  const again = await c.takes(t, `PUT ${path}`, { url: hook.url, events: ['message.*'] }, 200);
  t.notOk('secret' in (again.json ?? {}), 'a secret is shown once');
  const listed = await c.takes(t, `GET ${c.base}/integrations`, undefined, 200);
  t.match(listed.json, { items: [{ type: 'webhook', enabled: true, health: 'ok' }] });

  await c.api.must(`POST ${c.base}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'fcm', endpoint: 'my-phone' }],
  });
  const { id: sendId } = await c.api.must(`POST ${c.base}/notifications`, {
    externalUserId: 'ada',
    title: 'Hello',
    body: 'World',
  });
  await hook.arrived(1);
  const [{ headers, body } = { headers: {}, body: '' }] = hook.got;
  const payload = JSON.parse(body);
  t.match(payload, { type: 'message.delivered', sendId, externalUserId: 'ada', channel: 'fcm' });
  t.equal(headers['x-engage-delivery-id'], payload.id);
  t.equal(headers['x-engage-event'], 'message.delivered');
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  t.equal(headers['x-engage-signature'], mac);

  const settled = await untilSettled(c, payload.id);
  t.match(settled, { status: 'delivered', attempts: 1, lastStatus: 200, event: payload.type });
  t.match(settled['payload'], payload);
  t.match(settled['tries'], [{ status: 200, answer: 'thanks' }]);
  const all = await c.takes(t, `GET ${c.base}/webhook-deliveries`, undefined, 200);
  t.match(all.json, { items: [{ id: payload.id, type: 'webhook' }], nextCursor: null });
  await c.refuses(t, `POST ${c.base}/webhook-deliveries/${'whd_x'}/retry`, undefined, {
    status: 404,
  });
  await c.takes(t, `POST ${c.base}/webhook-deliveries/${payload.id}/retry`, undefined, 202);
  await hook.arrived(2);
  t.equal(hook.got[1]?.body, body, 'a retry sends the same bytes');

  const test = await c.takes(t, `POST ${path}/test`, undefined, 200);
  t.match(test.json, { event: 'webhook.test', status: 'delivered', lastStatus: 200 });
  const rotated = await c.takes(t, `POST ${path}/rotate-secret`, undefined, 201);
  t.not(rotated.json?.['secret'], secret);
  await c.takes(t, `POST ${path}/test`, undefined, 200);
  t.match(hook.got.at(-1)?.headers['webhook-signature'], /^v1,\S+ v1,\S+$/, 'both secrets sign');
  await c.takes(t, `DELETE ${path}`, undefined, 204);
  await c.refuses(t, `POST ${path}/test`, undefined, { status: 404 });
});

t.test('what connects a webhook is judged', async (t) => {
  const c = await chapter(t);
  const path = `PUT ${c.base}/integrations`;
  const url = 'https://hooks.example.com/engage';
  const events = ['*'];
  await c.refuses(t, `${path}/webhook`, { events }, { status: 400, field: 'url' });
  await c.refuses(
    t,
    `${path}/webhook`,
    { url, events: ['sms'] },
    { status: 400, field: 'events[0]' },
  );
  await c.refuses(t, `${path}/webhook-A`, { url, events }, { status: 400, field: 'type' });
  await c.refuses(t, `${path}/pager`, { url, events }, { status: 400, field: 'type' });
  for (let i = 0; i < 10; i++) await c.takes(t, `${path}/webhook-${i}`, { url, events }, 201);
  await c.refuses(t, `${path}/webhook`, { url, events }, { status: 409, error: /at most 10/ });
  await c.takes(t, `${path}/webhook-3`, { url, events, enabled: false }, 200);
  await c.refuses(t, `POST ${c.base}/integrations/webhook-3/test`, undefined, { status: 409 });
  await c.refuses(t, `GET ${c.base}/webhook-deliveries?cursor=x`, undefined, {
    status: 400,
    field: 'cursor',
  });
});

async function untilSettled(
  c: Awaited<ReturnType<typeof chapter>>,
  id: string,
): Promise<Record<string, unknown>> {
  for (;;) {
    const row = await c.api.must(`GET ${c.base}/webhook-deliveries/${id}`);
    if (row['status'] !== 'pending') return row;
  }
}
