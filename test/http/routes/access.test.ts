// Who may call what: scopes, app-scoped keys, and the operator's routes.

import t from 'tap';
import { formatId } from '../../../engine/base/id.ts';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { routes } from '../../../http/routes/index.ts';
import { app, fakeFront } from './fake-front.ts';

const ids: Readonly<Record<string, string>> = { appId: exampleIds.app, id: exampleIds.app };

function lineOf(route: (typeof routes)[number]): string {
  const path = route.path.replace(/:(\w+)/g, (_whole, name: string) => {
    return ids[name] ?? (name === 'type' ? 'webhook' : 'x');
  });
  return `${route.method} ${path}`;
}

t.test('without a key every keyed route is a 401, and nothing is asked of anybody', async (t) => {
  // Signing in is for visitors: test/contract/sessions.test.ts has whom it refuses.
  const isKeyed = ({ access: { kind } }: (typeof routes)[number]) =>
    kind === 'key' || kind === 'bootstrap';
  for (const route of routes.filter(isKeyed)) {
    const front = fakeFront();
    const got = await front.call(lineOf(route), { key: 'none', body: {} });
    t.equal(got.status, 401, lineOf(route));
    t.match(got.json, { code: 'unauthorized', error: String });
    t.same(front.asked, []);
  }
});

t.test(
  'a key with every scope but the right one is a 403, and nothing is asked of anybody',
  async (t) => {
    for (const route of routes) {
      const { access } = route;
      if (access.kind !== 'key') continue;
      const front = fakeFront();
      const scopes = (['read', 'write', 'send', 'admin'] as const).filter(
        (scope) => !access.anyOf.includes(scope),
      );
      front.addKey('wrong', { scopes });
      const got = await front.call(lineOf(route), { key: 'wrong', body: {} });
      t.equal(got.status, 403, lineOf(route));
      t.same(front.asked, []);
    }
  },
);

t.test('a key of one app sees every other app as not there', async (t) => {
  const other = formatId('app', { ordinal: app + 4096, atMs: 1, high16: 1, low32: 1 });
  for (const route of routes) {
    if (!/^\/v1\/apps\/:(id|appId)/.test(route.path)) continue;
    const front = fakeFront();
    front.addKey('scoped', { app, appId: exampleIds.app });
    const query =
      route.method === 'DELETE' && route.path.endsWith('/suppressions')
        ? '?channel=email&address=a@example.com'
        : /\/(explain|evaluate)$/.test(route.path)
          ? '?subscriberId=sub_x'
          : '';
    const line = lineOf(route).replace(exampleIds.app, other);
    const got = await front.call(`${line}${query}`, { key: 'scoped', body: bodyFor(route.path) });
    // Deleting an app is the org's to do, whichever app it is.
    t.equal(got.status, line === `DELETE /v1/apps/${other}` ? 403 : 404, line);
    t.same(front.asked, []);
  }
});

t.test('a key of one app manages nothing of the org, and lists its own app alone', async (t) => {
  const front = fakeFront((message) =>
    message.kind === 'app.list'
      ? [
          record(exampleIds.app),
          record(formatId('app', { ordinal: app + 4096, atMs: 1, high16: 1, low32: 1 })),
        ]
      : { ...record(exampleIds.app), vapidPublicKey: null },
  );
  front.addKey('scoped', { app, appId: exampleIds.app });
  for (const line of [
    'GET /v1/keys',
    'DELETE /v1/keys/key_x',
    `DELETE /v1/apps/${exampleIds.app}`,
  ]) {
    t.equal((await front.call(line, { key: 'scoped' })).status, 403, line);
  }
  const made = { name: 'x', scopes: ['read'] };
  t.equal((await front.call('POST /v1/keys', { key: 'scoped', body: made })).status, 403);
  t.equal((await front.call('POST /v1/apps', { key: 'scoped', body: made })).status, 403);
  t.equal((await front.call('PATCH /v1/org', { key: 'scoped', body: made })).status, 403);
  const list = await front.call('GET /v1/apps', { key: 'scoped' });
  t.match(list.json, { items: [{ id: exampleIds.app }], nextCursor: null });
  t.equal((list.json as { items: unknown[] }).items.length, 1);
});

