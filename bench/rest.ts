// REST and ingest under autocannon: `/e` with 1, 100 and 1,000 events a request, single sends, a
// read of a person, and tags by a client without an API key; beside bare uWebSockets.js and bare
// Fastify, which store nothing. Afterwards the server is killed, started again, and what it has is
// counted: an answer that was not durable ends the bench with an error.
// Run: npm run build && npx tsx bench/rest.ts [--seconds=5] [--rounds=3] [--only=send]

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventsStored } from './audience/scene.ts';
import { serveBare } from './baseline/bare-server.ts';
import { type BenchServer, engage } from './support/engage.ts';
import { acceptOnly, type LoadTarget, sendPeople } from './support/loads.ts';
import { median, numberOption, printSummary, textOption } from './support/options.ts';

interface Shot {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  /** Of one request; 0 for a read. */
  readonly stores: { readonly events?: number; readonly sends?: number };
}

interface Fired {
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly requests: { readonly average: number };
  readonly latency: { readonly p50: number; readonly p99: number };
}

// The package has no type declarations.
const autocannon = createRequire(import.meta.url)('autocannon') as (options: {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly duration: number;
  /** Whether `[<id>]` in a body becomes another id for each request. */
  readonly idReplacement: boolean;
}) => Promise<Fired>;

// All of the bench's clients come from one address.
const oneAddressUnlimited = {
  ENGAGE_KEYLESS_KIB_PER_MINUTE: '0',
  ENGAGE_KEYLESS_EVENTS_PER_MINUTE: '0',
};
const seconds = numberOption('seconds', 5);
const rounds = numberOption('rounds', 3);
const only = textOption('only');

function shotsAt({ key, appId }: LoadTarget, clientToken: string): readonly Shot[] {
  const json = { 'content-type': 'application/json' };
  const headers = { ...json, authorization: `Bearer ${key}` };
  const events = (count: number): Shot => ({
    name: `POST /e × ${count.toLocaleString('en')}`,
    method: 'POST',
    path: '/e',
    headers,
    body: JSON.stringify({
      appId,
      events: Array.from({ length: count }, (_, i) => ({
        id: `[<id>]-${i}`,
        name: 'order_placed',
        externalUserId: `user-${i % sendPeople}`,
        properties: { amount: 129.5, currency: 'SGD', items: 3 },
      })),
    }),
    connections: count >= 1000 ? 16 : count >= 100 ? 32 : 128,
    stores: { events: count },
  });
  return [
    events(1),
    events(100),
    events(1000),
    {
      name: 'POST …/notifications (send)',
      method: 'POST',
      path: `/v1/apps/${appId}/notifications`,
      headers,
      body: JSON.stringify({
        externalUserId: 'user-1',
        idempotencyKey: '[<id>]',
        channels: ['email'],
        title: 'Your order has shipped',
        body: 'Hi {{ first_name }}, your order {{ order_id }} has shipped.',
        variables: { order_id: 'A-1' },
      }),
      connections: 128,
      stores: { sends: 1 },
    },
    {
      name: 'GET …/subscribers/:id (read)',
      method: 'GET',
      path: `/v1/apps/${appId}/subscribers/external:user-1`,
      headers: { authorization: headers.authorization },
      connections: 128,
      stores: {},
    },
    {
      name: 'POST /v1/sdk/tags (no key)',
      method: 'POST',
      path: '/v1/sdk/tags',
      headers: json,
      body: JSON.stringify({ appId, clientToken, tags: { last_seen: '[<id>]' } }),
      connections: 128,
      stores: {},
    },
  ];
}

