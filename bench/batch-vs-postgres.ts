// Accepting transactional batches of 1,000, five Liquid variables and a key per recipient: Engage
// against Fastify, zod, liquidjs and PostgreSQL (one look-up and one INSERT per batch), both
// durable before the 202. They take turns on empty stores with the same generator.
// Run: npm run build && npx tsx bench/batch-vs-postgres.ts [--rounds=3] [--seconds=4] [--warmup=2]

import { startBaseline } from './baseline/child.ts';
import { contest, contestOptions, warmedLoad } from './support/contest.ts';
import { engage } from './support/engage.ts';
import type { LoadResult } from './support/http-load.ts';
import { acceptOnly, batchLoad } from './support/loads.ts';
import { makePostgres, type PostgresCluster } from './support/postgres.ts';

const perBody = 1_000;
const options = contestOptions(process.argv.slice(2));
const postgres = makePostgres();
try {
  console.log(`${postgres.version}, medians of ${options.rounds} turns`);
  await contest(
    [
      { name: 'Engage', turn: engageTurn },
      { name: 'Fastify + PostgreSQL', turn: () => baselineTurn(postgres) },
    ],
    { rounds: options.rounds, unit: 'recipients', perRequest: perBody },
  );
} finally {
  await postgres.remove();
}

async function engageTurn(): Promise<LoadResult> {
  const server = await engage(acceptOnly);
  try {
    const { key, apps } = await server.tenant(1);
    const appId = apps[0] as string;
    const rows = Array.from({ length: perBody }, (_, i) => ({
      externalUserId: `user-${i}`,
      tags: { first_name: `Ana ${i}` },
      devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
    }));
    const { status } = await server.call('POST', '/v1/import/subscribers', { appId, rows }, key);
    if (status !== 200) throw new Error(`the import was answered ${status}`);
    return (await warmedLoad(batchLoad({ port: server.port, key, appId }, perBody), options))
      .result;
  } finally {
    await server.stop();
  }
}

async function baselineTurn(cluster: PostgresCluster): Promise<LoadResult> {
  await cluster.start();
  await cluster.query('drop table if exists sends, people');
  try {
    const server = await startBaseline(new URL('./baseline/send-server.ts', import.meta.url), {
      postgres: cluster.address,
      apps: { key: 1 },
      grouped: false,
      people: perBody,
    });
    try {
      const { result, acknowledged } = await warmedLoad(
        batchLoad({ port: server.port, key: 'key', appId: '1' }, perBody),
        options,
      );
      const [row] = await cluster.query('select count(*)::int as stored from sends');
      if (Number(row?.['stored']) < acknowledged * perBody)
        throw new Error(`${row?.['stored']} sends stored, ${acknowledged} batches acknowledged`);
      return result;
    } finally {
      await server.stop();
    }
  } finally {
    await cluster.stop();
  }
}
