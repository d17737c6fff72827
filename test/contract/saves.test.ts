// `If-Match`: nobody overwrites a change that they have not seen. Every kind of thing that can be
// changed, over HTTP.

import t from 'tap';
import { areas } from '../../actors/runtime/areas.ts';
import { editsOf } from '../../actors/runtime/edits.ts';
import { routes } from '../../http/routes/index.ts';
import { client } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const whole = await chapter(t);
const { api, base, org, server } = whole;

/**
 * What these change has no version: nobody reads it first, or reading it is the change, or the
 * person whom it is about changes it member by member, or another service decided its shape.
 */
const without = [
  'DELETE /compat/customerio/api/v1/customers/:customerId',
  'DELETE /compat/customerio/api/v1/customers/:customerId/devices/:token',
  'DELETE /v1/apps/:appId/event-names/:name',
  'DELETE /v1/apps/:appId/tag-names/:name',
  'DELETE /v1/org/sessions/:id',
  'DELETE /v1/session',
  'DELETE /v1/session/memberships/:org',
  'PUT /compat/customerio/api/v1/customers/:customerId',
  'PUT /compat/customerio/api/v1/customers/:customerId/devices',
  'PUT /v1/apps/:appId/subscribers/:id/preferences',
  'PUT /v1/sdk/live-activities/:id',
  'PUT /v1/sdk/preferences',
];

const filter = { tag: 'plan', eq: 'pro' };
const message = await api.must(`POST ${base}/messages`, { title: 'Hi', body: 'Hello' });
const { id: person } = await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'ada',
  devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
});
const [device] = (await api.must(`GET ${base}/subscribers/${person}`)).devices;
await api.must(`POST ${base}/suppressions`, { channel: 'sms', address: '+14155550123' });
const suppression = `${base}/suppressions?channel=sms&address=%2B14155550123`;
const member = await api.must('POST /v1/org/members', { email: 'a@acme.example', role: 'editor' });
await api.must('POST /v1/org/members', { email: 'o@acme.example', role: 'owner' });
const key = await api.must('POST /v1/keys', { name: 'spare', scopes: ['read'] });
const { org: workspace } = await api.must('POST /v1/org/clients', { name: 'Harbour' });
await api.must(`POST ${base}/email-domains`, { domain: 'acme.example' });
const otherApp = await api.must('POST /v1/apps', { name: 'Other' });
await api.must(`POST ${base}/credentials/telegram`, {
  botToken: '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc',
  webhookSecret: 'secret-of-the-webhook',
});
await api.must(`PUT ${base}/integrations/cdp`, {});

async function made(collection: string, body: object): Promise<string> {
  return `${base}/${collection}/${(await api.must(`POST ${base}/${collection}`, body)).id}`;
}

await api.must(`POST ${base}/topics`, { key: 'tips', name: 'A' });
await api.must(`POST ${base}/forms`, {
  key: 'site',
  name: 'A',
  topics: [],
  consent: 'Yes.',
});

const steps = [{ id: 'wait', type: 'wait', hours: 1 }];
const webhook = (url: string) => ({ url, events: ['*'] });

interface Thing {
  readonly name: string;
  readonly at: string;
  /** Two changes, and who reads it if not GET on `at`. */
  readonly changes?: readonly [object, object];
  readonly method?: 'PUT';
  readonly list?: readonly [line: string, member: string, value: string];
  readonly isKept?: true;
}

