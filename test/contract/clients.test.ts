// Client workspaces over HTTP (specification, "Tenancy"; contract, section 2): who may make one,
// what a parent sees of it, what its usage adds up to, and what a killed server keeps.

import { simpleParser } from 'mailparser';
import t from 'tap';
import { utcMonthOf, utcMonthText } from '../../engine/time/utc-month.ts';
import { afterKill } from '../support/after-kill.ts';
import { type Client, client, eventually, makeOrg } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, org, server, refuses } = all;
const operator = client(server.url, server.bootstrapToken);
const line = 'POST /v1/org/clients';

interface Made {
  readonly id: string;
  readonly api: Client;
}

async function make(name: string, by = api): Promise<Made> {
  const { org, apiKey } = await by.must(line, { name });
  await operator.must(`PATCH /v1/orgs/${org.id}`, {
    rateLimits: { standard: null, transactional: null },
  });
  return { id: org.id, api: client(server.url, apiKey.key) };
}

async function track(who: Client, app: string, ...people: string[]): Promise<void> {
  const events = people.map((externalUserId) => ({ name: 'visit', externalUserId }));
  await who.must('POST /e', { appId: app, events });
}

async function mail(who: Client, app: string, externalUserId: string): Promise<void> {
  const base = `/v1/apps/${app}`;
  const devices = [{ channel: 'email', endpoint: `${externalUserId}@example.com` }];
  await who.must(`POST ${base}/subscribers`, { externalUserId, devices });
  const words = { externalUserId, title: 'Hello', body: 'There' };
  const { id } = await who.must(`POST ${base}/notifications`, words);
  await eventually(async () => {
    const { status } = await who.must(`GET ${base}/notifications/${id}`);
    return status === 'delivered' ? true : undefined;
  }, 'the mail was not delivered');
}

/** A report comes within a minute of the change. */
async function reported(id: string, mau: number, by = api): Promise<void> {
  await eventually(
    async () => {
      const { clients } = await by.must('GET /v1/org/usage');
      const found = clients.find(({ orgId }: { orgId: string }) => orgId === id);
      return found?.mau === mau ? true : undefined;
    },
    `the parent was not told of ${mau} people`,
    60_000,
  );
}

t.test('a client workspace is an org with a parent and a key with every scope', async (t) => {
  const { status, json } = await api.call(line, { name: 'Harbour' });
  t.equal(status, 201);
  t.match(json, {
    org: { name: 'Harbour', parentOrgId: org.id },
    apiKey: { scopes: ['read', 'write', 'send', 'admin'] },
  });
  const own = client(server.url, json.apiKey.key);
  t.match(await own.must('GET /v1/org'), { id: json.org.id, parentOrgId: org.id });
  const { items } = await api.must('GET /v1/org/clients');
  t.match(items, [
    {
      id: json.org.id,
      name: 'Harbour',
      createdAt: /Z$/,
      usage: { mau: 0, emails: { delivered: 0, included: 20_000, overage: 0 } },
    },
  ]);
  const [row] = items;
  t.same(Object.keys(row).sort(), ['createdAt', 'etag', 'id', 'name', 'usage'], 'and nothing else');
});

t.test('a client has no clients, and only an org-scoped admin key makes one', async (t) => {
  const one = await make('Inner');
  const again = await one.api.call(line, { name: 'Innermost' });
  checkRefusal(t, again, { status: 409, code: 'wrong_state' }, 'a client of a client');
  t.same((await one.api.must('GET /v1/org/clients')).items, []);
  const key = async (body: object) =>
    withKey(all, (await api.must('POST /v1/keys', { name: 'k', ...body })).key);
  const reader = await key({ scopes: ['read', 'write', 'send'] });
  checkRefusal(t, await reader.call(line, { name: 'x' }), { status: 403 }, 'without admin');
  const ofApp = await key({ scopes: ['read', 'admin'], appId: all.app });
  for (const [call, body] of [
    [line, { name: 'x' }],
    ['GET /v1/org/clients', undefined],
    [`DELETE /v1/org/clients/${one.id}`, undefined],
    ['PATCH /v1/org/branding', { productName: 'x' }],
  ] as const)
    checkRefusal(t, await ofApp.call(call, body), { status: 403 }, `${call} by a key of an app`);
  for (const name of ['', ' ', 'a\u0000b', 'x'.repeat(257)])
    await refuses(t, line, { name }, { status: 400, code: 'invalid', field: 'name' });
  await refuses(t, line, {}, { status: 400, code: 'invalid', field: 'name' });
});

