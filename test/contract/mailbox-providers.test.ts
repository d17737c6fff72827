// What became of mails by mailbox provider, through a whole server and its sandbox: outcomes of
// calls, bounces and complaints that come later, opens by people and by machines, and a restart.

import { simpleParser } from 'mailparser';
import t from 'tap';
import { client, until } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, app, base, server, refuses } = await chapter(t);
const sandbox = client(server.sandboxUrl);

const read = (more = '') =>
  api.must(`GET /v1/insights/mailbox-providers?appId=${app}&days=2${more}`);

async function send(to: string): Promise<string> {
  const externalUserId = to;
  const devices = [{ channel: 'email', endpoint: to }];
  await api.must(`POST ${base}/subscribers`, { externalUserId, devices });
  const body = '<p>Hi <a href="https://a.example/1">1</a> <a href="https://a.example/2">2</a></p>';
  const words = { channels: ['email'], title: 'Hi', body };
  return (await api.must(`POST ${base}/notifications`, { externalUserId, ...words })).id;
}

/** Whether the figures of a provider have these values. */
const become = (provider: string, total: object) =>
  until(
    async () => {
      const { providers } = await read();
      const row = providers.find((one: { provider: string }) => one.provider === provider);
      return Object.entries(total).every(([name, count]) => row?.total[name] === count);
    },
    () => `${provider} is not ${JSON.stringify(total)}`,
  );

t.test(
  'outcomes count for the provider of the mailbox, with the words of the other side',
  async (t) => {
    for (const to of ['ada@gmail.com', 'bo@googlemail.com', 'nouser-1@gmail.com']) await send(to);
    await send('full-1@yahoo.co.uk');
    await send('policy-1@qq.com');
    await send('lategone-1@naver.com');
    await send('complain-1@icloud.com');
    await become('gmail', { sent: 3, delivered: 2, bouncedHard: 1 });
    await become('qq', { sent: 1, bouncedSoft: 1, delivered: 0 });
    await become('naver', { sent: 1, delivered: 1, bouncedHard: 1 });
    await become('apple', { sent: 1, complained: 1 });
    await until(
      async () => {
        const { providers } = await read();
        const yahoo = providers.find((one: { provider: string }) => one.provider === 'yahoo');
        return yahoo?.total.deferred > 0;
      },
      () => 'the full mailbox is not deferred',
    );
    const { dates, providers, domains, relays } = await read();
    t.equal(dates.length, 2);
    const yahoo = providers.find((one: { provider: string }) => one.provider === 'yahoo');
    t.match(yahoo, {
      total: { sent: 0, delivered: 0 },
      reasons: [{ figure: 'deferred', reason: 'mailbox_full', detail: /^452 4\.2\.2/ }],
    });
    t.notOk(JSON.stringify(providers).includes('full-1@'), 'no address');
    t.match(relays, [{ relay: 'server', total: { sent: 6 } }]);
    t.equal(domains.length, 1);
    t.same((await read('&relay=rel_none')).providers, []);
  },
);

t.test('opens and clicks of machines are told apart, and hide no person', async (t) => {
  const id = await send('reader@proton.me');
  await become('proton', { delivered: 1 });
  const { messages } = await sandbox.must(`GET /control/messages?sendId=${id}`);
  const { exchange } = await sandbox.must(`GET /control/messages/${messages[0].id}`);
  const html = String((await simpleParser(exchange.requestBody)).html);
  const [pixel = ''] = /http[^"]+\/o\/[\w-]+\.gif/.exec(html) ?? [];
  const [first = '', second = ''] = html.match(/http[^"]+\/c\/[\w-]+/g) ?? [];
  const as = (agent: string) => ({ headers: { 'user-agent': agent }, redirect: 'manual' as const });
  await fetch(pixel, as('Mozilla/5.0'));
  await fetch(pixel, as('Mozilla/5.0'));
  await fetch(pixel, as('Mail/1.0 (a person)'));
  await fetch(first, as('Mail/1.0 (a person)'));
  await fetch(second, as('Mail/1.0 (a person)'));
  await become('proton', {
    openedByPeople: 1,
    openedByMachines: 1,
    clicked: 1,
    clickedByMachines: 1,
  });
  const { items } = await api.must(`GET ${base}/events?name=opened`);
  t.same(items.map((one: { meta: { machine?: true } }) => one.meta.machine === true).sort(), [
    false,
    true,
  ]);
});

t.test('figures are the same after a restart', async (t) => {
  const before = await read();
  await server.restart();
  t.same(await read(), before);
});

t.test('a wrong range is refused', async (t) => {
  const line = `GET /v1/insights/mailbox-providers?appId=${app}&days=91`;
  await refuses(t, line, undefined, { status: 400, field: 'days' });
});
