// Sessions of people over HTTP: who signs in and how, what a session may do, what ends it, which
// calls its cookie counts in, and that a killed server forgets no end.

import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually, makeOrg } from '../support/server.ts';
import { type Browser, browser, pageHeaders } from '../support/signed-in.ts';
import { chapter } from './chapter.ts';

const all = await chapter(t);
const { server } = all;
let address = 0;

/** From an address of its own, since visitors' calls count per address. */
function visitor(): Browser {
  const page = browser(server.url);
  const from = { 'x-forwarded-for': `198.51.100.${++address}` };
  const call: Browser['call'] = (line, body, more) => page.call(line, body, { ...from, ...more });
  return { ...page, call, signIn: (body) => call('POST /v1/session', body) };
}

/** The link in the newest mail to an address. */
async function mailedLink(email: string): Promise<string> {
  return eventually(async () => {
    const inbox = client(server.sandboxUrl);
    const { json } = await inbox.call(
      `GET /control/messages?channel=email&to=${encodeURIComponent(email)}`,
    );
    return /#link=([\w-]{43})/.exec(JSON.stringify(json))?.[1];
  }, `no mail to ${email}`);
}

async function signedIn(email: string): Promise<Browser> {
  const page = visitor();
  const asked = await page.call('POST /v1/session/link', { email });
  if (asked.status !== 202) throw new Error(asked.text);
  const opened = await page.signIn({ link: await mailedLink(email) });
  if (opened.status !== 201) throw new Error(opened.text);
  return page;
}

t.test(
  'an API key signs in: its scopes, its org, and no cookie that scripts can read',
  async (t) => {
    const { org, app } = all;
    const page = visitor();
    const opened = await page.signIn({ apiKey: org.key });
    t.equal(opened.status, 201, opened.text);
    t.match(opened.headers['set-cookie'], /^engage=es_[0-9a-z]{12}_[\w-]{43}; /);
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/'])
      t.match(opened.headers['set-cookie'], part);
    t.notMatch(opened.headers['set-cookie'], /Secure/, 'on plain http');
    t.notMatch(opened.text, /\bes_/, 'the token is in the cookie alone');
    const session = await page.must('GET /v1/session');
    t.same(session, opened.json);
    t.match(session, {
      signedIn: true,
      id: /^ses_/,
      key: { id: /^key_/, name: /first key/ },
      org: { id: org.id, name: 'Contract' },
      orgs: [],
      role: null,
      scopes: ['read', 'write', 'send', 'admin'],
      apps: [{ id: app, name: 'Contract' }],
      mode: 'sandbox',
      branding: { productName: 'Engage' },
    });
    t.notOk('member' in session);
    t.match(await page.must('GET /v1/org'), { id: org.id });
  },
);

t.test('without a session a page learns so without an error', async (t) => {
  const page = visitor();
  const visit = { signedIn: false, setup: false, mode: 'sandbox' };
  t.same(await page.must('GET /v1/session'), visit);
  const stale = await page.call('GET /v1/session', undefined, {
    cookie: `engage=es_${'0'.repeat(12)}_${'A'.repeat(43)}`,
  });
  t.same(stale.json, visit);
});

t.test('a mailed link signs a member in once', async (t) => {
  const { client: api, id } = await makeOrg(server, 'Mailed');
  const ada = await api.must('POST /v1/org/members', { email: 'ada@mailed.test', role: 'editor' });
  const page = visitor();
  const asked = await page.call('POST /v1/session/link', { email: 'ADA@mailed.test' });
  t.match(asked, { status: 202, json: { accepted: true } });
  const link = await mailedLink('ada@mailed.test');
  const read = () => page.call('POST /v1/session/link/read', { link });
  t.match(await read(), {
    status: 200,
    json: { email: 'ada@mailed.test', org: { id, name: 'Mailed' }, expiresAt: /Z$/ },
  });
  t.match(await page.signIn({ once: link }), { status: 401, json: { field: 'once' } });
  const opened = await page.signIn({ link });
  t.match(opened, {
    status: 201,
    json: {
      member: { id: ada.id, email: 'ada@mailed.test' },
      role: 'editor',
      scopes: ['read', 'write', 'send'],
      orgs: [{ id, name: 'Mailed', role: 'editor' }],
    },
  });
  t.match(await read(), { status: 401, json: { field: 'link', error: /was used/ } });
  t.match(await visitor().signIn({ link }), { status: 401, json: { code: 'unauthorized' } });
  t.match(await page.call('POST /v1/keys', { name: 'No', scopes: ['read'] }), {
    status: 403,
    json: { code: 'forbidden', error: /the role editor lacks the scope admin/ },
  });
});

