// Memberships that others made: open until their person accepts, chosen by the person where there
// are several, and left by the person's own call.

import t from 'tap';
import { client, eventually, makeOrg } from '../support/server.ts';
import { type Browser, browser } from '../support/signed-in.ts';
import { chapter } from './chapter.ts';

const { server } = await chapter(t);
let address = 0;

/** From an address of its own, since visitors' calls count per address. */
function visitor(): Browser {
  const page = browser(server.url);
  const from = { 'x-forwarded-for': `198.51.101.${++address}` };
  const call: Browser['call'] = (line, body, more) => page.call(line, body, { ...from, ...more });
  return { ...page, call, signIn: (body) => call('POST /v1/session', body) };
}

async function linkTo(page: Browser, email: string, other?: string): Promise<string> {
  const asked = await page.call('POST /v1/session/link', { email });
  if (asked.status !== 202) throw new Error(asked.text);
  const inbox = client(server.sandboxUrl);
  return eventually(async () => {
    const { json } = await inbox.call(`GET /control/messages?channel=email&to=${email}`);
    const all = [...JSON.stringify(json).matchAll(/#link=([\w-]{43})/g)].map(([, text]) => text);
    return all.find((text) => text !== other);
  }, `no mail to ${email}`);
}

type Org = Awaited<ReturnType<typeof makeOrg>>;

async function invitedTo(email: string, ...names: readonly string[]): Promise<readonly Org[]> {
  const orgs: Org[] = [];
  for (const name of names) {
    const org = await makeOrg(server, name);
    await org.client.must('POST /v1/org/members', { email, role: 'owner' });
    orgs.push(org);
  }
  return orgs;
}

async function memberOf({ client: api }: Org, email: string) {
  const { items } = await api.must(`GET /v1/org/members?q=${email}`);
  return items[0];
}

t.test('a link of an address with several unused orgs asks which', async (t) => {
  const email = 'ada@asks.test';
  const [stranger, own, third] = (await invitedTo(email, 'Acme (production)', 'Acme', 'Third')) as [
    Org,
    Org,
    Org,
  ];
  t.match(await memberOf(own, email), { invited: true });
  const page = visitor();
  const link = await linkTo(page, email);
  const read = await page.must('POST /v1/session/link/read', { link });
  t.same(read.orgs, [
    { id: stranger.id, name: 'Acme (production)', invited: true },
    { id: own.id, name: 'Acme', invited: true },
    { id: third.id, name: 'Third', invited: true },
  ]);
  const asks = await page.signIn({ link });
  t.match(asks, { status: 409, json: { field: 'org', error: /^org: choose/ } });
  t.match(await page.signIn({ link, org: 'org_nobody' }), { status: 404, json: { field: 'org' } });
  const elsewhere = await makeOrg(server, 'Elsewhere');
  t.match(await page.signIn({ link, org: elsewhere.id }), { status: 404 });

  const opened = await page.signIn({ link, org: own.id });
  t.match(opened, { status: 201, json: { org: { id: own.id }, member: { email } } });
  t.same(opened.json.orgs, [{ id: own.id, name: 'Acme', role: 'owner' }]);
  t.match(opened.json.invitations, [
    { id: stranger.id, name: 'Acme (production)', role: 'owner', invitedAt: /Z$/ },
    { id: third.id },
  ]);
  t.match(await memberOf(own, email), { invited: false });
  t.match(await memberOf(stranger, email), { invited: true });
  const again = await visitor().signIn({ link, org: stranger.id });
  t.match(again, { status: 401, json: { field: 'link' } }, 'it is used up');

  const other = visitor();
  const next = await linkTo(other, email, link);
  t.same((await other.must('POST /v1/session/link/read', { link: next })).orgs, []);
  t.match(await other.signIn({ link: next }), { status: 201, json: { org: { id: own.id } } });
});

t.test('a link that the operator made for one of them asks as well', async (t) => {
  const email = 'only@asks.test';
  const [one] = (await invitedTo(email, 'Alone')) as [Org];
  const page = visitor();
  const link = await linkTo(page, email);
  const [late] = (await invitedTo(email, 'Late')) as [Org];
  t.match(await page.signIn({ link }), { status: 409 }, 'added after the mail');
  t.match(await page.signIn({ link, org: one.id }), { status: 201, json: { org: { id: one.id } } });
  t.match(await page.signIn({ link, org: late.id }), { status: 401 });
});

t.test('an invitation is accepted by signing in there, or declined', async (t) => {
  const email = 'ben@answers.test';
  const [home] = (await invitedTo(email, 'Home')) as [Org];
  const page = visitor();
  t.match(await page.signIn({ link: await linkTo(page, email) }), { status: 201 });
  const [spam, team] = (await invitedTo(email, 'Spam', 'Team')) as [Org, Org];
  const { id } = await memberOf(spam, email);

  t.match(await page.call(`DELETE /v1/session/memberships/${spam.id}`), { status: 204 });
  t.equal(await memberOf(spam, email), undefined);
  t.match(await page.call(`DELETE /v1/session/memberships/${spam.id}`), {
    status: 404,
    json: { error: 'membership not found' },
  });
  const foreign = await makeOrg(server, 'Foreign');
  const unknown = await page.call(`DELETE /v1/session/memberships/${foreign.id}`);
  t.equal(unknown.text, (await page.call('DELETE /v1/session/memberships/org_0')).text);
  t.match(unknown, { status: 404 }, 'another org does not exist');
  t.match(await page.must('GET /v1/session'), {
    org: { id: home.id },
    invitations: [{ id: team.id }],
  });
  const { items } = await spam.client.must('GET /v1/org/audit-log');
  t.match(items[0], { action: 'member.declined', target: id, actor: id });

  const accepted = await page.signIn({ org: team.id });
  t.match(accepted, { status: 201, json: { org: { id: team.id }, invitations: [] } });
  const was = await memberOf(team, email);
  t.match(was, { invited: false });
  const notes = await team.client.must('GET /v1/org/audit-log');
  t.match(notes.items[0], { action: 'member.accepted', target: was.id, actor: was.id });
  t.equal(notes.items[0].actorName, email);
  await page.signIn({ org: home.id });
  await page.signIn({ org: team.id });
  const later = await team.client.must('GET /v1/org/audit-log?action=member.accepted');
  t.equal(later.items.length, 1, 'once');
});

t.test('a member leaves, which ends their sessions there and no others', async (t) => {
  const email = 'eva@leaves.test';
  const [first, second] = (await invitedTo(email, 'First', 'Second')) as [Org, Org];
  const page = visitor();
  const link = await linkTo(page, email);
  await page.signIn({ link, org: first.id });
  const other = visitor();
  const next = await linkTo(other, email, link);
  await other.signIn({ link: next });
  t.match(await other.signIn({ org: second.id }), { status: 201 });

  const boss = await first.client.must('POST /v1/org/members', {
    email: 'boss@leaves.test',
    role: 'owner',
  });
  const leave = () => page.call(`DELETE /v1/session/memberships/${first.id}`);
  t.match(await leave(), {
    status: 409,
    json: { code: 'wrong_state', error: /the only owner who accepted/ },
  });
  t.match(await page.must('GET /v1/session'), { org: { id: first.id } }, 'still signed in');
  const { id } = await memberOf(first, email);
  t.match(await first.client.call(`DELETE /v1/org/members/${id}`), {
    status: 409,
    json: { code: 'wrong_state', error: /the only owner who accepted/ },
  });
  const bossPage = visitor();
  await bossPage.signIn({ link: await linkTo(bossPage, boss.email) });
  const left = await leave();
  t.equal(left.status, 204);
  t.match(left.headers['set-cookie'], /Max-Age=0/);
  t.match(await page.must('GET /v1/session'), { signedIn: false });
  t.match(await other.must('GET /v1/session'), { org: { id: second.id }, orgs: [{}] });
  const { items } = await first.client.must('GET /v1/org/audit-log?action=member.left');
  t.match(items, [{ target: items[0].actor }]);
});

t.test('only who is signed in by an address leaves, and only from the own page', async (t) => {
  const email = 'key@leaves.test';
  const [org] = (await invitedTo(email, 'Keys')) as [Org];
  const line = `DELETE /v1/session/memberships/${org.id}`;
  t.match(await visitor().call(line), { status: 401 });
  const page = visitor();
  await page.signIn({ apiKey: org.key });
  t.match(await page.call(line), { status: 403, json: { error: /API key/ } });
  t.match(await org.client.call(line), { status: 401 }, 'a key is no person');
  t.match(await memberOf(org, email), { invited: true });
});

t.test('a spent bound of one org does not keep the link of another', async (t) => {
  const email = 'free@bound.test';
  const [loud] = (await invitedTo(email, 'Loud', 'Quiet')) as [Org];
  for (let nth = 0; nth < 20; nth++) {
    const to = `${nth}@bound.test`;
    await loud.client.must('POST /v1/org/members', { email: to, role: 'viewer' });
    await linkTo(visitor(), to);
  }
  t.ok(await linkTo(visitor(), email));
});
