// `POST /e`: Engage against Fastify with PostgreSQL's COPY (primary key, two indexes), same bodies
// and generator, both durable before the 202, in turns on empty stores. `grouped`, its best case,
// lets waiting requests share a COPY. Each turn counts the table.
// Run: npm run build && npx tsx bench/ingest-vs-postgres.ts [1000 100 1] [--rounds=3] [--seconds=4]
//   [--warmup=2]      [--two-tenants: two orgs on two shards, and a Fastify process for each]
//   [--people=1000000: Engage's app has so many, with columns and two saved segments; PostgreSQL
//   still keeps none]      [--subscribed: both segments are watched]

import { partitionOf, shardOf } from '../engine/actor/placement.ts';
import { parseId } from '../engine/base/id.ts';
import { eventsStored, isPeopled, openScene } from './audience/scene.ts';
import { startBaseline } from './baseline/child.ts';
import { type Contestant, combinedLoad, contest, contestOptions } from './support/contest.ts';
import { type BenchServer, engage } from './support/engage.ts';
import { type LoadResult, load, mustAnswer } from './support/http-load.ts';
import { eventLoad, eventPeople, type LoadTarget, mark } from './support/loads.ts';
import { numberOption, printSummary } from './support/options.ts';
import { makePostgres, type PostgresCluster } from './support/postgres.ts';

const partitions = 8;
const options = contestOptions(process.argv.slice(2));
const sizes = options.rest.length > 0 ? options.rest.map(Number) : [1000, 100, 1];
const tenants = options.flags.has('two-tenants') ? 2 : 1;
if (tenants > 1 && isPeopled()) throw new Error('--two-tenants and --people exclude each other');
const people = Math.max(eventPeople, numberOption('people', 0));
const figures: Record<string, number> = {};

const postgres = makePostgres();
try {
  console.log(`${postgres.version}, ${tenants} tenant(s), medians of ${options.rounds} turns`);
  for (const perBody of sizes) {
    console.log(`/e × ${perBody}`);
    const contestants = [
      { name: 'Engage', turn: () => engageTurn(perBody) },
      { name: 'Fastify + PostgreSQL COPY', turn: () => baselineTurn(postgres, perBody, false) },
      {
        name: 'Fastify + PostgreSQL COPY, grouped',
        turn: () => baselineTurn(postgres, perBody, true),
      },
    ] as const satisfies readonly Contestant[];
    const [ours, plain, grouped] = await contest(contestants, {
      rounds: options.rounds,
      unit: 'events',
      perRequest: perBody,
    });
    figures[`eventsPerSecond${perBody}`] = ours * perBody;
    figures[`ratio${perBody}`] = ours / plain;
    figures[`groupedRatio${perBody}`] = ours / grouped;
  }
  printSummary('ingest-vs-postgres', {
    people: numberOption('people', 0),
    tenants,
    subscribed: options.flags.has('subscribed'),
    ...figures,
  });
} finally {
  await postgres.remove();
}

async function engageTurn(perBody: number): Promise<LoadResult> {
  if (isPeopled()) return peopledTurn(perBody);
  const server = await engage({
    ENGAGE_PARTITIONS: String(partitions),
    ...(tenants > 1 ? { ENGAGE_SHARDS: String(tenants) } : {}),
  });
  try {
    return (await run(await engageTargets(server), perBody)).result;
  } finally {
    await server.stop();
  }
}

/** On its own copy of an app with people; acknowledged events are counted as well. */
async function peopledTurn(perBody: number): Promise<LoadResult> {
  const scene = await openScene();
  try {
    const before = await eventsStored(scene.server, scene.target);
    const { result, acknowledged } = await run([scene.target], perBody);
    const stored = (await eventsStored(scene.server, scene.target)) - before;
    if (stored < acknowledged * perBody)
      throw new Error(`${stored} events stored, ${acknowledged * perBody} acknowledged`);
    return result;
  } finally {
    await scene.close();
  }
}

/** One app per tenant, each on its own shard. */
async function engageTargets(server: BenchServer): Promise<LoadTarget[]> {
  const targets = new Map<number, LoadTarget>();
  for (let tries = 0; targets.size < tenants && tries < 50; tries++) {
    const { key, apps } = await server.tenant(1);
    const [appId] = apps;
    const parts = appId === undefined ? undefined : parseId('app', appId);
    if (appId === undefined || parts === undefined) throw new Error('no app was made');
    const shard = shardOf(partitionOf(parts.ordinal, partitions), tenants);
    if (!targets.has(shard)) targets.set(shard, { port: server.port, key, appId });
  }
  return [...targets.values()];
}

async function baselineTurn(
  cluster: PostgresCluster,
  perBody: number,
  grouped: boolean,
): Promise<LoadResult> {
  await cluster.start();
  await cluster.query('drop table if exists events');
  const servers = [];
  try {
    const targets: LoadTarget[] = [];
    for (let app = 1; app <= tenants; app++) {
      const key = `key-${app}`;
      const server = await startBaseline(new URL('./baseline/ingest-server.ts', import.meta.url), {
        postgres: cluster.address,
        apps: { [key]: app },
        grouped,
        people: 0,
      });
      servers.push(server);
      targets.push({ port: server.port, key, appId: String(app) });
    }
    const { result, acknowledged } = await run(targets, perBody);
    const [row] = await cluster.query('select count(*)::int as stored from events');
    if (Number(row?.['stored']) < acknowledged * perBody)
      throw new Error(`${row?.['stored']} events stored, ${acknowledged * perBody} acknowledged`);
    return result;
  } finally {
    for (const server of servers) await server.stop();
    await cluster.stop();
  }
}

/** On all targets at once: a first request whose answer is read, a warm-up, the measured load. */
async function run(
  targets: readonly LoadTarget[],
  perBody: number,
): Promise<{ readonly result: LoadResult; readonly acknowledged: number }> {
  for (const target of targets) await mustAccept(target, perBody);
  const { seconds, warmupSeconds } = options;
  const loads = targets.map((target) => eventLoad(target, perBody, people));
  const all = (plan: { readonly seconds: number; readonly warmupSeconds: number }) =>
    Promise.all(loads.map((one) => load({ ...one, ...plan }))).then(combinedLoad);
  const warm = await all({ seconds: warmupSeconds, warmupSeconds: 0 });
  mustAnswer(warm, 202);
  const result = await all({ seconds, warmupSeconds: 0.5 });
  mustAnswer(result, 202);
  return { result, acknowledged: warm.requests + result.requests };
}

async function mustAccept(target: LoadTarget, perBody: number): Promise<void> {
  let next = 0;
  const [first = ''] = eventLoad(target, perBody).bodies;
  const body = first.replaceAll(mark, () => `first-${String(next++).padStart(10, '0')}`);
  const response = await fetch(`http://127.0.0.1:${target.port}/e`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${target.key}` },
    body,
  });
  const { accepted, rejected } = (await response.json()) as {
    accepted?: number;
    rejected?: number;
  };
  if (response.status !== 202 || accepted !== perBody || rejected !== 0)
    throw new Error(`${response.status}: ${accepted} accepted, ${rejected} rejected of ${perBody}`);
}