t.test('an unknown address gets the same answer, and nobody more than five links', async (t) => {
  const { client: api } = await makeOrg(server, 'Five');
  await api.must('POST /v1/org/members', { email: 'five@five.test', role: 'viewer' });
  const page = visitor();
  for (const email of ['nobody@five.test', ...Array(7).fill('five@five.test')]) {
    const { status, text } = await page.call('POST /v1/session/link', { email });
    t.equal(status, 202);
    t.equal(text, '{"accepted":true}\n');
  }
  const inbox = client(server.sandboxUrl);
  const mailed = async (to: string): Promise<number> =>
    (await inbox.must(`GET /control/messages?channel=email&to=${to}`)).messages.length;
  await eventually(async () => ((await mailed('five@five.test')) >= 5 ? true : undefined), 'five');
  t.equal(await mailed('five@five.test'), 5);
  t.equal(await mailed('nobody@five.test'), 0);
});

t.test('signing out ends the session at once, and a new sign-in ends the old one', async (t) => {
  const page = visitor();
  await page.signIn({ apiKey: all.org.key });
  const first = page.cookie();
  await page.signIn({ apiKey: all.org.key });
  t.not(page.cookie(), first);
  const read = (cookie: string) => visitor().call('GET /v1/org', undefined, { cookie });
  t.equal((await read(first)).status, 401, 'no fixation: the first token is dead');
  const second = page.cookie();
  t.equal((await read(second)).status, 200);
  const out = await page.signOut();
  t.equal(out.status, 204);
  t.match(out.headers['set-cookie'], /^engage=; Max-Age=0;/);
  t.equal((await read(second)).status, 401);
  t.equal((await page.signOut()).status, 204, 'also without a session');
});

t.test('a session ends with its member, its key, its app, and by an admin', async (t) => {
  const { client: api } = await makeOrg(server, 'Ends');
  const app = await api.must('POST /v1/apps', { name: 'One' });
  const member = await api.must('POST /v1/org/members', { email: 'a@ends.test', role: 'owner' });
  const key = await api.must('POST /v1/keys', { name: 'K', scopes: ['read'] });
  const ofApp = await api.must('POST /v1/keys', { name: 'A', scopes: ['read'], appId: app.id });
  const pages: [string, Browser, () => Promise<unknown>][] = [];
  const byKey = visitor();
  await byKey.signIn({ apiKey: key.key });
  pages.push(['key', byKey, () => api.must(`DELETE /v1/keys/${key.id}`)]);
  const byAppKey = visitor();
  t.match(await byAppKey.signIn({ apiKey: ofApp.key }), { json: { apps: [{ id: app.id }] } });
  pages.push(['app', byAppKey, () => api.must(`DELETE /v1/apps/${app.id}`)]);
  const byLink = await signedIn('a@ends.test');
  pages.push(['member', byLink, () => api.must(`DELETE /v1/org/members/${member.id}`)]);
  const byAdmin = visitor();
  const { json } = await byAdmin.signIn({
    apiKey: (await api.must('POST /v1/keys', { name: 'B', scopes: ['read'] })).key,
  });
  pages.push(['admin', byAdmin, () => api.must(`DELETE /v1/org/sessions/${json.id}`)]);
  t.equal((await api.must('GET /v1/org/sessions')).total, 4);
  for (const [what, page, end] of pages) {
    t.equal((await page.call('GET /v1/apps')).status, 200, `${what}: before`);
    await end();
    t.equal((await page.call('GET /v1/apps')).status, 401, `${what}: after`);
  }
  t.same((await api.must('GET /v1/org/sessions')).items, []);
  t.match(await api.call(`DELETE /v1/org/sessions/${json.id}`), { status: 404 });
});

t.test('a deleted client workspace signs its people out', async (t) => {
  const { client: api } = await makeOrg(server, 'Agency');
  const { org, apiKey } = await api.must('POST /v1/org/clients', { name: 'Client' });
  const page = visitor();
  await page.signIn({ apiKey: apiKey.key });
  t.equal((await page.call('GET /v1/org')).status, 200);
  await api.must(`DELETE /v1/org/clients/${org.id}`);
  t.equal((await page.call('GET /v1/org')).status, 401);
  t.match(await page.must('GET /v1/session'), { signedIn: false });
});

