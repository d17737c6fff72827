// Mails with sign-in links, which anybody may ask for: no tenant's words, bounds that no tenant can
// go around, and an end for whoever wants none.

import t from 'tap';
import { client, eventually, makeOrg } from '../support/server.ts';
import { browser } from '../support/signed-in.ts';
import { chapter } from './chapter.ts';

const all = await chapter(t);
const { server } = all;
let address = 0;
const fresh = () => ({ 'x-forwarded-for': `203.0.113.${++address}` });

function from(headers: Readonly<Record<string, string>>) {
  const page = browser(server.url);
  const call: typeof page.call = (line, body, more) =>
    page.call(line, body, { ...headers, ...more });
  return {
    call,
    ask: (email: string) => call('POST /v1/session/link', { email }),
    signIn: (body: object) => call('POST /v1/session', body),
  };
}

const inbox = client(server.sandboxUrl);
async function mailsTo(email: string): Promise<readonly string[]> {
  const line = `GET /control/messages?channel=email&to=${encodeURIComponent(email)}&limit=200`;
  const { json } = await inbox.call(line);
  const items = (Array.isArray(json) ? json : json.messages) as readonly unknown[];
  return items.map((one) => JSON.stringify(one));
}
const linksTo = async (email: string) =>
  (await mailsTo(email)).flatMap((one) => /#link=([\w-]{43})/.exec(one)?.[1] ?? []);

/** As `/metrics` counts them. */
async function results(): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${server.metricsUrl}/metrics`)).text();
  const lines = text.matchAll(/^engage_sign_in_mails_total\{result="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, result = '', n]) => [result, Number(n)]));
}

/** Resolves once `count` more requests have had their result. */
async function settled(count: number, ask: () => Promise<unknown>) {
  const sum = async () => Object.values(await results()).reduce((all, n) => all + n, 0);
  const before = await sum();
  await ask();
  await eventually(async () => ((await sum()) >= before + count ? true : undefined), 'no result');
}

t.test('a mail has no word of a tenant, and a way to stop more', async (t) => {
  const { client: api } = await makeOrg(
    server,
    'Your parcel waits: pay at https://evil.example/pay',
  );
  const email = 'ada+evil.example@words.test';
  await api.must('POST /v1/org/members', { email, role: 'viewer' });
  await settled(1, () => from(fresh()).ask(email));
  const [mail = ''] = await mailsTo(email);
  t.match(mail, /Your sign-in link/);
  t.notMatch(mail, /parcel|evil\.example\/|pay/);
  const { exchange } = await inbox.must(`GET /control/messages/${JSON.parse(mail).id}`);
  t.match(JSON.stringify(exchange), /List-Unsubscribe-Post: List-Unsubscribe=One-Click/);
  t.match(JSON.stringify(exchange), /platform\+[0-9a-z]{36}\.[0-9a-z]{16}@/, 'it can come back');
  t.match(mail, /works once, for 15 minutes/);
});

t.test('an org cannot have strangers written to beyond its bound', async (t) => {
  const { client: api } = await makeOrg(server, 'Relay');
  for (let nth = 0; nth < 30; nth++) {
    const email = `stranger-${nth}@relay.test`;
    const { id } = await api.must('POST /v1/org/members', { email, role: 'viewer' });
    await settled(1, () => from(fresh()).ask(email));
    await api.call(`DELETE /v1/org/members/${id}`);
  }
  let mails = 0;
  for (let nth = 0; nth < 30; nth++) mails += (await mailsTo(`stranger-${nth}@relay.test`)).length;
  t.equal(mails, 20);
  t.ok(((await results())['org'] ?? 0) >= 10, 'counted');
});

t.test('an address gets five an hour, over all orgs and memberships', async (t) => {
  const email = 'often@bounds.test';
  for (let nth = 0; nth < 8; nth++) {
    const { client: api } = await makeOrg(server, `Of ${nth}`);
    const { id } = await api.must('POST /v1/org/members', { email, role: 'viewer' });
    await settled(1, () => from(fresh()).ask(nth % 2 === 0 ? email : email.toUpperCase()));
    await api.call(`DELETE /v1/org/members/${id}`);
  }
  t.equal((await mailsTo(email)).length, 5);
});

t.test('whoever wants none gets none, until they say otherwise', async (t) => {
  const { client: api } = await makeOrg(server, 'Stopped');
  const email = 'not-me@stopped.test';
  await api.must('POST /v1/org/members', { email, role: 'viewer' });
  await settled(1, () => from(fresh()).ask(email));
  const [mail = ''] = await mailsTo(email);
  const path = /\/stop\/[\w-]+/.exec(mail)?.[0];
  const anybody = client(server.url);
  t.match(await anybody.call(`GET ${path}`), { status: 200, text: /Stop sign-in mails/ });
  await settled(1, () => from(fresh()).ask(email));
  t.equal((await mailsTo(email)).length, 2, 'opening the page changes nothing');
  const oneClick = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  t.equal(oneClick.status, 200);
  await settled(1, () => from(fresh()).ask(email.toUpperCase()));
  t.equal((await mailsTo(email)).length, 2);
  t.equal((await results())['stopped'], 1);
  const again = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'again=1',
  });
  t.equal(again.status, 200);
  await settled(1, () => from(fresh()).ask(email));
  t.equal((await mailsTo(email)).length, 3);
  t.match(await anybody.call('GET /stop/forged'), { status: 404, text: /does not work/ });
});

t.test('strangers who ask for links leave an owner theirs', async (t) => {
  const { client: api } = await makeOrg(server, 'Owned');
  const email = 'owner@owned.test';
  await api.must('POST /v1/org/members', { email, role: 'owner' });
  const home = fresh();
  await settled(1, () => from(home).ask(email));
  const [first] = await linksTo(email);
  t.equal((await from(home).signIn({ link: first })).status, 201);
  for (let nth = 0; nth < 9; nth++) await settled(1, () => from(fresh()).ask(email));
  const asked = await linksTo(email);
  t.equal(asked.length, 5, 'strangers’ and the first one');
  const last = (await mailsTo(email)).filter((one) => /for (5\d|60) minutes/.test(one));
  t.equal(last.length, 1, 'the last one works until another may be made');
  await settled(1, () => from(home).ask(email));
  const [own] = (await linksTo(email)).filter((one) => !asked.includes(one));
  t.ok(own, 'who signed in from here before has links of their own');
  t.equal((await from(home).signIn({ link: own })).status, 201);
});

t.test('strangers leave an owner of two orgs theirs, whichever was used last', async (t) => {
  const email = 'owner@twice.test';
  const [first, second] = [await makeOrg(server, 'First'), await makeOrg(server, 'Second')];
  await first.client.must('POST /v1/org/members', { email, role: 'owner' });
  const home = fresh();
  const page = from(home);
  await settled(1, () => page.ask(email));
  const [link] = await linksTo(email);
  t.equal((await page.signIn({ link })).status, 201);
  await second.client.must('POST /v1/org/members', { email, role: 'owner' });
  t.equal((await page.signIn({ org: second.id })).status, 201, 'it switches to the other org');
  for (let nth = 0; nth < 9; nth++) await settled(1, () => from(fresh()).ask(email));
  const asked = await linksTo(email);
  await settled(1, () => from(home).ask(email));
  const [own] = (await linksTo(email)).filter((one) => !asked.includes(one));
  t.ok(own, 'who signed in from here before has links of their own');
  t.equal((await from(home).signIn({ link: own })).status, 201);
});