const things: readonly Thing[] = [
  {
    name: 'message',
    at: await made('messages', { title: 'A', body: 'B' }),
    changes: [{ title: 'C' }, { body: 'D' }],
  },
  {
    name: 'template',
    at: await made('message-templates', { name: 'welcome', body: 'B' }),
    changes: [{ body: 'C' }, { body: 'D' }],
  },
  {
    name: 'campaign',
    at: await made('campaigns', { name: 'A', messageId: message.id, channels: ['email'] }),
    changes: [{ name: 'B' }, { holdoutShare: 0.5 }],
  },
  {
    name: 'journey',
    at: await made('journeys', { name: 'A', triggerEvent: 'x', steps }),
    changes: [{ name: 'B' }, { reentry: 'always' }],
  },
  {
    name: 'segment',
    at: await made('segments', { name: 'A', filter }),
    changes: [{ name: 'B' }, { filter: { tag: 'plan', eq: 'free' } }],
  },
  {
    name: 'topic',
    at: `${base}/topics/tips`,
    changes: [{ name: 'B' }, { description: 'C' }],
  },
  {
    name: 'form',
    at: `${base}/forms/site`,
    changes: [{ name: 'B' }, { consent: 'Yes, please.' }],
  },
  {
    name: 'flag',
    at: await made('flags', { key: 'new' }),
    changes: [{ enabled: true }, { rolloutPercent: 5 }],
  },
  {
    name: 'in-app message',
    at: await made('in-app-messages', { messageId: message.id }),
    changes: [{ priority: 1 }, { priority: 2 }],
  },
  {
    name: 'settings',
    at: `${base}/settings`,
    changes: [{ emailTracking: false }, { secret: 'a-secret-of-twenty-four' }],
    isKept: true,
  },
  { name: 'app', at: base, changes: [{ name: 'B' }, { timezone: 'Asia/Bangkok' }], isKept: true },
  { name: 'org', at: '/v1/org', changes: [{ name: 'B' }, { name: 'C' }], isKept: true },
  {
    name: 'branding',
    at: '/v1/org/branding',
    changes: [{ productName: 'B' }, { accentColor: '#0b6e4f' }],
    isKept: true,
  },
  {
    name: 'webhook',
    at: `${base}/integrations/webhook-a`,
    method: 'PUT',
    changes: [webhook('https://example.com/a'), webhook('https://example.com/b')],
  },
  {
    name: 'slack',
    at: `${base}/integrations/slack`,
    method: 'PUT',
    changes: [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }],
  },
  { name: 'cdp', at: `${base}/integrations/cdp`, method: 'PUT', changes: [{}, {}] },
  {
    name: 'member',
    at: `/v1/org/members/${member.id}`,
    changes: [{ role: 'viewer' }, { role: 'owner' }],
    list: ['/v1/org/members', 'id', member.id],
  },
  {
    name: 'device',
    at: `${base}/subscribers/${person}/devices/${device.id}`,
    changes: [{ enabled: false }, { enabled: true }],
    list: [`${base}/subscribers/${person}`, 'id', device.id],
  },
  {
    name: 'person',
    at: `${base}/subscribers/${person}`,
    changes: [{ tags: { plan: 'pro' } }, { timezone: 'Asia/Jakarta' }],
  },
  { name: 'suppression', at: suppression, list: [`${base}/suppressions`, 'identity', 'phone'] },
  { name: 'key', at: `/v1/keys/${key.id}`, list: ['/v1/keys', 'id', key.id] },
  {
    name: 'client',
    at: `/v1/org/clients/${workspace.id}`,
    list: ['/v1/org/clients', 'id', workspace.id],
  },
  {
    name: 'warm-up',
    at: `${base}/email-domains/acme.example/warm-up`,
    method: 'PUT',
    changes: [{ held: true }, { held: false }],
  },
  { name: 'sender domain', at: `${base}/email-domains/acme.example` },
  {
    name: 'credential',
    at: `${base}/credentials/telegram`,
    list: [`${base}/credentials`, 'channel', 'telegram'],
  },
  { name: 'other app', at: `/v1/apps/${otherApp.id}` },
];

/** There is one of each. */
const listless = new Set(['settings', 'org', 'branding', 'warm-up']);

