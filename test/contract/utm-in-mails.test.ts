// Campaign parameters from the setting to the reader: what arrives at the mail server has each of
// them once, in the HTML, in the plain text, and where a tracked link leads; and links that are not
// the author's to count have none.

import { simpleParser } from 'mailparser';
import t, { type Test } from 'tap';
import { client, eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, server } = await chapter(t);
const sandbox = client(server.sandboxUrl);
/** Other tests share the server, and its inbox. */
const reader = 'ada@campaign-parameters.example';

const body = [
  '<p><a href="https://shop.example/plain">Plain</a>',
  '<a href="https://shop.example/own?utm_source=theirs&amp;UTM_Medium=print">Own</a>',
  '<a href="https://shop.example/q?a=1&amp;b=2#part">Query</a>',
  '<a href="https://shop.example/shown">https://shop.example/shown</a>',
  '<a href="https://shop.example/ünïcode/{{ first_name }}">Name</a>',
  '<a href="mailto:help@shop.example?subject=utm">Write</a> <a href="tel:+84901234567">Call</a>',
  '<a href="#part">Part</a> <a href="{{ preferences_url }}">Choose</a></p>',
].join('\n');
const content = {
  ...{ title: 'Sale', body, deepLink: 'https://shop.example/deep' },
  buttons: [{ label: 'Button', url: 'https://shop.example/button?x=%20y' }],
};
const parameters = { utm_source: 'engage', utm_medium: 'email', utm_campaign: 'Spring & more' };

await api.must(`PATCH ${base}/settings`, {
  ...{ emailTracking: true, unsubscribe: 'both' },
  utm: { source: 'engage', medium: '{{ channel }}', campaign: '{{ campaign }}' },
});
await api.must(`POST ${base}/subscribers`, {
  ...{ externalUserId: 'ada', tags: { first_name: 'Ada' } },
  devices: [{ channel: 'email', endpoint: reader }],
});
const { id: messageId } = await api.must(`POST ${base}/messages`, content);
const { id: campaignId } = await api.must(`POST ${base}/campaigns`, {
  ...{ name: 'Spring & more', messageId, channels: ['email'] },
  filter: { tag: 'first_name', eq: 'Ada' },
});
await api.must(`POST /v1/campaigns/${campaignId}/send`, {});
const mail = await eventually(async () => {
  const { messages } = await sandbox.must('GET /control/messages?limit=50');
  const found = messages.find((one: { to: string }) => one.to === reader);
  if (found === undefined) return undefined;
  const { exchange } = await sandbox.must(`GET /control/messages/${found.id}`);
  return simpleParser(exchange.requestBody);
}, 'no mail arrived');

/** The values of each parameter in an address, whatever the case of its name. */
function valuesOf(address: string, name: string): readonly string[] {
  const found = [...new URL(address).searchParams].filter(([one]) => one.toLowerCase() === name);
  return found.map(([, value]) => value);
}

function hasEachOnce(t: Test, address: string): void {
  const isOwn = address.includes('/own');
  const expected = isOwn
    ? { ...parameters, utm_source: 'theirs', utm_medium: 'print' }
    : parameters;
  for (const [name, value] of Object.entries(expected))
    t.strictSame(valuesOf(address, name), [value], `${name} of ${address}`);
}

const pages = ['plain', 'own', 'q', 'shown', '%C3%BCn%C3%AFcode/Ada', 'deep', 'button'];
const hrefs = [...String(mail.html).matchAll(/href="([^"]*)"/g)].map(([, href = '']) =>
  href.replaceAll('&amp;', '&'),
);
const isTracked = (href: string) => new URL(href, 'http://x').pathname.startsWith('/c/');

t.test('a tracked link leads to the address with each parameter once', async (t) => {
  const tracked = hrefs.filter(isTracked);
  t.equal(tracked.length, pages.length);
  const led: string[] = [];
  for (const href of tracked) {
    t.notMatch(href, /utm_/, 'the token alone');
    const answer = await fetch(href, { redirect: 'manual' });
    t.equal(answer.status, 302);
    const address = String(answer.headers.get('location'));
    hasEachOnce(t, address);
    led.push(new URL(address).pathname.slice(1));
  }
  t.same(led.sort(), [...pages].sort());
});

t.test('what else the author wrote in an address is as it was', async (t) => {
  const addresses = await Promise.all(
    hrefs.filter(isTracked).map(async (href) => {
      const answer = await fetch(href, { redirect: 'manual' });
      return String(answer.headers.get('location'));
    }),
  );
  const at = (page: string) => addresses.find((one) => new URL(one).pathname === `/${page}`) ?? '';
  t.match(at('q'), /^https:\/\/shop\.example\/q\?a=1&b=2&utm_source=.*#part$/);
  t.match(at('button'), /\?x=%20y&utm_source=/);
  t.match(at('own'), /\?utm_source=theirs&UTM_Medium=print&utm_campaign=Spring%20%26%20more$/);
});

t.test('the plain text has the same addresses, each once, and no tokens', async (t) => {
  const text = String(mail.text);
  const addresses = [...text.matchAll(/https:\/\/shop\.example\/[^\s()]+/g)].map(([one]) => one);
  t.same(addresses.map((one) => new URL(one).pathname.slice(1)).sort(), [...pages].sort());
  for (const address of addresses) hasEachOnce(t, address);
  t.notMatch(text, /\/c\//);
});

t.test('links that no campaign brought anybody to have no parameters', async (t) => {
  const others = hrefs.filter((href) => !isTracked(href));
  t.ok(others.includes('mailto:help@shop.example?subject=utm'));
  t.ok(others.includes('tel:+84901234567'));
  t.ok(others.includes('#part'));
  const ours = others.filter((href) => href.startsWith('http'));
  t.ok(ours.length >= 2, 'of the preferences and to unsubscribe');
  for (const href of [...others, String(mail.headers.get('list'))]) t.notMatch(href, /utm_/);
  for (const line of String(mail.text).split('\n'))
    if (/mailto|tel:|help@|\+8490/.test(line)) t.notMatch(line, /help@[^\s]*utm_|tel:[^\s]*utm_/);
  const raw = JSON.stringify(mail.headerLines);
  t.match(raw, /List-Unsubscribe/i);
  t.notMatch(raw, /utm_/);
});
