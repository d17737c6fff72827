// Nobody is written to after an erasure, opt-out, pause or cancel was answered, nor by a journey
// that is off. The relay takes 300 ms for each mail, so hundreds of sends are granted and wait for
// a connection when the call comes.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { client, eventually, makeOrg, startServer, until } from '../support/server.ts';

const finalMs = 300;
/** A command on its way over loopback, and two busy event loops. What is on the wire ends. */
const onTheWireMs = 150;
const count = 400;

/** A relay that notes when each mail begins: at its RCPT, one round trip after MAIL. */
async function slowRelay(t: Test) {
  const begun = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).setNoDelay(true);
    let isInData = false;
    let received = '';
    const say = (text: string) => socket.write(`${text}\r\n`);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (;;) {
        const end = received.indexOf(isInData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const line = received.slice(0, end);
        received = received.slice(end + (isInData ? 5 : 2));
        const to = /^RCPT TO:<(.*)>/.exec(line)?.[1];
        if (to !== undefined) begun.set(to, performance.now());
        if (isInData) setTimeout(say, finalMs, '250 2.0.0 queued');
        else say(line === 'DATA' ? '354 go on' : '250 2.0.0 ok');
        isInData = !isInData && line === 'DATA';
      }
    });
    say('220 relay ESMTP');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, begun };
}

async function aScene(t: Test) {
  const relay = await slowRelay(t);
  const environment = { ENGAGE_SMTP_URL: relay.url };
  const server = await startServer(t, { environment });
  const org = await makeOrg(server, 'Acme');
  const { id: app } = await org.client.must('POST /v1/apps', { name: 'Shop' });
  const rows = Array.from({ length: count }, (_, i) => ({
    externalUserId: `user-${i}`,
    tags: { sale: true },
    devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
  }));
  await org.client.must('POST /v1/import/subscribers', { appId: app, rows });
  const here = `/v1/apps/${app}`;
  const batch = () =>
    org.client.must(`POST ${here}/notifications/batch`, {
      title: 'Hello',
      body: 'Hi',
      channels: ['email'],
      recipients: rows.map(({ externalUserId }) => ({ externalUserId })),
    });
  const campaign = async () => {
    const { messageId } = await org.client.must(`POST ${here}/messages`, {
      title: 'Sale',
      body: 'Look',
    });
    const { id } = await org.client.must(`POST ${here}/campaigns`, {
      name: 'Sale',
      messageId,
      channels: ['email'],
      filter: { tag: 'sale', eq: true },
    });
    await org.client.must(`POST /v1/campaigns/${id}/send`, {});
    return `/v1/campaigns/${id}`;
  };
  /** Everybody enters it by one event, and it writes to them at once. */
  const journey = async () => {
    const message = { title: 'Welcome', body: 'Look' };
    const { id } = await org.client.must(`POST ${here}/journeys`, {
      name: 'Welcome',
      triggerEvent: 'joined',
      steps: [{ id: 'hello', type: 'send', channels: ['email'], message }],
    });
    await org.client.must(`PATCH ${here}/journeys/${id}`, { active: true });
    const events = rows.map(({ externalUserId }) => ({ name: 'joined', externalUserId }));
    await org.client.must('POST /e', { appId: app, events });
    return `${here}/journeys/${id}`;
  };
  return { relay, server, org, here, batch, campaign, journey };
}

