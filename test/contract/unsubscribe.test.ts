// Unsubscribing by mail, through a whole server: which mails carry a way to unsubscribe, and what
// an opt-out covers.

import { simpleParser } from 'mailparser';
import nodemailer from 'nodemailer';
import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, refuses, server, takes } = await chapter(t);
const sandbox = client(server.sandboxUrl);
const anybody = client(server.url);

const person = (name: string) =>
  api.must(`POST ${base}/subscribers`, {
    externalUserId: name,
    devices: [{ channel: 'email', endpoint: `${name}@example.com` }],
  });

/** The newest mail to a person with this subject. */
async function mailTo(name: string, subject: string) {
  const number = await eventually(
    async () => {
      const { messages } = await sandbox.must('GET /control/messages?channel=email&limit=100');
      return messages.find(
        (one: { to: string; title: string }) =>
          one.to === `${name}@example.com` && one.title === subject,
      )?.id;
    },
    () => `no mail to ${name}`,
  );
  const { exchange } = await sandbox.must(`GET /control/messages/${number}`);
  const mail = await simpleParser(exchange.requestBody);
  const line = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line;
  const ways = line?.replace(/\s+/g, '') ?? '';
  const [, link] = /<(https?:[^>]+)>/.exec(ways) ?? [];
  const [, address] = /<mailto:([^>]+)>/.exec(ways) ?? [];
  const footer = /href="[^"]+\/u\/[\w-]+"/.test(String(mail.html));
  return { link: link?.slice(server.url.length), address, footer, hasHeader: line !== undefined };
}

async function receipt(name: string, title: string, more: object = {}) {
  const body = { externalUserId: name, title, body: 'Hi', ...more };
  const { id } = await api.must(`POST ${base}/notifications`, body);
  const { outcomes } = await eventually(
    async () => {
      const read = await api.must(`GET ${base}/notifications/${id}`);
      return read.outcomes.length > 0 ? read : undefined;
    },
    () => 'no outcome',
  );
  return outcomes[0];
}

/** Sends a campaign to one person; the reasons for which it did not send. */
async function campaign(name: string, title: string, more: object = {}) {
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title, body: 'Hi', ...more });
  await api.must(`PATCH ${base}/subscribers/external:${name}`, { tags: { only: title } });
  const filter = { tag: 'only', eq: title };
  const { id } = await api.must(`POST ${base}/campaigns`, { messageId, filter });
  await api.must(`POST ${base}/campaigns/${id}/send`);
  await eventually(
    async () => {
      const { state } = await api.must(`GET ${base}/campaigns/${id}`);
      return state === 'completed' ? true : undefined;
    },
    () => 'the campaign does not end',
  );
  return (await api.must(`GET ${base}/campaigns/${id}/stats`)).suppressedBy;
}

const optOuts = async (name: string) =>
  (await api.must(`GET ${base}/suppressions?channel=email&address=${name}@example.com`)).items;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const oneClick = 'List-Unsubscribe=One-Click';

