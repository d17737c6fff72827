// The checks of a campaign's email before it is sent, through a whole server and the sandbox's DNS.

import t from 'tap';
import { client } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, refuses, server } = await chapter(t);
const sandbox = client(server.sandboxUrl);
const body = '<p><a href="http://shop.example">Shop</a><img src="https://shop.example/a.png"></p>';
const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'Hi', body });
const { id: campaignId } = await api.must(`POST ${base}/campaigns`, {
  messageId,
  filter: { tag: 'group', eq: 'checks' },
  channels: ['email', 'fcm'],
});
const line = `POST ${base}/campaigns/${campaignId}/preview`;
const checksOf = async () => {
  const { checks } = await api.must(line, { checks: true });
  const list = checks as { check: string; state: string; about: string }[];
  return {
    states: Object.fromEntries(list.map(({ check, state }) => [check, state])),
    about: Object.fromEntries(list.map(({ check, about }) => [check, about])),
  };
};
const setRecord = (name: string, value: string) =>
  sandbox.must('POST /control/dns', { records: [{ name, type: 'TXT', value }] });

t.test('they are made on request alone, and of an email alone', async (t) => {
  t.notOk('checks' in (await api.must(line, {})));
  t.notOk('checks' in (await api.must(line, { checks: true, channel: 'fcm' })));
  await refuses(t, line, { checks: 'yes' }, { status: 400, field: 'checks' });
});

t.test('the content is checked as it would be sent', async (t) => {
  const { states, about } = await checksOf();
  t.match(states, {
    sender: 'done',
    dkim: 'unknown',
    one_click: 'not_done',
    size: 'done',
    https_links: 'not_done',
    image_text: 'not_done',
    text_part: 'done',
  });
  t.match(about['one_click'], /https/, 'this test’s server has no https');
  t.match(about['https_links'], 'http://shop.example');
});

t.test('a domain of the app is looked up in the DNS', async (t) => {
  const domain = 'checks.example';
  const { records } = await api.must(`POST ${base}/email-domains`, { domain });
  const email = { fromAddress: 'hello@other.example' };
  await api.must(`PATCH ${base}/settings`, { email });
  const before = await checksOf();
  t.match(before.states, { sender: 'not_done', dkim: 'not_done', alignment: 'not_done' });

  await sandbox.must('POST /control/dns', { records: [records[0]] });
  await setRecord(`_dmarc.${domain}`, 'v=DMARC1; p=Reject; rua=mailto:d@checks.example');
  await api.must(`POST ${base}/email-domains/${domain}/verify`);
  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: `hello@${domain}` } });
  const { states, about } = await checksOf();
  t.match(states, { sender: 'done', dkim: 'done', dmarc: 'done', alignment: 'done' });
  t.match(about['dmarc'], 'policy reject');
  t.match(about['spf'], 'bounces.sandbox.example', 'SPF is asked of the return path');

  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: 'a@servfail.example' } });
  const failed = await checksOf();
  t.equal(failed.states['dmarc'], 'unknown', 'no answer says nothing');
});

t.test('each relay that may send it is told by itself', async (t) => {
  const domain = 'checks.example';
  const email = { fromAddress: `hello@${domain}` };
  await api.must(`PATCH ${base}/settings`, { email });
  const relays = `${base}/relays`;
  const resend = { name: 'News', kind: 'resend', config: { apiKey: 're_sandbox_key' } };
  const { id: first } = await api.must(`POST ${relays}`, { ...resend, streams: ['marketing'] });
  const before = await checksOf();
  t.match(before.states, { dkim: 'unknown', spf: 'not_done', alignment: 'unknown' });
  t.match(before.about['dkim'], /^News: .+console.+This server: .+signed/);

  await setRecord('resend._domainkey.ready.example', 'p=MIGfMA0GCSqGSIb3');
  await setRecord('send.ready.example', 'v=spf1 include:amazonses.com ~all');
  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: 'hello@ready.example' } });
  const found = await checksOf();
  t.match(found.about['dkim'], /^News: .+resend\._domainkey\.ready\.example has a key/);
  t.match(found.about['spf'], /^News: send\.ready\.example, .+This server: bounces/);
  t.match(found.about['alignment'], /^News: Emails are signed by ready\.example/);

  await api.must(`PATCH ${relays}/${first}`, { streams: ['transactional'] });
  t.notMatch((await checksOf()).about['dkim'], 'News', 'receipts alone');
  await api.must(`DELETE ${relays}/${first}`);
});

t.test("the org's relays are told, where the app has none", async (t) => {
  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: 'hello@checks.example' } });
  const ses = { region: 'us-east-1', accessKeyId: 'AKIASANDBOX000000000' };
  const config = { ...ses, secretAccessKey: 'sandbox-secret-access-key' };
  const { id } = await api.must('POST /v1/org/relays', { name: 'Ours', kind: 'ses', config });
  const { states, about } = await checksOf();
  t.match(about['spf'], /^Amazon SES: .+own return path.+This server: /);
  t.match(states, { dkim: 'unknown', alignment: 'unknown' });
  await api.must(`DELETE /v1/org/relays/${id}`);
});
