// The same people and events in PostgreSQL, laid out to answer these questions fast: tags as jsonb
// under GIN, reach and last activity on the person, events under two covering indexes, all vacuumed
// and analyzed. Unlogged tables fill faster and read no slower.

import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { countsAsActivity } from '../../actors/events/ingest/names.ts';
import type { PostgresCluster } from '../support/postgres.ts';
import type { Audience } from './directory.ts';
import { channelBits } from './filters.ts';
import { benchEventsOf, personAt } from './population.ts';

// The package has no type declarations.
const { from: copyFrom } = createRequire(import.meta.url)('pg-copy-streams') as {
  readonly from: (text: string) => Writable & pg.Submittable;
};

const chunkChars = 1_000_000;
const tables = `
  create unlogged table people (
    id int primary key,
    tags jsonb not null,
    channels int not null,
    created_at timestamptz not null,
    last_active timestamptz
  );
  create unlogged table events (person int not null, name text not null, at timestamptz not null);
`;
const indexes = [
  'create index on people using gin (tags jsonb_path_ops)',
  'create index on people (last_active)',
  'create index on events (name, at, person)',
  'create index on events (person, name, at)',
  'vacuum analyze people',
  'vacuum analyze events',
];

/** Fills a running cluster; returns the seconds. */
export async function fillPostgres(cluster: PostgresCluster, audience: Audience): Promise<number> {
  const startedMs = performance.now();
  const client = await readingClient(cluster);
  try {
    await client.query(tables);
    await copyInto(client, 'people', peopleLines(audience));
    await copyInto(client, 'events', eventLines(audience));
    for (const statement of indexes) await client.query(statement);
  } finally {
    await client.end();
  }
  return (performance.now() - startedMs) / 1000;
}

/** A connection tuned for one large question. */
export async function readingClient(cluster: PostgresCluster): Promise<pg.Client> {
  const client = new pg.Client(cluster.address);
  await client.connect();
  const settings = {
    work_mem: '256MB',
    maintenance_work_mem: '1GB',
    random_page_cost: '1.1',
    effective_cache_size: '8GB',
    max_parallel_workers_per_gather: '2',
    jit: 'off', // compiling takes longer than these queries
  };
  for (const [name, value] of Object.entries(settings))
    await client.query(`set ${name} = '${value}'`);
  return client;
}

function* peopleLines({ people, builtMs }: Audience): Generator<string> {
  const created = new Date(builtMs).toISOString();
  for (let i = 0; i < people; i++) {
    const { tags, devices } = personAt(i);
    let channels = 0;
    for (const { channel, enabled } of devices) if (enabled) channels |= channelBits[channel] ?? 0;
    let lastMs = 0;
    for (const [name, backMs] of benchEventsOf(i))
      if (countsAsActivity(name)) lastMs = Math.max(lastMs, builtMs - backMs);
    const active = lastMs === 0 ? '\\N' : new Date(lastMs).toISOString();
    yield `${i}\t${JSON.stringify(tags)}\t${channels}\t${created}\t${active}\n`;
  }
}

function* eventLines({ people, builtMs }: Audience): Generator<string> {
  for (let i = 0; i < people; i++)
    for (const [name, backMs] of benchEventsOf(i))
      yield `${i}\t${name}\t${new Date(builtMs - backMs).toISOString()}\n`;
}

async function copyInto(client: pg.Client, table: string, lines: Generator<string>): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table} from stdin`));
  const done = once(stream, 'finish');
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < chunkChars) continue;
    if (!stream.write(text)) await once(stream, 'drain');
    text = '';
  }
  stream.end(text);
  await done;
}