t.test('an address in two orgs changes between them', async (t) => {
  const one = await makeOrg(server, 'One');
  const two = await makeOrg(server, 'Two');
  const three = await makeOrg(server, 'Three');
  const email = 'both@orgs.test';
  await one.client.must('POST /v1/org/members', { email, role: 'owner' });
  const page = await signedIn(email);
  await two.client.must('POST /v1/org/members', { email: 'Both@orgs.test', role: 'viewer' });
  const before = page.cookie();
  const first = await page.must('GET /v1/session');
  t.match(first, { orgs: [{ id: one.id }], invitations: [{ id: two.id, role: 'viewer' }] });
  const changed = await page.signIn({ org: two.id });
  t.match(changed, {
    status: 201,
    json: { org: { id: two.id }, role: 'viewer', scopes: ['read'], signedInAt: first.signedInAt },
  });
  t.match(await page.must('GET /v1/org'), { id: two.id });
  t.equal((await visitor().call('GET /v1/org', undefined, { cookie: before })).status, 401);
  t.match(await page.signIn({ org: three.id }), { status: 404, json: { field: 'org' } });
  t.match(await visitor().signIn({ org: two.id }), { status: 401 });
});

t.test('a changed role holds in open sessions at once', async (t) => {
  const { client: api } = await makeOrg(server, 'Changed');
  await api.must('POST /v1/org/members', { email: 'boss@changed.test', role: 'owner' });
  const eva = await api.must('POST /v1/org/members', { email: 'eva@changed.test', role: 'owner' });
  await signedIn('boss@changed.test');
  const page = await signedIn('eva@changed.test');
  await page.must('GET /v1/org/members');
  await api.must(`PATCH /v1/org/members/${eva.id}`, { role: 'viewer' });
  t.equal((await page.call('GET /v1/org/members')).status, 403);
  t.match(await page.must('GET /v1/session'), { role: 'viewer', scopes: ['read'] });
  const own = await page.call(`PATCH /v1/org/members/${eva.id}`, { role: 'owner' });
  t.equal(own.status, 403, 'a viewer is nobody who gives roles');
  await api.must(`PATCH /v1/org/members/${eva.id}`, { role: 'editor' });
  t.match(await page.must('GET /v1/session'), { role: 'editor' });
});

t.test('a role changes by a new membership, which ends the sessions of the old one', async (t) => {
  const { client: api } = await makeOrg(server, 'Roles');
  await api.must('POST /v1/org/members', { email: 'boss@roles.test', role: 'owner' });
  const was = await api.must('POST /v1/org/members', { email: 'eva@roles.test', role: 'viewer' });
  const page = await signedIn('eva@roles.test');
  await api.must(`DELETE /v1/org/members/${was.id}`);
  await api.must('POST /v1/org/members', { email: 'eva@roles.test', role: 'owner' });
  t.equal((await page.call('GET /v1/org')).status, 401);
});

t.test(
  'an owner makes keys; the audit log names the member, and the key of a key session',
  async (t) => {
    const { client: api, key } = await makeOrg(server, 'Makers');
    const ada = await api.must('POST /v1/org/members', { email: 'ada@makers.test', role: 'owner' });
    const page = await signedIn('ada@makers.test');
    const made = await page.must('POST /v1/keys', { name: 'By Ada', scopes: ['read', 'admin'] });
    const limited = await api.must('POST /v1/keys', { name: 'Less', scopes: ['read', 'admin'] });
    const less = visitor();
    await less.signIn({ apiKey: limited.key });
    await less.must('PATCH /v1/org', { name: 'Renamed' });
    t.match(await less.call('POST /v1/keys', { name: 'More', scopes: ['send'] }), {
      status: 403,
      json: { field: 'scopes' },
    });
    const { items } = await api.must('GET /v1/org/audit-log');
    t.match(items[0], { action: 'org.renamed', actor: limited.id, actorName: 'Less' });
    t.match(
      items.find(({ target }: { target: string }) => target === made.id),
      { action: 'key.created', actor: ada.id },
    );
    const keys = (await api.must('GET /v1/keys')).items;
    t.same(keys.map(({ name }: { name: string }) => name).sort(), [
      'By Ada',
      'Less',
      'Makers (first key)',
    ]);
    t.ok(key);
  },
);

