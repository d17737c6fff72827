// The tables of one cluster, in a schema of its own: clusters of different builds may live in one
// database. Frames are only added and, at the old end, deleted: a fence that was a row updated with
// each append would leave a dead version of itself each time, and whatever transaction stays open
// somewhere in the database keeps them all.

import type { PostgresSession } from './session.ts';

export function schemaOf(cluster: string): string {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(cluster))
    throw new Error(
      `a cluster's name is a small letter and up to 39 of a-z, 0-9 and _: ${cluster}`,
    );
  return `engage_${cluster}`;
}

/** The answers of `append` that are no position. */
export const answers = { refused: 0, full: -1, noSuchLog: -2 } as const;

/** Each raises the version by one. A step that was released never changes. */
const steps: readonly ((schema: string) => string)[] = [
  (schema) => `
create table ${schema}.version (version int not null);
insert into ${schema}.version values (0);

create table ${schema}.logs (
  id int generated always as identity primary key,
  partition int not null,
  generation int not null,
  bytes_max bigint not null,
  trimmed_through bigint not null default 0,
  trimmed_bytes bigint not null default 0,
  unique (partition, generation)
);

-- total: bytes of this frame and of all before it, those that were trimmed included.
create table ${schema}.frames (
  log int not null,
  position bigint not null,
  total bigint not null,
  frame bytea not null,
  primary key (log, position)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 2000,
  toast.autovacuum_vacuum_scale_factor = 0.05,
  toast.autovacuum_vacuum_threshold = 20000
);
alter table ${schema}.frames alter column frame set storage external;

-- The fence: an append holds the log's row until the commit, and looks at the newest frame
-- by a statement of its own, which sees what was committed until then. The row does not change.
create function ${schema}.append(of_log int, behind bigint, content bytea, strict bool)
returns bigint
language plpgsql as $append$
declare
  held ${schema}.logs;
  newest bigint;
  bytes bigint;
begin
  if current_setting('synchronous_commit') not in ('on', 'remote_apply') then
    raise exception 'the session has lost its settings: a pooler that changes sessions is in between';
  end if;
  if strict and current_setting('synchronous_standby_names') = '' then
    raise exception 'synchronous_standby_names is empty by now, so there would be one copy';
  end if;
  select * into held from ${schema}.logs where id = of_log for no key update;
  if not found then return ${answers.noSuchLog}; end if;
  select f.position, f.total into newest, bytes from ${schema}.frames f
    where f.log = of_log order by f.position desc limit 1;
  if not found then
    newest := held.trimmed_through;
    bytes := held.trimmed_bytes;
  end if;
  if behind <> newest then return ${answers.refused}; end if;
  bytes := bytes + octet_length(content);
  if bytes - held.trimmed_bytes > held.bytes_max then return ${answers.full}; end if;
  insert into ${schema}.frames values (of_log, newest + 1, bytes, content);
  return newest + 1;
end
$append$;`,
];

/**
 * Makes the schema, or brings it up to this build, under a lock that other processes wait for.
 * Rejects with a sentence where a newer build has been.
 */
export async function ensureSchema(session: PostgresSession, schema: string): Promise<void> {
  if ((await versionOf(session, schema)) === steps.length) return;
  const key = `hashtextextended('${schema}', 0)`;
  await session.plain(
    `begin; set local lock_timeout = '20s'; select pg_advisory_lock(${key}); commit`,
  );
  try {
    // A transaction of its own: one that waited for the lock may not see what came meanwhile.
    await session.plain('begin');
    await raise(session, schema);
    await session.plain('commit');
  } catch (error) {
    await session.plain('rollback').catch(() => {});
    throw error;
  } finally {
    await session.plain(`select pg_advisory_unlock(${key})`).catch(() => {});
  }
}

async function raise(session: PostgresSession, schema: string): Promise<void> {
  const version = await versionOf(session, schema);
  if (version > steps.length)
    throw new Error(
      `schema ${schema} has version ${version}, which a newer build made; this one knows ${steps.length}`,
    );
  // An account that may not make schemas can be given one that is empty.
  const [found] = await session.plain<{ there: boolean }>(
    `select to_regnamespace('${schema}') is not null as there`,
  );
  if (found?.there !== true) await session.plain(`create schema ${schema}`);
  for (const step of steps.slice(version)) await session.plain(step(schema));
  await session.plain(`update ${schema}.version set version = ${steps.length}`);
}

/** 0: there is none. */
async function versionOf(session: PostgresSession, schema: string): Promise<number> {
  const [table] = await session.plain<{ there: boolean }>(
    `select to_regclass('${schema}.version') is not null as there`,
  );
  if (table?.there !== true) return 0;
  const [row] = await session.plain<{ version: number }>(`select version from ${schema}.version`);
  return row?.version ?? 0;
}
