// Accepting single transactional sends: Engage against Fastify, zod, liquidjs and PostgreSQL doing
// the same (find the person, check the idempotency key, render, store, 202 after the commit).
// `grouped` lets waiting requests share one look-up and one INSERT. In turns, on empty stores.
// Run: npm run build && npx tsx bench/transactional-vs-postgres.ts [--rounds=3] [--seconds=4]
//   [--warmup=2]

import { startBaseline } from './baseline/child.ts';
import { contest, contestOptions, warmedLoad } from './support/contest.ts';
import { engage } from './support/engage.ts';
import type { LoadResult } from './support/http-load.ts';
import { acceptOnly, sendLoad, sendPeople } from './support/loads.ts';
import { makePostgres, type PostgresCluster } from './support/postgres.ts';

const options = contestOptions(process.argv.slice(2));
const postgres = makePostgres();
try {
  console.log(`${postgres.version}, medians of ${options.rounds} turns`);
  await contest(
    [
      { name: 'Engage', turn: engageTurn },
      { name: 'Fastify + PostgreSQL', turn: () => baselineTurn(postgres, false) },
      { name: 'Fastify + PostgreSQL, grouped', turn: () => baselineTurn(postgres, true) },
    ],
    { rounds: options.rounds, unit: 'sends', perRequest: 1 },
  );
} finally {
  await postgres.remove();
}

async function engageTurn(): Promise<LoadResult> {
  const server = await engage(acceptOnly);
  try {
    const { key, apps } = await server.tenant(1);
    const appId = apps[0] as string;
    for (let i = 0; i < sendPeople; i++) {
      const { status } = await server.call(
        'POST',
        `/v1/apps/${appId}/subscribers`,
        {
          externalUserId: `user-${i}`,
          tags: { first_name: `Ana ${i}` },
          devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
        },
        key,
      );
      if (status >= 300) throw new Error(`a person was answered ${status}`);
    }
    return (await warmedLoad(sendLoad({ port: server.port, key, appId }), options)).result;
  } finally {
    await server.stop();
  }
}

async function baselineTurn(cluster: PostgresCluster, grouped: boolean): Promise<LoadResult> {
  await cluster.start();
  await cluster.query('drop table if exists sends, people');
  try {
    const server = await startBaseline(new URL('./baseline/send-server.ts', import.meta.url), {
      postgres: cluster.address,
      apps: { key: 1 },
      grouped,
      people: sendPeople,
    });
    try {
      const { result, acknowledged } = await warmedLoad(
        sendLoad({ port: server.port, key: 'key', appId: '1' }),
        options,
      );
      const [row] = await cluster.query('select count(*)::int as stored from sends');
      if (Number(row?.['stored']) < acknowledged)
        throw new Error(`${row?.['stored']} sends stored, ${acknowledged} acknowledged`);
      return result;
    } finally {
      await server.stop();
    }
  } finally {
    await cluster.stop();
  }
}
