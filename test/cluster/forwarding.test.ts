// Two servers of a cluster as processes, on real nats-servers: whatever server a client calls, it
// gets the same, also while the owner of its org dies or goes.

import t, { type Test } from 'tap';
import { request } from 'undici';
import { withoutServers } from '../../bench/support/nats-servers.ts';
import { bootstrapToken, Rig } from './rig/rig.ts';
import type { RigEngine } from './rig/rig-engine.ts';

const missing = withoutServers();
t.setTimeout(400_000);

interface Called {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the route answers
  readonly json: any;
}

async function call(
  { url }: RigEngine,
  line: string,
  key: string | undefined,
  body?: object,
): Promise<Called> {
  const [method = 'GET', path = ''] = line.split(' ');
  const {
    statusCode,
    headers,
    body: stream,
  } = await request(`${url}${path}`, {
    method: method as 'GET',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await stream.text();
  const json = text.startsWith('{') ? JSON.parse(text) : undefined;
  return { status: statusCode, headers, text, json };
}

/** While a partition has no owner, clients repeat. */
async function patient(...asked: Parameters<typeof call>): Promise<Called> {
  for (let tries = 0; ; tries++) {
    const called = await call(...asked);
    if (called.status < 500 || tries === 60) return called;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

interface Tenant {
  readonly key: string;
  readonly app: string;
}

/** Made at one server and used at the other, by turns. */
async function tenantsOf(t: Test, engines: readonly RigEngine[]): Promise<readonly Tenant[]> {
  const made: Tenant[] = [];
  for (let i = 0; i < 6; i++) {
    const [near, far] = [engines[i % 2], engines[(i + 1) % 2]] as [RigEngine, RigEngine];
    const org = await patient(near, 'POST /v1/orgs', bootstrapToken, { name: `Org ${i}` });
    t.equal(org.status, 201, org.text);
    const { key } = org.json.apiKey;
    const app = await patient(far, 'POST /v1/apps', key, { name: 'App' });
    t.equal(app.status, 201, app.text);
    made.push({ key, app: app.json.id });
  }
  return made;
}

t.test('whatever server a client calls', { skip: missing }, async (t) => {
  const rig = await Rig.start({
    engines: 2,
    servers: 3,
    environment: {
      ENGAGE_MODE: 'live',
      ENGAGE_VAPID_SUBJECT: 'mailto:ops@example.com',
      ENGAGE_PUBLIC_URL: 'http://127.0.0.1:8400',
      ENGAGE_SHARDS: '1',
      ENGAGE_DISPATCHERS: '1',
    },
  });
  t.teardown(() => rig.stop());
  const engines = rig.engines as [RigEngine, RigEngine];
  const [one, two] = engines;
  const tenants = await tenantsOf(t, engines);

  await t.test('reads are the same', async (t) => {
    for (const { key, app } of tenants) {
      const read = (engine: RigEngine) => patient(engine, `GET /v1/apps/${app}`, key);
      const [near, far] = [await read(one), await read(two)];
      t.equal(near.status, 200, near.text);
      t.equal(far.text, near.text);
      const remaining = [near, far].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
      t.equal(remaining[1], (remaining[0] ?? 0) - 1, 'one lane, in the front of the owner');
    }
  });

  await t.test('events come by both, with a key and without', async (t) => {
    for (const { key, app } of tenants)
      for (const [engine, token] of [
        [one, key],
        [two, key],
        [one, undefined],
        [two, undefined],
      ] as const) {
        const event = { externalUserId: 'ada', name: 'visited' };
        const sent = await patient(engine, 'POST /e', token, { appId: app, events: [event] });
        t.match(sent.json, { accepted: 1, rejected: 0 }, sent.text);
      }
  });

  await t.test('keyless calls, tools, previews and live streams', async (t) => {
    for (const { key, app } of tenants)
      for (const engine of engines) {
        const person = { appId: app, externalUserId: `at-${engine.name}` };
        const login = await patient(engine, 'POST /v1/sdk/subscriber', undefined, person);
        t.equal(login.status, 200, login.text);
        const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
        const tools = await patient(engine, 'POST /mcp', key, list);
        t.ok(tools.json?.result?.tools.length > 0, tools.text.slice(0, 200));
        const message = { title: 'Hi', body: '<p>Hello</p>' };
        const asked = { message, channels: ['email'] };
        const preview = await patient(engine, `POST /v1/apps/${app}/messages/preview`, key, asked);
        const { mailPath = '' } = preview.json?.items?.[0] ?? {};
        for (const other of engines) {
          const page = await patient(other, `GET ${mailPath}`, undefined);
          t.match(page.text, 'Hello', preview.text.slice(0, 200));
        }
        const live = await patient(engine, `GET /v1/apps/${app}/live?seconds=1&topics=limits`, key);
        t.equal(live.status, 200, live.text);
        t.match(live.text, /^event: limits$/m);
      }
  });

  await t.test('a key that is deleted opens nothing anywhere', async (t) => {
    for (const { key } of tenants) {
      const made = await patient(one, 'POST /v1/keys', key, { name: 'a', scopes: ['read'] });
      t.equal(made.status, 201, made.text);
      const { key: second, id } = made.json;
      for (const engine of engines)
        t.equal((await patient(engine, 'GET /v1/apps', second)).status, 200);
      t.match((await patient(two, `DELETE /v1/keys/${id}`, key)).status, 204);
      for (const engine of engines)
        t.equal((await patient(engine, 'GET /v1/apps', second)).status, 401);
    }
  });

  await t.test('the other serves all once one is killed', async (t) => {
    await one.program.kill();
    for (const { key, app } of tenants) {
      const read = await patient(two, `GET /v1/apps/${app}`, key);
      t.equal(read.status, 200, read.text);
    }
  });
});