for (const { name, at, changes, method = 'PATCH', list, isKept } of things) {
  t.test(
    `a ${name} is not changed or deleted by who has not seen its newest version`,
    async (t) => {
      const read = async (): Promise<{ readonly etag: string }> => {
        if (list === undefined) {
          const { json, headers } = await api.call(`GET ${at}`);
          t.equal(headers['etag'], `"${json.etag}"`);
          return json;
        }
        const [line, member, value] = list;
        const { items, devices } = await api.must(`GET ${line}`);
        return (items ?? devices).find((one: Record<string, unknown>) => one[member] === value);
      };
      const send = (line: string, body: object | undefined, tag: string) =>
        api.call(line, body, { 'if-match': tag });
      if (method === 'PUT' && name !== 'cdp') await api.must(`PUT ${at}`, changes?.[1]);
      const { etag } = await read();
      t.match(etag, /^[\w-]{22}$/);
      if (!listless.has(name) && name !== 'suppression') {
        const collection = list?.[0] ?? at.replace(/\/[^/]+$/, '');
        const { items, devices } = await api.must(`GET ${collection}`);
        const tags = (items ?? devices).map((one: { etag: string }) => one.etag);
        t.ok(tags.includes(etag), `${collection} has the same version`);
      }
      if (changes !== undefined) {
        const [first, second] = changes;
        const line = `${method} ${at}`;
        const saved = await send(line, first, `"${etag}"`);
        t.equal(saved.status, 200, saved.text);
        t.equal(saved.headers['etag'], `"${saved.json.etag}"`);
        t.equal(
          (await read()).etag,
          saved.json.etag,
          'a save answers with the version that it made',
        );
        const late = await send(line, second, `"${etag}"`);
        t.match(late, { status: 412, json: { code: 'changed', field: 'If-Match' } });
        t.match(late.json.change.at, /Z$|null/);
        t.equal(late.json.change.etag, saved.json.etag, 'the newest version');
        if (!['person', 'device'].includes(name))
          t.match(late.json.change, { by: /^key_/, byName: /./, at: /Z$/ }, name);
        t.equal((await read()).etag, saved.json.etag, 'nothing was changed');
        for (const tag of ['"other"', `W/"${saved.json.etag}"`, '"a", W/"b" , "c"'])
          t.equal((await send(line, second, tag)).status, 412, tag);
        for (const tag of [saved.json.etag, '""x', '', ' ', ',', 'W/x', '"a" "b"', '*, "a"'])
          t.match(await send(line, second, tag), { status: 400, json: { field: 'If-Match' } }, tag);
        const among = await send(line, second, `"other" , "${saved.json.etag}"`);
        t.equal(among.status, 200, among.text);
        t.not(among.json.etag, saved.json.etag);
        t.equal((await send(line, first, '*')).status, 200, 'any version');
        t.equal((await api.call(line, second)).status, 200, 'without the header as ever');
      }
      if (isKept) return;
      const { etag: newest } = await read();
      t.equal((await send(`DELETE ${at}`, undefined, '"other"')).status, 412);
      t.equal((await send(`DELETE ${at}`, undefined, `"${newest}"`)).status, 204);
      t.equal((await send(`DELETE ${at}`, undefined, `"${newest}"`)).status, 404);
    },
  );
}

t.test('a PUT with a tag does not make again what was deleted', async (t) => {
  const at = `${base}/integrations/webhook-gone`;
  const { etag } = await api.must(`PUT ${at}`, webhook('https://example.com/a'));
  await api.must(`DELETE ${at}`);
  for (const tag of [`"${etag}"`, '*']) {
    const reply = await api.call(`PUT ${at}`, webhook('https://example.com/b'), {
      'if-match': tag,
    });
    t.match(reply, { status: 412, json: { code: 'changed' } });
  }
  t.equal((await api.call(`GET ${at}`)).status, 404);
});

t.test('a 412 names the key that made the change, by its name then', async (t) => {
  const { id, key } = await api.must('POST /v1/keys', { name: 'Ada’s key', scopes: ['write'] });
  const at = await made('messages', { title: 'A', body: 'B' });
  const { etag } = await api.must(`GET ${at}`);
  await withKey(whole, key).must(`PATCH ${at}`, { title: 'C' });
  await api.must(`DELETE /v1/keys/${id}`);
  const { json } = await api.call(`PATCH ${at}`, { title: 'D' }, { 'if-match': `"${etag}"` });
  t.match(json.change, { by: id, byName: 'Ada’s key' });
  t.match(json.error, /Ada’s key/);
});

