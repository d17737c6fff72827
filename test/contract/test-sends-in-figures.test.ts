// A test send changes no channel health, heatmap or funnel, neither by its receipts nor by its
// opens. A real send does.

import { simpleParser } from 'mailparser';
import t from 'tap';
import { client, eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, app, server } = await chapter(t);
const sandbox = client(server.sandboxUrl);

await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'ada',
  devices: [
    { channel: 'email', endpoint: 'ada@figures.example' },
    { channel: 'fcm', endpoint: 'token-of-figures' },
  ],
});
const words = { title: 'Hi', body: '<p>Hello <a href="https://shop.example">shop</a></p>' };
const message = await api.must(`POST ${base}/messages`, words);

const funnel = (...steps: readonly string[]) =>
  api.must(`POST /v1/insights/funnel?appId=${app}`, {
    steps: steps.map((event) => ({ event })),
    days: 7,
  });

const figures = () =>
  Promise.all([
    api.must(`GET /v1/insights/channel-health?appId=${app}&days=7`),
    api.must(`GET /v1/insights/engagement-heatmap?appId=${app}&days=7`),
    funnel('delivered', 'opened'),
    funnel('opened', 'clicked'),
  ]);

/** Waits for the end of a send, then opens its mail. */
async function opened(id: string): Promise<void> {
  await eventually(async () => {
    const { outcomes } = await api.must(`GET ${base}/notifications/${id}`);
    return outcomes.length === 2 ? true : undefined;
  }, 'the send does not end');
  const { messages } = await sandbox.must(`GET /control/messages?sendId=${id}`);
  const { id: number } = messages.find(({ channel }: { channel: string }) => channel === 'email');
  const { exchange } = await sandbox.must(`GET /control/messages/${number}`);
  const mail = await simpleParser(exchange.requestBody);
  const [pixel = ''] = /http[^"]+\/o\/[\w-]+\.gif/.exec(String(mail.html)) ?? [];
  const { status } = await fetch(pixel);
  if (status !== 200) throw new Error(`${pixel}: ${status}`);
  await eventually(async () => {
    const { items } = await api.must(`GET ${base}/events?name=opened`);
    return items.some((one: { sendId: string }) => one.sendId === id) ? true : undefined;
  }, 'the open is not stored');
}

t.test('a test send is in no figure, and a real one is', async (t) => {
  const before = await figures();
  const test = await api.must(`POST ${base}/messages/${message.id}/test`, {
    externalUserId: 'ada',
  });
  await opened(test.id);
  t.same(await figures(), before);

  const real = await api.must(`POST ${base}/notifications`, { externalUserId: 'ada', ...words });
  await opened(real.id);
  const [health, heatmap, delivered, engaged] = await figures();
  t.match(health.channels, { email: { delivered: 1 }, fcm: { delivered: 1 } });
  const { cells } = heatmap as { cells: { delivered: number; opened: number }[] };
  t.equal(
    cells.reduce((sum, one) => sum + one.delivered, 0),
    2,
  );
  t.equal(
    cells.reduce((sum, one) => sum + one.opened, 0),
    1,
  );
  t.match(delivered.steps, [{ event: 'delivered' }, { event: 'opened' }]);
  t.notSame(delivered, before[2]);
  t.notSame(engaged, before[3]);
});