t.test('the list says whose sessions there are, and which one is this', async (t) => {
  const { client: api, key } = await makeOrg(server, 'Listed');
  await api.must('POST /v1/org/members', { email: 'ada@listed.test', role: 'owner' });
  const page = await signedIn('ada@listed.test');
  const other = visitor();
  await other.signIn({ apiKey: key });
  const { items, total } = await page.must('GET /v1/org/sessions?order=oldest');
  t.equal(total, 2);
  t.match(items[0], {
    member: { email: 'ada@listed.test', role: 'owner' },
    key: null,
    current: true,
  });
  t.match(items[1], { member: null, key: { name: 'Listed (first key)' }, current: false });
  t.match(await page.must('GET /v1/org/sessions?q=ada@'), { total: 1 });
  const view = await api.must('POST /v1/keys', { name: 'V', scopes: ['read'] });
  t.equal((await client(server.url, view.key).call('GET /v1/org/sessions')).status, 403);
});

t.test('a cookie counts in no call of another site', async (t) => {
  const { client: api, key } = await makeOrg(server, 'Forged');
  const page = visitor();
  await page.signIn({ apiKey: key });
  const cookie = page.cookie();
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Forged' });
  const own = { cookie, ...pageHeaders };
  const cross = 'https://evil.example';
  const forms: readonly (readonly [string, string, string | undefined, object])[] = [
    [
      'form post',
      'POST /v1/apps',
      'name=Forged',
      {
        'content-type': 'application/x-www-form-urlencoded',
        origin: cross,
        'sec-fetch-site': 'cross-site',
      },
    ],
    [
      'text/plain',
      'POST /v1/apps',
      body,
      { 'content-type': 'text/plain', origin: cross, 'sec-fetch-site': 'cross-site' },
    ],
    [
      'no-cors fetch',
      'POST /v1/apps',
      body,
      {
        'content-type': 'text/plain',
        origin: cross,
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-site': 'cross-site',
      },
    ],
    [
      'cors with the header',
      'POST /v1/apps',
      body,
      { ...json, 'x-engage-dashboard': '1', origin: cross, 'sec-fetch-site': 'cross-site' },
    ],
    [
      'same site, other origin',
      'POST /v1/apps',
      body,
      { ...json, 'x-engage-dashboard': '1', 'sec-fetch-site': 'same-site' },
    ],
    [
      'no site',
      'POST /v1/apps',
      body,
      { ...json, 'x-engage-dashboard': '1', 'sec-fetch-site': 'none' },
    ],
    [
      'same origin without the header',
      'POST /v1/apps',
      body,
      { ...json, 'sec-fetch-site': 'same-origin' },
    ],
    ['wrong origin', 'POST /v1/apps', body, { ...json, 'x-engage-dashboard': '1', origin: cross }],
    ['null origin', 'POST /v1/apps', body, { ...json, 'x-engage-dashboard': '1', origin: 'null' }],
    [
      'navigation',
      'GET /v1/apps',
      undefined,
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ],
    ['typed address', 'GET /v1/apps', undefined, { 'sec-fetch-site': 'none' }],
    [
      'image',
      'GET /v1/apps',
      undefined,
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
    ],
    ['old browser', 'GET /v1/apps', undefined, {}],
    ['upgrade', 'GET /v1/apps', undefined, { origin: cross, 'sec-websocket-version': '13' }],
    ['HEAD', 'HEAD /v1/apps', undefined, { 'sec-fetch-site': 'cross-site' }],
    [
      'method override',
      'POST /v1/apps',
      body,
      { ...json, 'x-http-method-override': 'GET', 'sec-fetch-site': 'cross-site' },
    ],
    [
      'delete',
      'DELETE /v1/session',
      undefined,
      { 'x-engage-dashboard': '1', origin: cross, 'sec-fetch-site': 'cross-site' },
    ],
    [
      'sign-in',
      'POST /v1/session',
      JSON.stringify({ apiKey: key }),
      { ...json, 'sec-fetch-site': 'same-origin' },
    ],
    [
      'link',
      'POST /v1/session/link',
      JSON.stringify({ email: 'a@b.test' }),
      { ...json, origin: cross },
    ],
    [
      'empty bearer',
      'GET /v1/apps',
      undefined,
      { authorization: 'Bearer x', 'sec-fetch-site': 'same-origin' },
    ],
    [
      'as a bearer token',
      'GET /v1/apps',
      undefined,
      { authorization: `Bearer ${cookie.slice(7)}`, 'sec-fetch-site': 'same-origin' },
    ],
  ];
  for (const [what, line, sent, headers] of forms) {
    const { status } = await client(server.url).call(line, sent, {
      'x-forwarded-for': `203.0.113.${++address}`,
      cookie,
      ...(headers as Record<string, string>),
    });
    t.equal(status, 401, what);
  }
  const preflight = await client(server.url).call('OPTIONS /v1/apps', undefined, { origin: cross });
  t.notOk(preflight.headers['access-control-allow-origin']);
  t.same((await api.must('GET /v1/apps')).items, []);
  t.match(await page.must('GET /v1/session'), { signedIn: true }, 'nobody signed it out');
  const { origin } = new URL(server.url);
  const old = { cookie, origin, ...json, 'x-engage-dashboard': '1' };
  t.equal((await client(server.url).call('POST /v1/apps', body, old)).status, 201, 'own origin');
  t.equal((await client(server.url).call('HEAD /v1/apps', undefined, own)).status, 200);
});

