// Links of emails with names of tenants' domains: set in the DNS and verified with the sender
// domain, in every link of its mails, and never serving another app's.

import { request } from 'node:http';
import { simpleParser } from 'mailparser';
import t from 'tap';
import { client, eventually, makeOrg } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, server } = await chapter(t, {
  ENGAGE_PUBLIC_URL: 'https://engage.example',
  ENGAGE_LINK_HOSTS: 'true',
});
const sandbox = client(server.sandboxUrl);
const host = 'links.shop.example';

/** A call by the name of a host, as a proxy passes it on. */
function callAs(
  name: string,
  path: string,
  method = 'GET',
): Promise<{ status: number; location: string | undefined }> {
  return new Promise((done, failed) => {
    const call = request(`${server.url}${path}`, { method, headers: { host: name } }, (answer) => {
      answer.resume();
      done({ status: answer.statusCode ?? 0, location: answer.headers.location });
    });
    call.on('error', failed);
    call.end();
  });
}

interface MailLinks {
  readonly click: string;
  readonly pixel: string;
  readonly unsubscribe: string;
  readonly preferences: string;
  readonly footer: string;
}

async function mailTo(address: string, title: string): Promise<MailLinks> {
  const number = await eventually(
    async () => {
      const { messages } = await sandbox.must(`GET /control/messages?to=${address}`);
      return messages.find((one: { title: string }) => one.title === title)?.id;
    },
    () => `no mail ${title}`,
  );
  const mail = await simpleParser(
    (await sandbox.must(`GET /control/messages/${number}`)).exchange.requestBody,
  );
  const html = String(mail.html);
  const line = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? '';
  const found = (pattern: RegExp, text = html) => pattern.exec(text)?.[0] ?? 'none';
  return {
    click: found(/https:[^"]+\/c\/[^"]+/),
    pixel: found(/https:[^"]+\/o\/[^"]+/),
    footer: found(/https:[^"]+\/u\/[^"]+/),
    preferences: found(/https:[^"]+\/p\/[^"]+/),
    unsubscribe: found(/https:[^>]+/, line.replace(/\s/g, '')),
  };
}

async function campaign(
  of: typeof api,
  at: string,
  name: string,
  title: string,
): Promise<MailLinks> {
  const address = `${name}@example.com`;
  const devices = [{ channel: 'email', endpoint: address }];
  await of.must(`POST ${at}/subscribers`, { externalUserId: name, tags: { only: title }, devices });
  const body =
    '<a href="https://shop.example/sale">Sale</a> <a href="{{ preferences_url }}">Choose</a>';
  const { id: messageId } = await of.must(`POST ${at}/messages`, { title, body });
  const filter = { tag: 'only', eq: title };
  const made = await of.must(`POST ${at}/campaigns`, { messageId, filter, channels: ['email'] });
  await of.must(`POST ${at}/campaigns/${made.id}/send`);
  return mailTo(address, title);
}

const pathOf = (url: string) => url.slice(new URL(url).origin.length);
const domains = `${base}/email-domains`;
const added = await api.must(`POST ${domains}`, { domain: 'shop.example' });

t.test('a verified domain with the record has its name in every link', async (t) => {
  const record = { purpose: 'links', type: 'CNAME', name: host, value: 'engage.example' };
  t.match(added.records[2], { ...record, required: false, status: 'unchecked' });
  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: 'hello@shop.example' } });
  const before = await campaign(api, base, 'ann', 'Before');
  for (const url of Object.values(before)) t.match(url, /^https:\/\/engage\.example\//);
  t.equal((await callAs(host, '/tls/ask?domain=links.shop.example')).status, 404);

  const [dkim] = added.records;
  const cname = { ...record, value: 'elsewhere.example' };
  const wrong = await sandbox.must('POST /control/dns', { records: [dkim, cname] });
  const { records } = await api.must(`POST ${domains}/shop.example/verify`);
  t.match(records[2], { status: 'wrong', problem: /engage\.example/ });
  const { id } = wrong.records.find(({ type }: { type: string }) => type === 'CNAME');
  await sandbox.must(`DELETE /control/dns/${id}`);
  await sandbox.must('POST /control/dns', { records: [{ ...record, value: 'Engage.Example.' }] });
  const verified = await api.must(`POST ${domains}/shop.example/verify`);
  t.match(verified, { state: 'verified', records: [{}, {}, { status: 'found' }] });

  const after = await campaign(api, base, 'bea', 'After');
  for (const [what, url] of Object.entries(after)) t.equal(new URL(url).host, host, what);
  t.equal((await callAs(host, '/tls/ask?domain=Links.shop.example.')).status, 204);
  const { status, location } = await callAs(host, pathOf(after.click));
  t.same([status, location], [302, 'https://shop.example/sale']);
  for (const url of [after.pixel, after.footer, after.preferences])
    t.equal((await callAs(host, pathOf(url))).status, 200, url);
  t.equal((await callAs('engage.example', pathOf(after.click))).status, 302);

  await api.must(`POST ${base}/notifications`, {
    externalUserId: 'bea',
    title: 'Receipt',
    body: '<a href="https://shop.example/r">R</a>',
  });
  t.equal(new URL((await mailTo('bea@example.com', 'Receipt')).click).host, host, 'receipts, too');
});

t.test('the name serves no links of another app', async (t) => {
  const { client: stranger } = await makeOrg(server, 'Stranger');
  const other = await stranger.must('POST /v1/apps', { name: 'Other' });
  const theirs = await campaign(stranger, `/v1/apps/${other.id}`, 'eve', 'Bait');
  for (const url of [theirs.click, theirs.pixel, theirs.footer, theirs.preferences]) {
    t.equal((await callAs(host, pathOf(url))).status, 404, url);
    t.not((await callAs('engage.example', pathOf(url))).status, 404, url);
  }
  t.not((await callAs('old-name.example', pathOf(theirs.click))).status, 404, 'nobody’s name');
  const claimed = await stranger.must(`POST /v1/apps/${other.id}/email-domains`, {
    domain: 'shop.example',
  });
  const tried = await stranger.must(
    `POST /v1/apps/${other.id}/email-domains/${claimed.domain}/verify`,
  );
  t.equal(tried.state, 'failed', 'the name alone proves nothing');
  t.equal((await callAs(host, pathOf(theirs.click))).status, 404);
});

t.test('without the proof links are at the server’s address again', async (t) => {
  await sandbox.must('DELETE /control/dns');
  await api.must(`POST ${domains}/shop.example/verify`);
  const lost = await campaign(api, base, 'cleo', 'Lost');
  for (const url of Object.values(lost)) t.match(url, /^https:\/\/engage\.example\//);
});
