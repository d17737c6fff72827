// A good engineer's ingest with Fastify and PostgreSQL: events checked by hand, written with COPY,
// 202 after the commit. COPY goes straight into the table; a repeat, found by the primary key,
// makes it insert the rows again with ON CONFLICT DO NOTHING. No people, segments or memory.

import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import { Batcher } from './batcher.ts';
import { type BaselineStart, serveBaseline } from './child.ts';
import { type CheckedEvent, checkEvent } from './event-validation.ts';

// The package has no type declarations.
const { from: copyFrom } = createRequire(import.meta.url)('pg-copy-streams') as {
  readonly from: (text: string) => Writable & pg.Submittable;
};

const tables = `
  create table if not exists events (
    app_id int not null,
    event_id text not null,
    external_user_id text not null,
    name text not null,
    at timestamptz not null,
    props jsonb not null,
    primary key (app_id, event_id)
  );
  create index if not exists events_of_person on events (app_id, external_user_id, at);
  create index if not exists events_of_name on events (app_id, name, at);
`;
const eventsMax = 1000;
const poolSize = 8;
const copy = 'copy events (app_id, event_id, external_user_id, name, at, props) from stdin';
const insert = `insert into events (app_id, event_id, external_user_id, name, at, props)
  select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::jsonb[])
  on conflict do nothing`;

interface Batch {
  readonly app: number;
  readonly events: readonly CheckedEvent[];
}

serveBaseline(makeServer);

async function makeServer(start: BaselineStart): Promise<FastifyInstance> {
  const pool = new pg.Pool({ ...start.postgres, max: poolSize });
  await pool.query(tables);
  const writer = new Batcher<Batch, void>({
    lanes: start.grouped ? 4 : poolSize,
    itemsMax: start.grouped ? 128 : 1,
    run: (batches) => write(pool, batches),
  });
  const apps = new Map(Object.entries(start.apps).map(([key, app]) => [`Bearer ${key}`, app]));
  // As lenient as JSON.parse, so that Fastify parses with it and does nothing more.
  const server = fastify({
    bodyLimit: 1024 * 1024,
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
  });
  server.post('/e', async (request, reply) => {
    const app = apps.get(request.headers.authorization ?? '');
    if (app === undefined) return reply.code(401).send({ error: 'unknown key' });
    const given = (request.body as { readonly events?: unknown } | null)?.events;
    if (!Array.isArray(given) || given.length === 0 || given.length > eventsMax)
      return reply.code(400).send({ error: 'events: expected 1 to 1,000 of them' });
    const nowMs = Date.now();
    const events: CheckedEvent[] = [];
    const errors: { index: number; error: string }[] = [];
    for (let index = 0; index < given.length; index++) {
      const checked = checkEvent(given[index], nowMs);
      if (typeof checked === 'string') errors.push({ index, error: checked });
      else events.push(checked);
    }
    if (events.length > 0) await writer.add({ app, events });
    return reply.code(202).send({ accepted: events.length, rejected: errors.length, errors });
  });
  return server;
}

async function write(pool: pg.Pool, batches: readonly Batch[]): Promise<undefined[]> {
  const client = await pool.connect();
  try {
    try {
      await pipeline([linesOf(batches)], client.query(copyFrom(copy)));
    } catch (error) {
      if ((error as { readonly code?: string }).code !== '23505') throw error;
      await client.query({ name: 'insert', text: insert, values: columnsOf(batches) });
    }
  } finally {
    client.release();
  }
  return batches.map(() => undefined);
}

function linesOf(batches: readonly Batch[]): string {
  let lines = '';
  for (const { app, events } of batches)
    for (const { id, externalUserId, name, at, props } of events)
      lines += `${app}\t${escaped(id)}\t${escaped(externalUserId)}\t${escaped(name)}\t${at}\t${escaped(props)}\n`;
  return lines;
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escaped(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

function columnsOf(batches: readonly Batch[]): unknown[] {
  const columns: [number[], string[], string[], string[], string[], string[]] = [
    [],
    [],
    [],
    [],
    [],
    [],
  ];
  for (const { app, events } of batches)
    for (const event of events) {
      columns[0].push(app);
      columns[1].push(event.id);
      columns[2].push(event.externalUserId);
      columns[3].push(event.name);
      columns[4].push(event.at);
      columns[5].push(event.props);
    }
  return columns;
}