/** Calls for everybody, sixteen at a time, and notes when each was answered. */
async function forEveryone(call: (user: string) => Promise<unknown>): Promise<Map<string, number>> {
  const answered = new Map<string, number>();
  const waiting = Array.from({ length: count }, (_, i) => `user-${i}`);
  const worker = async () => {
    for (let user = waiting.pop(); user !== undefined; user = waiting.pop()) {
      await call(user);
      answered.set(`${user}@example.com`, performance.now());
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return answered;
}

function lateOnes(begun: ReadonlyMap<string, number>, answered: (to: string) => number): number[] {
  return [...begun]
    .map(([to, atMs]) => Math.round(atMs - answered(to)))
    .filter((lateMs) => lateMs > onTheWireMs);
}

/** Long enough for all that waits to be sent, were it not recalled: two rounds of the relay. */
async function quiet(begun: ReadonlyMap<string, number>): Promise<void> {
  for (let before = -1; before !== begun.size; ) {
    before = begun.size;
    await new Promise((resolve) => setTimeout(resolve, 8 * finalMs));
  }
}

for (const what of ['erasure', 'opt-out'] as const)
  t.test(`no mail begins after an ${what} was answered`, async (t) => {
    const { relay, org, here, batch } = await aScene(t);
    await batch();
    await until(() => relay.begun.size > 20, 'nothing is sent');
    const answered = await forEveryone((user) =>
      what === 'erasure'
        ? org.client.must(`DELETE ${here}/subscribers/external:${user}`)
        : org.client.must(`POST ${here}/suppressions`, {
            channel: 'email',
            address: `${user}@example.com`,
          }),
    );
    await quiet(relay.begun);
    t.ok(relay.begun.size < count, `${relay.begun.size} of ${count} mails began at all`);
    t.same(
      lateOnes(relay.begun, (to) => answered.get(to) ?? 0),
      [],
      'milliseconds after',
    );
  });

t.test('no mail begins after a pause or cancel was answered, and a resume sends', async (t) => {
  const { relay, org, campaign } = await aScene(t);
  const path = await campaign();
  await until(() => relay.begun.size > 20, 'nothing is sent');
  await org.client.must(`POST ${path}/pause`);
  const pausedMs = performance.now();
  await quiet(relay.begun);
  t.ok(relay.begun.size < count, `${relay.begun.size} of ${count} mails began before the pause`);
  t.same(
    lateOnes(relay.begun, () => pausedMs),
    [],
    'pause: milliseconds after',
  );
  const before = relay.begun.size;
  await org.client.must(`POST ${path}/resume`);
  await until(() => relay.begun.size > before + 20, 'the resume sends nothing');
  await org.client.must(`POST ${path}/cancel`);
  const canceledMs = performance.now();
  await quiet(relay.begun);
  t.ok(relay.begun.size < count, `${relay.begun.size} of ${count} mails began before the cancel`);
  t.same(
    lateOnes(relay.begun, () => canceledMs),
    [],
    'cancel: milliseconds after',
  );
});

t.test('no mail of a journey begins after it was switched off, or deleted', async (t) => {
  const { relay, org, here, journey } = await aScene(t);
  const path = await journey();
  await until(() => relay.begun.size > 20, 'nothing is sent');
  await org.client.must(`PATCH ${path}`, { active: false });
  const offMs = performance.now();
  await org.client.must(`DELETE ${path}`);
  await quiet(relay.begun);
  t.ok(relay.begun.size < count, `${relay.begun.size} of ${count} mails began at all`);
  t.same(
    lateOnes(relay.begun, () => offMs),
    [],
    'milliseconds after',
  );
  const reasons: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `name=suppressed&limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = await org.client.must(`GET ${here}/events?${query}`);
    for (const { meta } of page.items) reasons.push(meta.reason);
    cursor = page.nextCursor;
  }
  t.equal(reasons.length, count - relay.begun.size, 'each of the others has its receipt');
  t.same([...new Set(reasons)], ['journey_off']);
});

t.test('what was answered holds after a kill -9', async (t) => {
  const { relay, server, org, here, batch, campaign } = await aScene(t);
  await batch();
  const path = await campaign();
  await until(() => relay.begun.size > 20, 'nothing is sent');
  const answered = await forEveryone(async (user) => {
    if (Number(user.slice(5)) % 2 === 0)
      await org.client.must(`DELETE ${here}/subscribers/external:${user}`);
    else
      await org.client.must(`POST ${here}/suppressions`, {
        channel: 'email',
        address: `${user}@example.com`,
      });
  });
  await server.kill('SIGKILL');
  await server.start();
  const again = client(server.url, org.key);
  await eventually(
    async () => ((await again.must(`GET ${path}`)).state === 'completed' ? true : undefined),
    'the campaign does not end',
  );
  await quiet(relay.begun);
  t.same(
    lateOnes(relay.begun, (to) => answered.get(to) ?? 0),
    [],
    'milliseconds after',
  );
});
