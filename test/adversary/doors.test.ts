// Somebody behind the same proxy as everybody, with wrong keys and links of every kind, before and
// after the server was killed: whoever has a right one passes.

import t, { type Test } from 'tap';
import { makeKey } from '../../http/call/admission/authenticate.ts';
import { makeLinkToken } from '../../http/call/session/link-token.ts';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually } from '../support/server.ts';
import { browser } from '../support/signed-in.ts';
import { victim } from './stranger.ts';

const all = await victim(t);
const { api, app, base, server } = all;
const proxy = { 'x-forwarded-for': '10.200.0.1' };
const at = (key: string) => client(server.url, key, proxy);
const basic = (key: string) => ({
  authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
});

const page = () => {
  const one = browser(server.url);
  const call: typeof one.call = (line, body, more) => one.call(line, body, { ...proxy, ...more });
  return { ...one, call, signIn: (body: object) => call('POST /v1/session', body) };
};

const newKey = async () => (await api.must('POST /v1/keys', { name: 'k', scopes: ['read'] })).key;
const email = 'ada@doors.test';

const seen = new Set<string | undefined>();

async function newLink(): Promise<string> {
  await page().call('POST /v1/session/link', { email });
  const inbox = client(server.sandboxUrl);
  return eventually(async () => {
    const list = `GET /control/messages?channel=email&to=${encodeURIComponent(email)}`;
    const text = JSON.stringify((await inbox.call(list)).json);
    const [fresh] = [...text.matchAll(/#link=([\w-]{43})/g)].filter(([, one]) => !seen.has(one));
    if (fresh !== undefined) seen.add(fresh[1]);
    return fresh?.[1];
  }, 'no mail');
}

/** Uses up whatever an address may try. */
async function tryEverything(): Promise<void> {
  const wrong = (nth: number) => [
    at(makeKey(nth & 4095).text).call('GET /v1/org'),
    at('nonsense').call('GET /v1/org'),
    at('').call('GET /v1/org'),
    at('').call(`POST /i/cdp/${app}`, { batch: [] }, basic(`wrong-${nth}`)),
    page().call('POST /v1/session/link/read', { link: makeLinkToken(nth & 4095).text }),
    page().signIn({ apiKey: makeKey(nth & 4095).text }),
  ];
  for (let nth = 0; nth < 320; nth++) await Promise.all(wrong(nth));
}

t.test('what is made while its address is used up works at once', async (t) => {
  await api.must('POST /v1/org/members', { email, role: 'owner' });
  const ready = await newKey();
  const signedIn = page();
  t.equal((await signedIn.signIn({ link: await newLink() })).status, 201);
  const { writeKey } = await api.must(`PUT ${base}/integrations/cdp`);
  await tryEverything();
  t.match(await at(makeKey(1).text).call('GET /v1/org'), { status: 429 }, 'it is used up');
  const works = async (t: Test, key: string) => {
    t.equal((await at(key).call('GET /v1/org')).status, 200, 'a key');
    t.equal((await page().signIn({ apiKey: key })).status, 201, 'a key at the sign-in');
    t.equal((await signedIn.call('GET /v1/apps')).status, 200, 'a session');
    t.match(await signedIn.call('GET /v1/session'), { json: { signedIn: true } });
    const cdp = at('').call(`POST /i/cdp/${app}`, { batch: [] }, basic(writeKey));
    t.equal((await cdp).status, 200, 'a write key');
  };
  await works(t, ready);
  await works(t, await newKey());
  t.equal((await page().signIn({ link: await newLink() })).status, 201, 'a link');
  t.equal((await api.call('GET /v1/org')).status, 200);
  const link = await newLink();
  const late = await newKey();
  afterKill(
    server,
    'right keys, links and sessions pass where all others are used up',
    async (t) => {
      await tryEverything();
      t.match(await at(makeKey(1).text).call('GET /v1/org'), { status: 429 }, 'it is used up');
      await works(t, late);
      t.equal((await page().call('POST /v1/session/link/read', { link })).status, 200);
      t.equal((await page().signIn({ link })).status, 201);
    },
  );
});
