// Logs on a real PostgreSQL, for tests: a database with an account that owns it and nothing else,
// and connections to it that end with the test.

import type { Test } from 'tap';
import { makePostgres, type PostgresCluster } from '../../../bench/support/postgres.ts';
import type { PartitionLog } from '../../../engine/log/partition-log.ts';
import {
  connectPostgres,
  type Postgres,
  type PostgresOptions,
} from '../../../storage/postgres/connection.ts';
import { createPostgresLog, openPostgresLog } from '../../../storage/postgres/log.ts';

const small = { shared_buffers: '64MB', wal_buffers: '4MB', max_wal_size: '256MB' } as const;
const bytesMax = 256 * 1024 * 1024;

/** A server of its own, started, with database and account `engage`. */
export async function startPostgres(
  t: Pick<Test, 'teardown'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresCluster> {
  const server = makePostgres();
  t.teardown(() => server.remove());
  await server.start({ ...small, ...settings });
  await server.query('create role engage login');
  await server.query('create database engage owner engage');
  return server;
}

/** For the account `engage`. */
function stringOf({ address }: PostgresCluster): string {
  return `postgres://engage@/engage?host=${address.host}&port=${address.port}`;
}

/** One copy is allowed here, unless the options say otherwise. */
export async function connected(
  t: Pick<Test, 'teardown'>,
  servers: readonly PostgresCluster[],
  options: Partial<PostgresOptions> = {},
): Promise<Postgres> {
  const postgres = await connectPostgres({
    servers: servers.map(stringOf),
    cluster: 'test',
    name: 'test',
    connectionsMax: 4,
    allowsUnsafe: true,
    onWarning: () => {},
    ...options,
  });
  t.teardown(() => postgres.close());
  return postgres;
}

/** The log of a partition, made if it is not there. */
export async function logOf(
  postgres: Postgres,
  partition: number,
  most = bytesMax,
): Promise<PartitionLog> {
  const shape = { partition, generation: 1, bytesMax: most };
  return openPostgresLog(postgres, await createPostgresLog(postgres, shape));
}
