// A good engineer's transactional endpoint with Fastify, zod, liquidjs and PostgreSQL: find the
// person, render, and one INSERT as outbox row and idempotency claim, 202 after its commit. If
// grouped, waiting requests share one look-up and one INSERT, as a batch's recipients always do. It
// sends nothing; a worker would poll the partial index.

import { createHash, randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { Liquid, type Template } from 'liquidjs';
import pg from 'pg';
import { z } from 'zod';
import { Batcher } from './batcher.ts';
import { type BaselineStart, serveBaseline } from './child.ts';

const tables = `
  create table if not exists people (
    id bigint primary key,
    app_id int not null,
    external_user_id text not null,
    email text,
    tags jsonb not null,
    unique (app_id, external_user_id)
  );
  create table if not exists sends (
    id uuid primary key,
    app_id int not null,
    idempotency_key text,
    body_hash bytea not null,
    person_id bigint not null,
    address text not null,
    title text not null,
    body text not null,
    status text not null default 'pending',
    accepted_at timestamptz not null default now(),
    unique (app_id, idempotency_key)
  );
  create index if not exists sends_pending on sends (accepted_at) where status = 'pending';
`;
const poolSize = 12;
const groupMax = 128;
const templatesMax = 1000;

const sendBody = z.object({
  externalUserId: z.string().min(1).max(256),
  idempotencyKey: z.string().min(1).max(255).nullish(),
  channels: z.array(z.enum(['email'])).optional(),
  title: z.string().min(1).max(1024),
  body: z
    .string()
    .min(1)
    .max(64 * 1024),
  variables: z.record(z.string(), z.unknown()).optional(),
});

const { externalUserId, variables, ...shared } = sendBody.shape;
const batchBody = z.object({
  ...shared,
  variables,
  recipients: z.array(z.object({ externalUserId, variables })).min(1).max(1000),
});

interface Send {
  readonly app: number;
  readonly request: z.output<typeof sendBody>;
  readonly bodyHash: Buffer;
}

type Answer = readonly [status: number, body: object];

interface Person {
  readonly id: string;
  readonly app_id: number;
  readonly external_user_id: string;
  readonly email: string | null;
  readonly tags: Readonly<Record<string, unknown>>;
}

/** A row of `sends`, in the order of the statement's parameters. */
type Row = readonly [string, number, string | null, Buffer, string, string, string, string];

serveBaseline(makeServer);

async function makeServer(start: BaselineStart): Promise<FastifyInstance> {
  const pool = new pg.Pool({ ...start.postgres, max: poolSize });
  await pool.query(tables);
  await makePeople(pool, start);
  const writer = new Batcher<Send, Answer>({
    lanes: start.grouped ? 4 : poolSize,
    itemsMax: start.grouped ? groupMax : 1,
    run: (sends) => acceptAll(pool, sends),
  });
  const apps = new Map(Object.entries(start.apps).map(([key, app]) => [`Bearer ${key}`, app]));
  const server = fastify({
    bodyLimit: 1024 * 1024,
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
  });
  server.post('/v1/apps/:appId/notifications', async (request, reply) => {
    const app = apps.get(request.headers.authorization ?? '');
    if (app === undefined) return reply.code(401).send({ error: 'unknown key' });
    const parsed = sendBody.safeParse(request.body);
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) });
    const bodyHash = createHash('sha256').update(JSON.stringify(request.body)).digest();
    const [status, body] = await writer.add({ app, request: parsed.data, bodyHash });
    return reply.code(status).send(body);
  });
  // One look-up and one INSERT per batch; a recipient's key is the batch's plus the person's id.
  server.post('/v1/apps/:appId/notifications/batch', async (request, reply) => {
    const app = apps.get(request.headers.authorization ?? '');
    if (app === undefined) return reply.code(401).send({ error: 'unknown key' });
    const parsed = batchBody.safeParse(request.body);
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) });
    const { recipients, idempotencyKey, variables, ...shared } = parsed.data;
    const words = JSON.stringify({ ...shared, variables });
    const sends = recipients.map((own): Send => {
      const bodyHash = createHash('sha256').update(words).update(JSON.stringify(own)).digest();
      const key = idempotencyKey == null ? null : `${idempotencyKey}#${own.externalUserId}`;
      const all = { ...variables, ...own.variables };
      const one = { ...shared, ...own, variables: all, idempotencyKey: key };
      return { app, request: one, bodyHash };
    });
    const answers = await acceptAll(pool, sends);
    const results = answers.map(([status, body], index) => ({ index, status, ...body }));
    return reply.code(202).send({ results });
  });
  return server;
}

