// A good engineer's bulk import with Fastify and PostgreSQL: rows checked by hand, two array
// statements in one transaction (people, then devices), 200 after the commit. Known people's tags
// merge; an address goes to its last claimant. It keeps no columns and no suppressions.

import fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import { type BaselineStart, serveBaseline } from './child.ts';

const tables = `
  create table if not exists people (
    id bigint generated always as identity primary key,
    app_id int not null,
    external_user_id text not null,
    tags jsonb not null,
    timezone text,
    created_at timestamptz not null default now(),
    unique (app_id, external_user_id)
  );
  create table if not exists devices (
    app_id int not null,
    channel text not null,
    endpoint text not null,
    person_id bigint not null,
    enabled boolean not null default true,
    primary key (app_id, channel, endpoint)
  );
  create index if not exists devices_of_person on devices (person_id);
`;
const poolSize = 8;
const rowsMax = 10_000;

// Ordered by id, so that two calls about the same people cannot deadlock.
const upsertPeople = `
  insert into people (app_id, external_user_id, tags, timezone)
  select $1::int, who, tags, zone from unnest($2::text[], $3::jsonb[], $4::text[]) as sent (who, tags, zone)
  order by who
  on conflict (app_id, external_user_id) do update
    set tags = people.tags || excluded.tags, timezone = coalesce(excluded.timezone, people.timezone)
  returning id, external_user_id, xmax = 0 as created`;
const upsertDevices = `
  insert into devices (app_id, channel, endpoint, person_id, enabled)
  select $1::int, channel, endpoint, person, true
  from unnest($2::text[], $3::text[], $4::bigint[]) as sent (channel, endpoint, person)
  order by channel, endpoint
  on conflict (app_id, channel, endpoint) do update set person_id = excluded.person_id, enabled = true`;

interface Row {
  readonly externalUserId: string;
  readonly tags: string;
  readonly timezone: string | null;
  readonly devices: readonly { readonly channel: string; readonly endpoint: string }[];
}

serveBaseline(makeServer);

async function makeServer(start: BaselineStart): Promise<FastifyInstance> {
  const pool = new pg.Pool({ ...start.postgres, max: poolSize });
  await pool.query(tables);
  const apps = new Map(Object.entries(start.apps).map(([key, app]) => [`Bearer ${key}`, app]));
  const server = fastify({
    bodyLimit: 1024 * 1024,
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
  });
  server.post('/v1/import/subscribers', async (request, reply) => {
    const app = apps.get(request.headers.authorization ?? '');
    if (app === undefined) return reply.code(401).send({ error: 'unknown key' });
    const given = (request.body as { readonly rows?: unknown } | null)?.rows;
    if (!Array.isArray(given) || given.length > rowsMax)
      return reply.code(400).send({ error: 'rows: expected up to 10,000 of them' });
    const rows = new Map<string, Row>(); // the last of a call wins
    const errors: { row: number; error: string }[] = [];
    for (const [row, one] of given.entries()) {
      const checked = checkRow(one);
      if (typeof checked === 'string') errors.push({ row, error: checked });
      else rows.set(checked.externalUserId, checked);
    }
    const created = await write(pool, app, [...rows.values()]);
    const updated = given.length - errors.length - created;
    return { created, updated, failed: errors.length, errors };
  });
  return server;
}

async function write(pool: pg.Pool, app: number, rows: readonly Row[]): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const people = await client.query<{ id: string; external_user_id: string; created: boolean }>({
      name: 'people',
      text: upsertPeople,
      values: [
        app,
        rows.map(({ externalUserId }) => externalUserId),
        rows.map(({ tags }) => tags),
        rows.map(({ timezone }) => timezone),
      ],
    });
    const idOf = new Map(people.rows.map((row) => [row.external_user_id, row.id]));
    const devices = new Map<string, readonly [string, string, string | undefined]>();
    for (const { externalUserId, devices: own } of rows)
      for (const { channel, endpoint } of own)
        devices.set(`${channel} ${endpoint}`, [channel, endpoint, idOf.get(externalUserId)]);
    const columns = [...devices.values()];
    await client.query({
      name: 'devices',
      text: upsertDevices,
      values: [app, ...([0, 1, 2] as const).map((column) => columns.map((row) => row[column]))],
    });
    await client.query('commit');
    return people.rows.filter(({ created }) => created).length;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** The row, or a sentence about what is wrong with it. */
function checkRow(value: unknown): Row | string {
  if (typeof value !== 'object' || value === null) return 'expected an object';
  const { externalUserId, tags, timezone, devices } = value as Readonly<Record<string, unknown>>;
  if (!isText(externalUserId, 256)) return 'externalUserId: expected 1 to 256 characters';
  if (tags !== undefined && (typeof tags !== 'object' || tags === null || Array.isArray(tags)))
    return 'tags: expected an object';
  if (timezone !== undefined && timezone !== null && !isText(timezone, 64))
    return 'timezone: expected the name of one';
  if (devices !== undefined && !Array.isArray(devices)) return 'devices: expected a list';
  const own: { channel: string; endpoint: string }[] = [];
  for (const device of (devices ?? []) as readonly unknown[]) {
    const { channel, endpoint } = (device ?? {}) as Readonly<Record<string, unknown>>;
    if (!isText(channel, 16) || !isText(endpoint, 4096)) return 'devices: expected an address';
    own.push({ channel, endpoint });
  }
  return {
    externalUserId,
    tags: JSON.stringify(tags ?? {}),
    timezone: (timezone as string | null | undefined) ?? null,
    devices: own,
  };
}

function isText(value: unknown, max: number): value is string {
  return (
    typeof value === 'string' && value.length > 0 && value.length <= max && !value.includes('\0')
  );
}
