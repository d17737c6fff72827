// Mails that come back, and mails that are read, through a whole server and its sandbox: bounces,
// complaints, opt-outs by mail, the open pixel and tracked links.

import { simpleParser } from 'mailparser';
import nodemailer from 'nodemailer';
import t from 'tap';
import { client, until } from '../support/server.ts';
import { chapter } from './chapter.ts';

const one = await chapter(t);
const { api, base, server } = one;
const sandbox = client(server.sandboxUrl);

/** Sends a mail to somebody with this address and waits until it is there. */
async function mailed(to: string, body = '<p>Hi</p>', more: object = {}) {
  const externalUserId = to.split('@')[0] as string;
  const devices = [{ channel: 'email', endpoint: to }];
  await api.must(`POST ${base}/subscribers`, { externalUserId, devices });
  const { id } = await api.must(`POST ${base}/notifications`, {
    externalUserId,
    channels: ['email'],
    title: 'Your order',
    body,
    ...more,
  });
  await settles(id, /^(delivered|bounced)$/);
  const { messages } = await sandbox.must(`GET /control/messages?sendId=${id}`);
  const { exchange } = await sandbox.must(`GET /control/messages/${messages[0].id}`);
  return { id, externalUserId, exchange, mail: await simpleParser(exchange.requestBody) };
}

const settles = (id: string, status: RegExp) =>
  until(
    async () => status.test((await api.must(`GET ${base}/notifications/${id}`)).status),
    () => `the send does not become ${status}`,
  );

const eventsOf = async (name: string) => (await api.must(`GET ${base}/events?name=${name}`)).items;
const suppressions = async () => (await api.must(`GET ${base}/suppressions`)).items;

t.test('a mailbox that is not there bounces the send and disables the device', async (t) => {
  const { id, externalUserId, exchange } = await mailed('lategone-1@example.com');
  const [, returnPath = ''] = /^MAIL FROM:<(.*)>$/m.exec(exchange.request) ?? [];
  t.match(returnPath, /^bounce\+[0-9a-z]{36}\.[0-9a-z]{16}@bounces\.sandbox\.example$/);
  await settles(id, /^bounced$/);
  t.match((await api.must(`GET ${base}/notifications/${id}`)).outcomes, [
    { status: 'delivered' },
    { status: 'bounced', reason: 'mailbox_not_found' },
  ]);
  const person = await api.must(`GET ${base}/subscribers?externalUserId=${externalUserId}`);
  t.match(person.items[0].devices, [{ enabled: false, disabledReason: 'mailbox_not_found' }]);
});

t.test('a full mailbox bounces the send and leaves the device', async (t) => {
  const { id, externalUserId } = await mailed('latefull-1@example.com');
  await settles(id, /^bounced$/);
  const person = await api.must(`GET ${base}/subscribers?externalUserId=${externalUserId}`);
  t.match(person.items[0].devices, [{ enabled: true }]);
});

t.test('a complaint suppresses the address', async (t) => {
  const { id } = await mailed('complain-1@example.com');
  await until(
    async () => (await suppressions()).length === 1,
    () => 'nobody is suppressed',
  );
  t.match(await suppressions(), [
    { identity: 'email', address: 'complain-1@example.com', source: 'bounce', reason: 'complaint' },
  ]);
  t.match(await api.must(`GET ${base}/notifications/${id}`), { status: 'delivered' });
});

t.test(
  'a mail to the address in List-Unsubscribe opts out, and is durable when taken',
  async (t) => {
    const { mail, exchange } = await mailed('reader@example.com', '<p>Hi</p>', {
      unsubscribe: 'header',
    });
    const unsubscribe = String(
      mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line,
    );
    const [, to = ''] = /<mailto:([^>]+)>/.exec(unsubscribe.replace(/\s+/g, '')) ?? [];
    t.match(to, /^unsub\+/);
    t.match(exchange.requestBody, /List-Unsubscribe-Post: List-Unsubscribe=One-Click/);
    const { bouncePort: port } = await sandbox.must('GET /control/email/returns');
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port });
    const from = 'somebody@example.net';
    await t.rejects(transport.sendMail({ from, to: 'x@example.com', text: '' }), /550/, 'no relay');
    await transport.sendMail({ from, to, text: 'unsubscribe' });
    transport.close();
    t.match(
      (await suppressions()).find(({ address }: { address: string }) => /^reader@/.test(address)),
      { source: 'unsubscribe' },
    );
  },
);

t.test('opens and clicks are events, and the reader gets what the mail promised', async (t) => {
  const shop = 'https://shop.example/new?a=1&b=%C3%BC';
  const body = `<p><a href="${shop.replace('&', '&amp;')}">New</a> <a href="mailto:a@b.test">Ask</a></p>`;
  const { id, mail } = await mailed('opener@example.com', body);
  const html = String(mail.html);
  const [pixel = ''] = /http[^"]+\/o\/[\w-]+\.gif/.exec(html) ?? [];
  const [link = ''] = /http[^"]+\/c\/[\w-]+/.exec(html) ?? [];
  t.match(html, /href="mailto:a@b\.test"/);
  t.ok(mail.text?.includes(shop), 'the text has plain links');
  t.notMatch(mail.text, /\/c\//);

  await fetch(pixel, { method: 'HEAD' });
  await fetch(link, { method: 'HEAD', redirect: 'manual' });
  t.same([await eventsOf('opened'), await eventsOf('clicked')], [[], []], 'looking ahead');

  const headers = { 'user-agent': 'Mail/1.0' };
  const gif = await fetch(pixel, { headers });
  const bytes = Buffer.from(await gif.arrayBuffer());
  t.match([gif.status, gif.headers.get('content-type')], [200, 'image/gif']);
  t.match([bytes.length, bytes.toString('latin1', 0, 6)], [43, 'GIF89a']);
  t.equal(gif.headers.get('cache-control'), 'no-store, private');
  const followed = await fetch(link, { headers, redirect: 'manual' });
  t.match([followed.status, followed.headers.get('location')], [302, shop]);
  await fetch(pixel, { headers });
  const told = { sendId: id, channel: 'email', externalUserId: 'opener', meta: { ua: 'Mail/1.0' } };
  t.match(await eventsOf('opened'), [told]);
  t.match(await eventsOf('clicked'), [{ ...told, props: { url: shop } }]);
  t.equal((await eventsOf('opened')).length, 1);

  for (const forged of [`${link}A`, link.replace(/.{4}$/, 'AAAA'), pixel.replace('/o/', '/c/')])
    t.equal((await fetch(forged, { redirect: 'manual' })).status, 404);

  const person = await api.must(`GET ${base}/subscribers?externalUserId=opener`);
  await api.must(`DELETE ${base}/subscribers/${person.items[0].id}`);
  const still = await fetch(link, { redirect: 'manual' });
  t.match([still.status, still.headers.get('location')], [302, shop], 'erased people are led on');
  t.same(await eventsOf('clicked'), []);
});

t.test('an app without tracking sends links as they are', async (t) => {
  await api.must(`PATCH ${base}/settings`, { emailTracking: false });
  const { mail } = await mailed('private@example.com', '<a href="https://shop.example/">New</a>');
  t.match(String(mail.html), /href="https:\/\/shop\.example\/"/);
  t.notMatch(String(mail.html), /\/o\//);
});
