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