t.test('a retry with the idempotency key gives the same client and the same key', async (t) => {
  const keyed = (key: string, name: string) => api.call(line, { name }, { 'idempotency-key': key });
  const first = await keyed('once', 'Retried');
  const again = await keyed('once', 'Retried');
  t.same([first.status, again.status], [201, 201]);
  t.same(again.json, first.json, 'the key, too');
  t.notOk(first.headers['x-idempotent-replay']);
  t.equal(again.headers['x-idempotent-replay'], 'true');
  t.match(await client(server.url, again.json.apiKey.key).must('GET /v1/org'), {
    id: first.json.org.id,
  });
  checkRefusal(
    t,
    await keyed('once', 'Another'),
    { status: 409, code: 'idempotency_conflict' },
    'another name',
  );
  const other = await keyed('twice', 'Retried');
  t.not(other.json.org.id, first.json.org.id);
  t.not(other.json.apiKey.key, first.json.apiKey.key);
  afterKill(server, 'the key of a creation replays', async (t) =>
    t.same((await keyed('once', 'Retried')).json, first.json),
  );
  await api.must(`DELETE /v1/org/clients/${other.json.org.id}`);
  checkRefusal(t, await keyed('twice', 'Retried'), { status: 409 }, 'it was deleted');
});

t.test('usage of clients is added to their parent, and to nobody else', async (t) => {
  const agency = await makeOrg(server, 'Agency');
  const one = await make('One', agency.client);
  const two = await make('Two', agency.client);
  const { id: first } = await one.api.must('POST /v1/apps', { name: 'First' });
  const { id: second } = await two.api.must('POST /v1/apps', { name: 'Second' });
  const { id: own } = await agency.client.must('POST /v1/apps', { name: 'Own' });
  await track(one.api, first, 'ana', 'ben');
  await track(two.api, second, 'ana', 'cleo', 'dan');
  await track(agency.client, own, 'ana');
  await mail(one.api, first, 'ben');
  await reported(one.id, 2, agency.client);
  await reported(two.id, 3, agency.client);
  await eventually(
    async () => {
      const { clients } = await agency.client.must('GET /v1/org/usage');
      return clients[0].emails.delivered === 1 ? true : undefined;
    },
    'the parent was not told of the mail',
    60_000,
  );
  const usage = await agency.client.must('GET /v1/org/usage');
  t.match(usage, {
    mau: 6,
    byApp: [{ appId: own, mau: 1 }],
    clients: [
      {
        orgId: one.id,
        name: 'One',
        mau: 2,
        emails: { delivered: 1, included: 20_000, overage: 0 },
      },
      {
        orgId: two.id,
        name: 'Two',
        mau: 3,
        emails: { delivered: 0, included: 20_000, overage: 0 },
      },
    ],
    emails: { delivered: 0 },
  });
  t.match(await one.api.must('GET /v1/org/usage'), { mau: 2, clients: [] });
  const before = utcMonthText(utcMonthOf(Date.now()) - 1);
  t.match(await agency.client.must(`GET /v1/org/usage?month=${before}`), { mau: 0, clients: [] });
  afterKill(server, 'usage of clients is what it was, and goes on', async (t) => {
    t.same(await agency.client.must('GET /v1/org/usage'), usage);
    await one.api.must('PATCH /v1/org', { name: 'One renamed' });
    await track(one.api, first, 'eve');
    await reported(one.id, 3, agency.client);
    const { items } = await agency.client.must('GET /v1/org/clients');
    t.match(items, [{ name: 'Two' }, { name: 'One renamed', usage: { mau: 3 } }]);
  });
});