const dataDir = mkdtempSync(join(tmpdir(), 'engage-bench-'));
try {
  await compare(await engage({ ...acceptOnly, ...oneAddressUnlimited }, { dataDir }));
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function compare(server: BenchServer): Promise<void> {
  const { key, apps } = await server.tenant(1);
  const target = { port: server.port, key, appId: apps[0] as string };
  const clientToken = await populate(server, target);
  const shots = shotsAt(target, clientToken).filter(({ name }) => name.includes(only ?? ''));
  const read = `/v1/apps/${target.appId}/subscribers/external:user-1`;
  const person = await server.call('GET', read, undefined, key);
  const uws = await serveBare('uws', person.body);
  const fastify = await serveBare('fastify', person.body);
  const ports = { engage: server.port, uws: uws.port, fastify: fastify.port };
  const acknowledged = { events: 0, sends: 0 };
  const figures: Record<string, Record<string, number>> = {};
  try {
    for (const shot of shots) figures[shot.name] = await fireInTurns(shot, ports, acknowledged);
  } finally {
    uws.child.kill();
    fastify.child.kill();
    await server.kill();
  }
  await countAgain(target, acknowledged);
  printSummary('rest', { ...figures, ...acknowledged });
}

/** In turns, so that a slow minute of the machine meets all three. Adds up what was answered. */
async function fireInTurns(
  shot: Shot,
  ports: { readonly engage: number; readonly uws: number; readonly fastify: number },
  acknowledged: { events: number; sends: number },
): Promise<Record<string, number>> {
  const runs: Record<keyof typeof ports, Fired[]> = { engage: [], uws: [], fastify: [] };
  const kinds = ['engage', 'uws', 'fastify'] as const;
  for (let round = 0; round <= rounds; round++) {
    for (const kind of kinds) {
      const fired = await fire(ports[kind], shot, round === 0 ? 1 : seconds);
      if (round > 0) runs[kind].push(fired); // the first one warms
      if (kind !== 'engage') continue;
      acknowledged.events += fired['2xx'] * (shot.stores.events ?? 0);
      acknowledged.sends += fired['2xx'] * (shot.stores.sends ?? 0);
    }
  }
  const of = (kind: (typeof kinds)[number]) => ({
    rate: median(runs[kind].map(({ requests }) => requests.average)),
    p50: median(runs[kind].map(({ latency }) => latency.p50)),
    p99: median(runs[kind].map(({ latency }) => latency.p99)),
  });
  const [ours, bare, plain] = [of('engage'), of('uws'), of('fastify')];
  console.log(
    `${shot.name.padEnd(30)} ${Math.round(ours.rate).toLocaleString('en').padStart(7)} requests/s, p50 ${ours.p50} ms, p99 ${ours.p99} ms; ${(ours.rate / bare.rate).toFixed(2)} of bare uWebSockets.js (${Math.round(bare.rate).toLocaleString('en')}), ${(ours.rate / plain.rate).toFixed(2)} of bare Fastify (${Math.round(plain.rate).toLocaleString('en')})`,
  );
  return {
    perSecond: ours.rate,
    p50Ms: ours.p50,
    p99Ms: ours.p99,
    ofUws: ours.rate / bare.rate,
    ofFastify: ours.rate / plain.rate,
  };
}

async function fire(port: number, shot: Shot, duration: number): Promise<Fired> {
  const { method, headers, body, connections } = shot;
  const fired = await autocannon({
    url: `http://127.0.0.1:${port}${shot.path}`,
    method,
    headers,
    connections,
    duration,
    idReplacement: body !== undefined,
    ...(body !== undefined && { body }),
  });
  if (fired.non2xx > 0 || fired.errors > 0 || fired['2xx'] === 0)
    throw new Error(
      `${shot.name}: ${fired['2xx']} answers were 2xx, ${fired.non2xx} were not, ${fired.errors} errors`,
    );
  return fired;
}

/** Creates people with email addresses, logs in a client, and returns the client's token. */
async function populate(server: BenchServer, { key, appId }: LoadTarget): Promise<string> {
  const rows = Array.from({ length: sendPeople }, (_, i) => ({
    externalUserId: `user-${i}`,
    tags: { first_name: `Ana ${i}`, plan: 'pro' },
    devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
  }));
  await answered(server.call('POST', '/v1/import/subscribers', { appId, rows }, key));
  const login = { appId };
  const { clientToken } = (await answered(server.call('POST', '/v1/sdk/subscriber', login))) as {
    readonly clientToken: string;
  };
  return clientToken;
}

async function answered(call: ReturnType<BenchServer['call']>): Promise<unknown> {
  const { status, body } = await call;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Starts the killed server's data and counts. Requests cut off at the end may be there, too. */
async function countAgain(
  target: LoadTarget,
  { events, sends }: { readonly events: number; readonly sends: number },
): Promise<void> {
  const server = await engage(acceptOnly, { dataDir });
  try {
    const again = { ...target, port: server.port };
    const stored = events === 0 ? 0 : await eventsStored(server, again);
    const kept = sends === 0 ? 0 : await sendsStored(server, again);
    console.log(
      `after kill -9: ${stored.toLocaleString('en')} events (${events.toLocaleString('en')} acknowledged), ${kept.toLocaleString('en')} sends (${sends.toLocaleString('en')} acknowledged)`,
    );
    if (stored < events || kept < sends) throw new Error('acknowledged work is missing');
  } finally {
    await server.stop();
  }
}

async function sendsStored(server: BenchServer, { key, appId }: LoadTarget): Promise<number> {
  let count = 0;
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? 'limit=100' : `limit=100&cursor=${cursor}`;
    const page = (await answered(
      server.call('GET', `/v1/apps/${appId}/notifications?${query}`, undefined, key),
    )) as { readonly items: readonly unknown[]; readonly nextCursor: string | null };
    count += page.items.length;
    cursor = page.nextCursor;
  }
  return count;
}