t.test('a receipt offers no way to unsubscribe, and a campaign both', async (t) => {
  await person('ada');
  t.match(await receipt('ada', 'Receipt'), { status: 'delivered' });
  t.match(await mailTo('ada', 'Receipt'), { hasHeader: false, footer: false });
  t.same(await campaign('ada', 'News'), {});
  t.match(await mailTo('ada', 'News'), { hasHeader: true, footer: true, link: /^\/u\// });
});

t.test('the message decides before the app, and marketing keeps its header', async (t) => {
  await person('bob');
  const ways = { none: [false, false], footer: [false, true], header: [true, false] } as const;
  for (const [unsubscribe, [hasHeader, footer]] of Object.entries(ways)) {
    await receipt('bob', `R ${unsubscribe}`, { unsubscribe });
    t.match(await mailTo('bob', `R ${unsubscribe}`), { hasHeader, footer }, unsubscribe);
    await campaign('bob', `C ${unsubscribe}`, { unsubscribe });
    const marketing = await mailTo('bob', `C ${unsubscribe}`);
    t.match(marketing, { hasHeader: true, footer }, `${unsubscribe}, marketing`);
  }
  t.equal((await api.must(`GET ${base}/settings`)).unsubscribe, null);
  const set = await api.must(`PATCH ${base}/settings`, { unsubscribe: 'both' });
  t.equal(set.unsubscribe, 'both');
  await receipt('bob', 'By the app');
  t.match(await mailTo('bob', 'By the app'), { hasHeader: true, footer: true });
  await receipt('bob', 'By the message', { unsubscribe: 'none' });
  t.match(await mailTo('bob', 'By the message'), { hasHeader: false, footer: false });
  await api.must(`PATCH ${base}/settings`, { unsubscribe: null });
  for (const [line, body] of [
    [`PATCH ${base}/settings`, {}],
    [`POST ${base}/messages`, { body: 'Hi' }],
    [`POST ${base}/notifications`, { externalUserId: 'bob', title: 'T', body: 'Hi' }],
  ] as const) {
    const error = /^unsubscribe: .*"?none"?.*"?footer"?.*"?header"?.*"?both"?/;
    await refuses(
      t,
      line,
      { ...body, unsubscribe: 'never' },
      { status: 400, field: 'unsubscribe', error },
    );
  }
});

t.test('as specified, one click below a campaign ends all mails', async (t) => {
  await person('cleo');
  await campaign('cleo', 'For Cleo');
  const { link } = await mailTo('cleo', 'For Cleo');
  await anybody.call(`POST ${link}`, oneClick, form);
  t.match(await optOuts('cleo'), [{ scope: 'all', source: 'unsubscribe' }]);
  t.match(await receipt('cleo', 'Code'), { status: 'suppressed', reason: 'opt_out' });
});

t.test('with scope marketing, one click ends campaigns and leaves password resets', async (t) => {
  t.equal((await api.must(`GET ${base}/settings`)).unsubscribeScope, 'all');
  const { unsubscribeScope } = await api.must(`PATCH ${base}/settings`, {
    unsubscribeScope: 'marketing',
  });
  t.equal(unsubscribeScope, 'marketing');
  await refuses(
    t,
    `PATCH ${base}/settings`,
    { unsubscribeScope: 'some' },
    { status: 400, field: 'unsubscribeScope' },
  );
  const { id } = await person('dan');
  await campaign('dan', 'For Dan');
  const { link } = await mailTo('dan', 'For Dan');
  const page = await anybody.call(`GET ${link}`);
  t.match(page.text, /marketing/);
  t.match(page.text, /name="scope" value="all"/, 'the page offers everything');
  t.same(await optOuts('dan'), []);

  const done = await anybody.call(`POST ${link}`, oneClick, form);
  t.match(done.text, /name="scope" value="all"/, 'and offers it again');
  t.match(await optOuts('dan'), [
    { scope: 'marketing', source: 'unsubscribe', channels: ['email'] },
  ]);
  t.match(await receipt('dan', 'Code'), { status: 'delivered' });
  t.same(await campaign('dan', 'More for Dan'), { opt_out: 1 });
  const { items } = await api.must(`GET ${base}/events?name=unsubscribed&subscriberId=${id}`);
  t.match(items, [{ meta: { source: 'unsubscribe', scope: 'marketing' } }]);

  afterKill(server, 'what an opt-out covers, and its link', async (t) => {
    t.match(await receipt('dan', 'Code after a kill'), { status: 'delivered' });
    t.same(await campaign('dan', 'Again for Dan'), { opt_out: 1 });

    const everything = await anybody.call(`POST ${link}`, `${oneClick}&scope=all`, form);
    t.notMatch(everything.text, /name="scope"/);
    t.match(await optOuts('dan'), [{ scope: 'all', source: 'unsubscribe' }]);
    t.match(await receipt('dan', 'No code'), { status: 'suppressed', reason: 'opt_out' });
    await anybody.call(`POST ${link}`, oneClick, form);
    t.match(await optOuts('dan'), [{ scope: 'all' }], 'the link never narrows an opt-out');

    await takes(
      t,
      `DELETE ${base}/suppressions?channel=email&address=dan@example.com`,
      undefined,
      204,
    );
    t.match(await receipt('dan', 'A code again'), { status: 'delivered' });
    t.same(await campaign('dan', 'News again'), {});
  });
});

t.test('the link in a receipt, and an opt-out by API, end everything', async (t) => {
  await person('eve');
  await receipt('eve', 'Receipt', { unsubscribe: 'both' });
  const { link } = await mailTo('eve', 'Receipt');
  t.notMatch((await anybody.call(`GET ${link}`)).text, /name="scope"/);
  await anybody.call(`POST ${link}`, oneClick, form);
  t.match(await optOuts('eve'), [{ scope: 'all' }]);

  await person('finn');
  await campaign('finn', 'For Finn');
  await anybody.call(`POST ${(await mailTo('finn', 'For Finn')).link}`, oneClick, form);
  t.match(await optOuts('finn'), [{ scope: 'marketing' }]);
  const byApi = { channel: 'email', address: 'finn@example.com', reason: 'asked' };
  const { json } = await takes(t, `POST ${base}/suppressions`, byApi, 201);
  t.match(json, { scope: 'all', source: 'api', reason: 'asked' });
  t.match(await receipt('finn', 'Code'), { status: 'suppressed', reason: 'opt_out' });
});

t.test('a mail to the address in the header covers what the link covers', async (t) => {
  const { bouncePort: port } = await sandbox.must('GET /control/email/returns');
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port });
  t.teardown(() => transport.close());
  const ask = (to: string | undefined) =>
    transport.sendMail({ from: 'reader@example.net', to: to ?? '', text: 'unsubscribe' });
  await person('gus');
  await campaign('gus', 'For Gus');
  await ask((await mailTo('gus', 'For Gus')).address);
  t.match(await optOuts('gus'), [{ scope: 'marketing', source: 'unsubscribe' }]);
  await receipt('gus', 'Receipt', { unsubscribe: 'header' });
  await ask((await mailTo('gus', 'Receipt')).address);
  t.match(await optOuts('gus'), [{ scope: 'all', source: 'unsubscribe' }]);
});