t.test('a deleted client is gone at once, and its usage stays', async (t) => {
  const agency = await makeOrg(server, 'Closing');
  const one = await make('Leaving', agency.client);
  const { id: app } = await one.api.must('POST /v1/apps', { name: 'Shop' });
  await track(one.api, app, 'ana', 'ben');
  const gone = { status: 404, code: 'not_found' };
  const del = `DELETE /v1/org/clients/${one.id}`;
  checkRefusal(t, await api.call(del), gone, 'by another org');
  checkRefusal(t, await one.api.call(del), gone, 'by itself');
  t.equal((await agency.client.call(del)).status, 204);
  checkRefusal(t, await one.api.call('GET /v1/org'), { status: 401 }, 'with its key');
  checkRefusal(t, await agency.client.call(del), gone, 'twice');
  t.equal((await client(server.url).call(`GET /v1/sdk/app/${app}`)).status, 404, 'its app');
  const limits = await operator.call(`PATCH /v1/orgs/${one.id}`, { dailySendCap: 1 });
  checkRefusal(t, limits, gone, 'its limits');
  t.same((await agency.client.must('GET /v1/org/clients')).items, []);
  await reported(one.id, 2, agency.client);
  afterKill(server, 'a deleted client stays deleted', async (t) => {
    const kept = { mau: 2, clients: [{ orgId: one.id, mau: 2 }] };
    t.match(await agency.client.must('GET /v1/org/usage'), kept, 'what a deleted client used');
    checkRefusal(t, await one.api.call('GET /v1/org'), { status: 401 }, 'its key stays dead');
  });
});

t.test('lists of clients are pages', async (t) => {
  const agency = await makeOrg(server, 'Pages');
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.push((await make(`Client ${n}`, agency.client)).id);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: { items: { id: string }[]; nextCursor: string | null; total: number } =
      await agency.client.must(`GET /v1/org/clients?limit=2${next}`);
    t.equal(page.total, 5);
    t.ok(page.items.length <= 2);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  t.same(seen, made.toReversed(), 'newest first');
  const oldest = await agency.client.must('GET /v1/org/clients?order=oldest&q=client');
  t.same(
    oldest.items.map(({ id }: { id: string }) => id),
    made,
  );
  t.match(await agency.client.must('GET /v1/org/clients?q=T%203'), {
    items: [{ name: 'Client 3' }],
    total: 1,
  });
  const bad = await agency.client.call('GET /v1/org/clients?cursor=nonsense');
  checkRefusal(t, bad, { status: 400, field: 'cursor' }, 'a cursor of nothing');
});

t.test('the audit logs of both say what happened, each its own part', async (t) => {
  const agency = await makeOrg(server, 'Audited');
  const one = await make('Watched', agency.client);
  await agency.client.must('PATCH /v1/org/branding', { productName: 'Northwind' });
  await agency.client.call(`DELETE /v1/org/clients/${one.id}`);
  const { items } = await agency.client.must('GET /v1/org/audit-log');
  const [deleted, branded, created] = items;
  t.match(deleted, { action: 'client.deleted', target: one.id, before: { name: 'Watched' } });
  t.match(branded, {
    action: 'branding.changed',
    before: { productName: null },
    after: { productName: 'Northwind' },
  });
  t.match(created, { action: 'client.created', target: one.id, after: { name: 'Watched' } });
  for (const { actor } of [deleted, branded, created]) t.match(actor, /^key_/);
});

