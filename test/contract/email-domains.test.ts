// Sender domains by the API as a tenant walks through them in the sandbox: add, set the records on
// the sandbox's DNS, verify, send a signed mail; and every way to call it wrong.

import t from 'tap';
import { client, eventually, makeOrg } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, server, takes, refuses } = all;
const sandbox = client(server.sandboxUrl);
const domains = `${base}/email-domains`;

t.test('a domain goes from pending to verified, and its mail is signed', async (t) => {
  const added = await takes(t, `POST ${domains}`, { domain: 'Acme.Example' }, 201);
  t.match(added.json, {
    domain: 'acme.example',
    state: 'pending',
    vouched: false,
    records: [
      {
        purpose: 'dkim',
        type: 'TXT',
        name: /^engage-[0-9a-f]{10}\._domainkey\.acme\.example$/,
        value: /^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]{300,}$/,
        required: true,
        status: 'unchecked',
        found: [],
        problem: null,
      },
      { purpose: 'dmarc', name: '_dmarc.acme.example', required: false },
    ],
    returnPath: 'bounces.sandbox.example',
    checkedAt: null,
    verifiedAt: null,
  });
  t.notMatch(added.text, /PRIVATE/);
  const again = await takes(t, `POST ${domains}`, { domain: 'acme.example.' }, 201);
  t.same(again.json, added.json, 'a retry makes no other key');

  const early = await takes(t, `POST ${domains}/acme.example/verify`, undefined, 200);
  t.match(early.json, { state: 'failed', records: [{ status: 'missing' }] });
  await sandbox.must('POST /control/dns', added.json);
  const { json } = await takes(t, `POST ${domains}/ACME.example./verify`, undefined, 200);
  t.match(json, { state: 'verified', records: [{ status: 'found' }, { status: 'found' }] });
  t.match(json.verifiedAt, /Z$/);
  t.same((await takes(t, `GET ${domains}/acme.example`, undefined, 200)).json, json);
  t.same((await takes(t, `GET ${domains}`, undefined, 200)).json.items, [json]);

  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: 'hello@acme.example' } });
  const devices = [{ channel: 'email', endpoint: 'ada@signed.example' }];
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'ada', devices });
  await api.must(`POST ${base}/notifications`, { externalUserId: 'ada', title: 'Hi', body: 'Hi' });
  const shown = await eventually(async () => {
    const { messages } = await sandbox.must('GET /control/messages?to=ada@signed.example');
    const [message] = messages;
    return message && (await sandbox.must(`GET /control/messages/${message.id}`));
  }, 'no mail in the inbox');
  t.same(shown.details[0], ['DKIM', 'acme.example: valid']);
});

t.test('a check without an answer keeps the state', async (t) => {
  for (const domain of ['servfail.example', 'servfail.acme.example']) {
    await api.must(`POST ${domains}`, { domain });
    const { json } = await takes(t, `POST ${domains}/${domain}/verify`, undefined, 200);
    t.match(json, { state: 'pending', records: [{ status: 'unanswered', problem: /try again/ }] });
    await takes(t, `DELETE ${domains}/${domain}`, undefined, 204);
    await refuses(t, `GET ${domains}/${domain}`, undefined, { status: 404, code: 'not_found' });
  }
});

t.test('what is not a domain is refused by name', async (t) => {
  const field = { status: 400, code: 'invalid', field: 'domain' };
  for (const domain of [
    '',
    'example',
    'x@acme.example',
    'acme.example/x',
    'acme.example\r\nBcc: x',
    '*.acme.example',
    '192.0.2.1',
    `${'a.'.repeat(200)}example`,
    7,
    null,
    undefined,
  ])
    await refuses(t, `POST ${domains}`, { domain }, field, JSON.stringify(domain));
  const unknown = { status: 404, code: 'not_found' };
  for (const domain of ['nobody.example', 'x', '%00', 'a@b.example'])
    for (const line of [`GET ${domains}/${domain}`, `POST ${domains}/${domain}/verify`])
      await refuses(t, line, undefined, unknown, line);
  await refuses(t, `DELETE ${domains}/nobody.example`, undefined, unknown);
});

t.test('a key needs the scope admin, and the app must be its own', async (t) => {
  const { key } = await api.must('POST /v1/keys', { name: 'r', scopes: ['read', 'write', 'send'] });
  const reader = withKey(all, key);
  t.equal((await reader.call(`GET ${domains}`)).status, 200);
  for (const line of [`POST ${domains}`, `DELETE ${domains}/a.example`])
    t.match(
      await reader.call(line, line.startsWith('POST') ? { domain: 'a.example' } : undefined),
      {
        status: 403,
      },
    );
  t.match(await reader.call(`POST ${domains}/acme.example/verify`), { status: 403 });
  const other = (await makeOrg(server, 'Other')).client;
  for (const line of [`GET ${domains}`, `GET ${domains}/acme.example`])
    t.match(await other.call(line), { status: 404, json: { code: 'not_found' } });
  t.match(await other.call(`POST ${domains}`, { domain: 'b.example' }), { status: 404 });
  t.match(await other.call(`POST ${domains}/acme.example/verify`), { status: 404 });
  t.match(await other.call(`DELETE ${domains}/acme.example`), { status: 404 });
});

t.test('the operator vouches for domains of an org, each once and in one spelling', async (t) => {
  const operator = client(server.url, server.bootstrapToken);
  const line = `PATCH /v1/orgs/${all.org.id}`;
  const set = (emailDomains: unknown) => operator.call(line, { emailDomains });
  t.same((await api.must('GET /v1/org')).emailDomains, []);
  t.same((await set(['B.example.', 'bücher.example', 'b.example'])).json.emailDomains, [
    'b.example',
    'xn--bcher-kva.example',
  ]);
  await api.must(`POST ${domains}`, { domain: 'b.example' });
  t.match(await api.must(`GET ${domains}/b.example`), { vouched: true, state: 'pending' });
  t.match(await set(['*']), { status: 400, json: { field: 'emailDomains[0]' } });
  t.match(await set('b.example'), { status: 400, json: { field: 'emailDomains' } });
  t.match(await set(Array(101).fill('b.example')), { status: 400 });
  t.equal((await operator.must(line, { dailySendCap: null })).emailDomains.length, 2, 'kept');
  t.same((await set([])).json.emailDomains, []);
  t.equal((await api.call('PATCH /v1/org', { emailDomains: ['c.example'] })).status, 200);
  t.same((await api.must('GET /v1/org')).emailDomains, [], 'not the tenant’s to change');
});