/** Sends a campaign about a topic to one person; its id. */
async function aboutTopic(name: string, title: string, topic: string): Promise<string> {
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title, body: 'Hi' });
  await api.must(`PATCH ${base}/subscribers/external:${name}`, { tags: { only: title } });
  const filter = { tag: 'only', eq: title };
  const { id } = await api.must(`POST ${base}/campaigns`, { messageId, filter, topic });
  await api.must(`POST ${base}/campaigns/${id}/send`);
  return id;
}

const topicsOf = async (name: string) =>
  (await api.must(`GET ${base}/subscribers/external:${name}/preferences`)).topics;

t.test('the link of a message about a topic leaves that topic alone', async (t) => {
  await api.must(`POST ${base}/topics`, { key: 'news', name: 'Our <news>', default: 'in' });
  await api.must(`POST ${base}/topics`, { key: 'offers', name: 'Offers', default: 'in' });
  await person('topical');
  const id = await aboutTopic('topical', 'Topical', 'news');
  const { link = '', hasHeader, footer } = await mailTo('topical', 'Topical');
  t.same([hasHeader, footer], [true, true]);
  const shown = await anybody.call(`GET ${link}`);
  t.match(shown.text, /Only “Our &#60;news&#62;”/);
  t.match(shown.text, /value="marketing"[\s\S]+value="all"/, 'more is offered, too');
  t.same(await topicsOf('topical'), { news: 'in', offers: 'in' }, 'a GET changes nothing');
  const left = await anybody.call(`POST ${link}`, oneClick, form);
  t.match(left, { status: 200, text: /no longer get “Our &#60;news&#62;”/ });
  t.same(await topicsOf('topical'), { news: 'out', offers: 'in' });
  t.same(await optOuts('topical'), [], 'the address is not opted out');
  await anybody.call(`POST ${link}`, oneClick, form);
  const { items } = await api.must(`GET ${base}/events?name=preferences_changed&limit=10`);
  const mine = items.filter((one: { campaignId: string }) => one.campaignId === id);
  t.match(mine, [{ props: { source: 'unsubscribe', topics: { news: { to: 'out' } } } }]);
  t.equal(mine.length, 1, 'pressing it twice changes nothing');
  const stats = await api.must(`GET ${base}/campaigns/${id}/stats`);
  t.match(JSON.stringify(stats), /"unsubscribed":1[,}]/);
  const all = await anybody.call(`POST ${link}`, 'scope=all', form);
  t.match(all.text, /no longer get these emails/);
  t.match(await optOuts('topical'), [{ scope: 'all', source: 'unsubscribe' }]);
});

t.test('with marketing opt-outs, the page offers marketing as a whole', async (t) => {
  await api.must(`PATCH ${base}/settings`, { unsubscribeScope: 'marketing' });
  await person('wide');
  await aboutTopic('wide', 'Wide', 'offers');
  const { link = '' } = await mailTo('wide', 'Wide');
  const shown = await anybody.call(`GET ${link}?language=de`);
  t.match(shown.text, /Nur „Offers“/);
  t.match(shown.text, /Alle Werbe-E-Mails/);
  const left = await anybody.call(`POST ${link}`, 'scope=marketing', form);
  t.match(left.text, /no longer get marketing emails/);
  t.match(await optOuts('wide'), [{ scope: 'marketing' }]);
  t.same((await topicsOf('wide')).offers, 'in');
  await api.must(`PATCH ${base}/settings`, { unsubscribeScope: 'all' });
});

t.test('the link of a topic that is gone unsubscribes as others do', async (t) => {
  await api.must(`POST ${base}/topics`, { key: 'gone', name: 'Gone', default: 'in' });
  await person('late');
  await aboutTopic('late', 'Late', 'gone');
  const { link = '' } = await mailTo('late', 'Late');
  await eventually(
    async () => (await api.call(`DELETE ${base}/topics/gone`)).status === 204 || undefined,
    () => 'the topic is still in use',
  );
  t.notMatch((await anybody.call(`GET ${link}`)).text, /Gone/);
  await anybody.call(`POST ${link}`, oneClick, form);
  t.match(await optOuts('late'), [{ source: 'unsubscribe' }]);
});

t.test('links that are not ours say what they would have been', async (t) => {
  const pages = [
    ['/u/x', /ask the sender/],
    ['/p/x', /preferences from a newer email/],
    ['/f/frm_x', /form no longer exists/],
    ['/confirm/x', /Sign up again/],
  ] as const;
  for (const [path, words] of pages) {
    const { status, text } = await anybody.call(`GET ${path}`);
    t.equal(status, 404);
    t.match(text, words, path);
  }
});