t.test('progress and counts make no edit stale, a state does', async (t) => {
  const at = await made('campaigns', {
    name: 'A',
    messageId: message.id,
    schedule: { type: 'at', at: '2099-01-01T00:00:00Z' },
  });
  const { etag } = await api.must(`GET ${at}`);
  const sent = await api.must(`POST ${at}/send`);
  t.not(sent.etag, etag);
  const paused = await api.must(`POST ${at}/pause`);
  const resumed = await api.must(`POST ${at}/resume`);
  t.not(paused.etag, sent.etag);
  t.equal(resumed.etag, sent.etag, 'the same state is the same version');
  const reply = await api.call(`DELETE ${at}`, undefined, { 'if-match': `"${paused.etag}"` });
  t.match(reply, { status: 412, json: { change: { by: /^key_/ } } });
});

t.test('a route that changes nothing with a version refuses the header', async (t) => {
  const stale = { 'if-match': '"a"' };
  const reply = await api.call(`DELETE ${base}/tag-names/plan`, undefined, stale);
  t.match(reply, { status: 400, json: { field: 'If-Match' } });
  const who = { externalUserId: 'overwritten', tags: { a: 1 } };
  const { id } = await api.must(`POST ${base}/subscribers`, who);
  for (const [line, body] of [
    ['subscribers', { ...who, tags: { a: 2 } }],
    [`subscribers/${id}/devices`, { channel: 'sms', endpoint: '+14155550100', enabled: false }],
    ['segments', { name: 'A', filter }],
  ] as const)
    t.match(
      await api.call(`POST ${base}/${line}`, body, stale),
      { status: 400, json: { field: 'If-Match' } },
      line,
    );
  t.match(await api.must(`GET ${base}/subscribers/${id}`), { tags: { a: 1 }, devices: [] });
});

t.test('the limits of an org and its name are one version, for the operator too', async (t) => {
  const operator = client(server.url, server.bootstrapToken);
  const at = `PATCH /v1/orgs/${org.id}`;
  const { etag } = await api.must('GET /v1/org');
  const first = await operator.call(at, { dailySendCap: 7_000_000 }, { 'if-match': `"${etag}"` });
  t.equal(first.status, 200);
  const reply = await operator.call(at, { dailySendCap: 1 }, { 'if-match': `"${etag}"` });
  t.match(reply, { status: 412, json: { change: { by: 'operator', etag: first.json.etag } } });
  t.match(await api.call('PATCH /v1/org', { name: 'Late' }, { 'if-match': `"${etag}"` }), {
    status: 412,
    json: { change: { by: 'operator' } },
  });
  const unknown = `PATCH /v1/orgs/${org.id.slice(0, -1)}${org.id.endsWith('0') ? '1' : '0'}`;
  t.equal((await operator.call(unknown, { dailySendCap: 1 })).status, 404);
});

t.test('another org sees no version', async (t) => {
  const at = await made('segments', { name: 'A', filter });
  const { json } = await api.call('GET /v1/org');
  t.equal(json.id, org.id);
  const { apiKey } = await api.must('POST /v1/org/clients', { name: 'Foreign' });
  const reply = await withKey(whole, apiKey.key).call(`DELETE ${at}`, undefined, {
    'if-match': '"a"',
  });
  t.equal(reply.status, 404);
});

t.test('each PATCH, PUT and DELETE says which message changes what it names', async (t) => {
  const changing = routes.filter(({ method }) => ['PATCH', 'PUT', 'DELETE'].includes(method));
  const lacking = changing.filter(({ edits }) => edits === undefined);
  t.same(lacking.map(({ method, path }) => `${method} ${path}`).sort(), without);
  const known = editsOf(areas);
  for (const { edits } of changing)
    if (edits !== undefined) t.ok(known.has(edits), `${edits} is an edit of an area`);
});