t.test('branding is inherited member by member until a client sets its own', async (t) => {
  const agency = await makeOrg(server, 'Branded');
  const untagged = ({ etag: _etag, ...rest }: Record<string, unknown>) => rest;
  const set = async (who: Client, body: object) =>
    untagged(await who.must('PATCH /v1/org/branding', body));
  const read = async (who: Client) => untagged(await who.must('GET /v1/org/branding'));
  const service = {
    productName: 'Engage',
    logoUrl: null,
    accentColor: null,
    hideServiceBranding: false,
  };
  const every = Object.keys(service);
  t.same(await read(agency.client), { ...service, inherited: every });
  const logoUrl = 'https://cdn.example.com/logo.png';
  await set(agency.client, { productName: 'Northwind', logoUrl, accentColor: '#0B6E4F' });
  const one = await make('One', agency.client);
  const northwind = { ...service, productName: 'Northwind', logoUrl, accentColor: '#0b6e4f' };
  t.same(await read(one.api), { ...northwind, inherited: every });
  const { id: app } = await one.api.must('POST /v1/apps', { name: 'Shop' });
  const sdk = async () => (await client(server.url).must(`GET /v1/sdk/app/${app}`)).branding;
  t.same(await sdk(), northwind);
  const own = await set(one.api, { productName: 'Harbour' });
  t.same(own, { ...northwind, productName: 'Harbour', inherited: every.slice(1) });
  await set(agency.client, { productName: 'Southwind', hideServiceBranding: true });
  const after = { ...northwind, productName: 'Harbour', hideServiceBranding: true };
  await eventually(
    async () => ((await sdk()).hideServiceBranding ? true : undefined),
    'the client did not follow its parent',
    60_000,
  );
  t.same(await sdk(), after, 'what it sets itself stays');
  t.same(await set(one.api, { productName: null }), {
    ...after,
    productName: 'Southwind',
    inherited: every,
  });
  afterKill(server, 'branding is inherited as before', async (t) =>
    t.same(await sdk(), { ...after, productName: 'Southwind' }),
  );
});

t.test('a parent, and then its client, says whether mails name the service', async (t) => {
  const agency = await makeOrg(server, 'Hiding');
  const { api: one } = await make('One', agency.client);
  const { id: app } = await one.must('POST /v1/apps', { name: 'Shop' });
  const base = `/v1/apps/${app}`;
  const devices = [{ channel: 'email', endpoint: 'hidden@example.com' }];
  await one.must(`POST ${base}/subscribers`, { externalUserId: 'ada', devices });
  const sandbox = client(server.sandboxUrl);
  const namesService = async (title: string): Promise<boolean> => {
    const words = { externalUserId: 'ada', title, body: 'There', unsubscribe: 'footer' };
    await one.must(`POST ${base}/notifications`, words);
    const number = await eventually(async () => {
      const { messages } = await sandbox.must('GET /control/messages?channel=email&limit=100');
      return messages.find((mail: { title: string }) => mail.title === title)?.id;
    }, 'no mail in the sandbox');
    const { exchange } = await sandbox.must(`GET /control/messages/${number}`);
    const { html } = await simpleParser(exchange.requestBody);
    t.match(html, /\/u\/[\w-]+"/, 'there is a footer');
    return String(html).includes('Sent with Engage');
  };
  t.equal(await namesService('By default'), true);
  const hide = (who: Client, hideServiceBranding: boolean | null) =>
    who.must('PATCH /v1/org/branding', { hideServiceBranding });
  await hide(agency.client, true);
  await eventually(
    async () => ((await one.must('GET /v1/org/branding')).hideServiceBranding ? true : undefined),
    'the client did not follow its parent',
    60_000,
  );
  t.equal(await namesService('The parent hides it'), false);
  await hide(one, false);
  t.equal(await namesService('The client shows it'), true);
  await hide(one, null);
  t.equal(await namesService('The parent again'), false);
});

t.test('branding refuses what it cannot show', async (t) => {
  const refusal = (field: string) => ({ status: 400, code: 'invalid', field });
  const patch = 'PATCH /v1/org/branding';
  for (const productName of ['', '  ', 'a\nb', 'x'.repeat(65), 7])
    await refuses(t, patch, { productName }, refusal('productName'));
  for (const accentColor of ['red', '#fff', '#12345g', '0b6e4f', '#0b6e4f;}', 1])
    await refuses(t, patch, { accentColor }, refusal('accentColor'));
  for (const logoUrl of [
    'logo.png',
    'http://cdn.example.com/logo.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https://user:pass@cdn.example.com/logo.png',
    `https://cdn.example.com/${'x'.repeat(2_048)}`,
  ])
    await refuses(t, patch, { logoUrl }, refusal('logoUrl'));
  for (const hideServiceBranding of ['yes', 1])
    await refuses(t, patch, { hideServiceBranding }, refusal('hideServiceBranding'));
});