async function makePeople(pool: pg.Pool, { apps, people }: BaselineStart): Promise<void> {
  for (const app of new Set(Object.values(apps)))
    await pool.query(
      `insert into people select $1::bigint * 1000000 + i, $1::int, 'user-' || i,
         'user-' || i || '@example.com', jsonb_build_object('first_name', 'Ana ' || i)
       from generate_series(0, $2::int - 1) i on conflict do nothing`,
      [app, people],
    );
  await pool.query('analyze people');
}

async function acceptAll(pool: pg.Pool, sends: readonly Send[]): Promise<Answer[]> {
  const people = await peopleOf(pool, sends);
  const answers: Answer[] = new Array<Answer>(sends.length);
  const rows: Row[] = [];
  const places: number[] = [];
  sends.forEach((send, i) => {
    const row = rowOf(send, people.get(`${send.app} ${send.request.externalUserId}`));
    if ('refusal' in row) answers[i] = row.refusal;
    else {
      rows.push(row.row);
      places.push(i);
    }
  });
  const inserted = await insertAll(pool, rows);
  for (let j = 0; j < rows.length; j++) {
    const id = (rows[j] as Row)[0];
    const i = places[j] as number;
    answers[i] = inserted.has(id)
      ? [202, { id, status: 'pending' }]
      : await replayOf(pool, sends[i] as Send);
  }
  return answers;
}

async function peopleOf(
  pool: pg.Pool,
  sends: readonly Send[],
): Promise<ReadonlyMap<string, Person>> {
  const columns = 'id, app_id, external_user_id, email, tags';
  const [first] = sends;
  const { rows } =
    sends.length === 1 && first !== undefined
      ? await pool.query<Person>({
          name: 'person',
          text: `select ${columns} from people where app_id = $1 and external_user_id = $2`,
          values: [first.app, first.request.externalUserId],
        })
      : await pool.query<Person>({
          name: 'people',
          text: `select ${columns} from people
            join unnest($1::int[], $2::text[]) as wanted (app, who)
            on app_id = wanted.app and external_user_id = wanted.who`,
          values: [sends.map(({ app }) => app), sends.map(({ request }) => request.externalUserId)],
        });
  return new Map(rows.map((person) => [`${person.app_id} ${person.external_user_id}`, person]));
}

/** The row of a send, or the refusal. */
function rowOf(
  { app, request, bodyHash }: Send,
  person: Person | undefined,
): { readonly row: Row } | { readonly refusal: Answer } {
  if (person === undefined) return { refusal: [404, { error: 'no such person' }] };
  if (person.email === null) return { refusal: [400, { error: 'the person has no address' }] };
  const scope = { ...person.tags, ...request.variables };
  try {
    return {
      row: [
        randomUUID(),
        app,
        request.idempotencyKey ?? null,
        bodyHash,
        person.id,
        person.email,
        render(request.title, scope),
        render(request.body, scope),
      ],
    };
  } catch (error) {
    return { refusal: [400, { error: error instanceof Error ? error.message : String(error) }] };
  }
}

async function insertAll(pool: pg.Pool, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  const [first] = rows;
  if (first === undefined) return new Set();
  const columns = 'id, app_id, idempotency_key, body_hash, person_id, address, title, body';
  const rest = 'on conflict do nothing returning id';
  const result =
    rows.length === 1
      ? await pool.query<{ id: string }>({
          name: 'insert',
          text: `insert into sends (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8) ${rest}`,
          values: [...first],
        })
      : await pool.query<{ id: string }>({
          name: 'inserts',
          text: `insert into sends (${columns}) select * from unnest($1::uuid[], $2::int[], $3::text[],
            $4::bytea[], $5::bigint[], $6::text[], $7::text[], $8::text[]) ${rest}`,
          values: first.map((_, column) => rows.map((row) => row[column])),
        });
  return new Set(result.rows.map(({ id }) => id));
}

/** A used key: the first answer again, or a conflict if the request differs. */
async function replayOf(pool: pg.Pool, { app, request, bodyHash }: Send): Promise<Answer> {
  const { rows } = await pool.query<{ id: string; body_hash: Buffer }>({
    name: 'replay',
    text: 'select id, body_hash from sends where app_id = $1 and idempotency_key = $2',
    values: [app, request.idempotencyKey],
  });
  const [first] = rows;
  if (first === undefined) return [500, { error: 'a claim vanished' }];
  if (!bodyHash.equals(first.body_hash))
    return [409, { error: 'this key was used for another request' }];
  return [202, { id: first.id, status: 'pending' }];
}

const liquid = new Liquid({ strictVariables: true, strictFilters: true });
const templates = new Map<string, Template[]>();

function render(text: string, scope: object): string {
  let template = templates.get(text);
  if (template === undefined) {
    template = liquid.parse(text);
    if (templates.size >= templatesMax) templates.clear();
    templates.set(text, template);
  }
  return String(liquid.renderSync(template, scope));
}