t.test(
  'the operator creates orgs, and finds them in the slot that the id names to set their limits',
  async (t) => {
    const front = fakeFront((message) => {
      if (message.kind === 'org.create') {
        const { orgId, name, key } = message as unknown as {
          orgId: string;
          name: string;
          key: { id: string };
        };
        return {
          org: orgRecord(orgId, name),
          key: { id: key.id, scopes: ['read', 'write', 'send', 'admin'] },
        };
      }
      return message.kind === 'org.locate' ? ordinal : orgRecord('org_1', 'Acme');
    });
    const ordinal = 4_096 + 7;
    const got = await front.call('POST /v1/orgs', { key: 'bootstrap', body: { name: ' Acme ' } });
    t.equal(got.status, 201);
    const { org, apiKey } = got.json as {
      org: { id: string; name: string };
      apiKey: { key: string };
    };
    t.equal(org.name, 'Acme');
    t.match(apiKey.key, /^ek_[0-9a-z]{12}_[A-Za-z0-9_-]{43}$/);
    t.notMatch(got.text, /ordinal|secretHash/);
    const limits = { dailySendCap: null, rateLimits: { standard: 60 } };
    const patched = await front.call(`PATCH /v1/orgs/${org.id}`, {
      key: 'bootstrap',
      body: limits,
    });
    t.equal(patched.status, 200);
    const [created, located, changed] = front.asked;
    t.equal(created?.to, located?.to, 'the same slot');
    t.ok((created?.to ?? 4096) < 4096);
    t.match(located?.message, { kind: 'org.locate', orgId: org.id });
    t.equal(changed?.to, ordinal);
    t.match(changed?.message, {
      kind: 'org.set_limits',
      dailySendCap: null,
      rateLimits: { standard: 60 },
      by: -1,
    });
    t.equal(
      (await front.call('PATCH /v1/orgs/nonsense', { key: 'bootstrap', body: {} })).status,
      404,
    );
    t.equal(
      (await front.call('POST /v1/orgs', { body: { name: 'x' } })).status,
      401,
      'no API key will do',
    );
  },
);

const journey = {
  name: 'Welcome',
  triggerEvent: 'signed_up',
  steps: [{ id: 'ask', type: 'send', messageId: 'msg_x' }],
};

function bodyFor(path: string): unknown {
  if (path.endsWith('notifications')) return { subscriberId: 'sub_x', body: 'x' };
  if (path.endsWith('batch')) return { body: 'x', recipients: [{ subscriberId: 'sub_x' }] };
  if (path.endsWith('devices')) return { channel: 'email', endpoint: 'a@example.com' };
  if (path.endsWith(':deviceId')) return { enabled: true };
  if (path.endsWith('suppressions')) return { channel: 'email', address: 'a@example.com' };
  if (path.endsWith('segments/preview')) return { filter: { channel: 'email' } };
  if (path.endsWith('/messages')) return { body: 'x' };
  if (path.endsWith('/message-templates')) return { name: 'x', body: 'x' };
  if (path.endsWith('in-app-messages') || path.endsWith('/campaigns'))
    return { messageId: 'msg_x' };
  if (path.endsWith('/journeys') || path.endsWith('/forecast')) return { ...journey, days: 1 };
  if (path.endsWith('email-domains')) return { domain: 'acme.example' };
  if (path.endsWith('flags')) return { key: 'x' };
  if (/integrations\/(slack|:type)$/.test(path))
    return { url: 'https://hooks.example.com/x', events: ['*'] };
  if (path.endsWith('webhook-deliveries/retry')) return { status: 'dead' };
  if (path.endsWith('segments')) return { name: 'All', filter: { channel: 'email' } };
  if (path.includes('/live-activities/')) return { contentState: {} };
  return path.endsWith('redrive') ? { all: true } : {};
}

function record(id: string) {
  return { id, ordinal: 1, org: 1, name: 'App', timezone: 'UTC', createdMs: 0 };
}

function orgRecord(id: string, name: string) {
  const rateLimits = { transactional: 6000, standard: 1200 };
  return {
    id,
    ordinal: 1,
    name,
    parentOrgId: null,
    dailySendCap: 1,
    rateLimits,
    emailAllowance: 1,
    createdMs: 0,
  };
}
