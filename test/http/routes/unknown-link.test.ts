// A tracked link that this server did not make: a person sees a page, a program gets JSON.

import t from 'tap';
import { fakeFront } from './fake-front.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const call = (line: string, headers: Readonly<Record<string, string>>) =>
  fakeFront(() => null).call(line, { key: 'none', headers });

t.test('a browser shows a page in its language', async (t) => {
  const german = { accept: browser, 'accept-language': 'de-AT,en;q=0.5' };
  const page = await call('GET /c/none', german);
  t.equal(page.status, 404);
  t.match(page.headers['content-type'], /^text\/html/);
  t.match(page.text, /<html lang="de-at">/);
  t.match(page.text, /<h1>Dieser Link funktioniert nicht<\/h1>/);
  t.match(page.text, /Öffnen Sie ihn noch einmal aus der E-Mail\.</);
  t.notMatch(page.text, /<script|<form|Liste/, 'it loads nothing and asks for nothing');
  const arabic = await call('GET /c/none', { accept: browser, 'accept-language': 'ar' });
  t.match(arabic.text, /<html lang="ar" dir="rtl">/);
  t.match((await call('GET /c/none', { accept: browser })).text, /This link does not work/);
});

t.test('its headers are those of the unsubscribe page', async (t) => {
  const headers = { accept: browser };
  const [link, optOut] = [await call('GET /c/none', headers), await call('GET /u/none', headers)];
  t.equal(optOut.status, 404);
  for (const name of [
    'content-security-policy',
    'referrer-policy',
    'x-content-type-options',
    'x-robots-tag',
    'cache-control',
  ]) {
    t.ok(link.headers[name], name);
    t.equal(link.headers[name], optOut.headers[name], name);
  }
});

t.test('a program gets the JSON of every other refusal', async (t) => {
  for (const accept of ['', '*/*', 'application/json', 'application/json, text/html']) {
    const refused = await call('GET /c/none', { accept });
    t.equal(refused.status, 404, accept);
    t.match(refused.json, { error: 'link not found', code: 'not_found' }, accept);
  }
});