t.test('wrong keys and links are refused after twenty, and right ones never', async (t) => {
  const { client: api, key } = await makeOrg(server, 'Guessed');
  await api.must('POST /v1/org/members', { email: 'eve@guessed.test', role: 'owner' });
  const page = visitor();
  const tries = [{ apiKey: 'ek_nonsense' }, { link: 'A'.repeat(43) }];
  for (let nth = 0; nth < 40; nth++) t.equal((await page.signIn(tries[nth % 2] ?? {})).status, 401);
  for (const wrong of tries)
    t.match(await page.signIn(wrong), { status: 429, json: { code: 'rate_limited' } });
  t.equal((await page.call('POST /v1/session/link/read', tries[1])).status, 429);
  t.equal((await page.call('POST /v1/session/link', { email: 'eve@guessed.test' })).status, 202);
  const link = await mailedLink('eve@guessed.test');
  t.equal((await page.call('POST /v1/session/link/read', { link })).status, 200);
  t.equal((await page.signIn({ apiKey: key })).status, 201);
  t.equal((await page.signIn({ link })).status, 201);
});

t.test('bad input names the field', async (t) => {
  const page = visitor();
  for (const [body, field] of [
    [{}, 'link'],
    [{ link: 'A'.repeat(43), apiKey: 'ek_1' }, 'link'],
    [{ once: 'A'.repeat(43), org: 'org_1' }, 'link'],
    [{ link: 'A'.repeat(43), org: '' }, 'org'],
    [{ link: 'short' }, 'link'],
    [{ apiKey: '' }, 'apiKey'],
  ] as const)
    t.match(await page.signIn(body), { status: 400, json: { field } }, JSON.stringify(body));
  t.match(await page.call('POST /v1/session/link', { email: 'x' }), {
    status: 400,
    json: { field: 'email' },
  });
  t.match(
    await page.call('GET /v1/org/sessions?limit=0', undefined, {
      authorization: `Bearer ${all.org.key}`,
    }),
    { status: 400, json: { field: 'limit' } },
  );
});

t.test(
  'a killed server keeps sessions and brings back neither ended ones nor used links',
  async (t) => {
    const { client: api, key } = await makeOrg(server, 'Killed');
    const linkOf = async (email: string, role: string) => {
      await api.must('POST /v1/org/members', { email, role });
      await visitor().call('POST /v1/session/link', { email });
      return mailedLink(email);
    };
    const unused = await linkOf('ben@killed.test', 'viewer');
    const used = await linkOf('ada@killed.test', 'owner');
    const page = visitor();
    t.equal((await page.signIn({ link: used })).status, 201);
    const kept = visitor();
    await kept.signIn({ apiKey: key });
    const ended = visitor();
    await ended.signIn({ apiKey: key });
    const cookie = ended.cookie();
    const holds = async (t: Test) => {
      t.match(await kept.call('GET /v1/session'), { json: { signedIn: true } });
      t.match(await page.call('GET /v1/session'), { json: { signedIn: true, role: 'owner' } });
      const again = await visitor().call('GET /v1/session', undefined, { cookie });
      t.match(again, { json: { signedIn: false } });
      t.equal((await visitor().signIn({ link: used })).status, 401);
      t.equal((await visitor().signIn({ link: unused })).status, 201, 'it outlives the server');
    };
    const begin = () => ended.signOut();
    afterKill(server, 'sessions and links are open, ended and used as before', holds, begin);
  },
);
