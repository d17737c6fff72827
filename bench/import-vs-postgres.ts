// Bulk import: Engage against Fastify with PostgreSQL (upserts over arrays, one transaction per
// call), same bodies and generator, both durable before the answer, in turns on empty stores. First
// new people, then known ones. Each turn checks that all acknowledged people exist.
// Run: npm run build && npx tsx bench/import-vs-postgres.ts [rows a call] [--rounds=3]
//   [--seconds=4] [--warmup=2]

import { startBaseline } from './baseline/child.ts';
import { type Contestant, contest, contestOptions } from './support/contest.ts';
import { engage } from './support/engage.ts';
import { type LoadResult, load, mustAnswer } from './support/http-load.ts';
import { importLoad, type LoadTarget } from './support/loads.ts';
import { printSummary } from './support/options.ts';
import { makePostgres } from './support/postgres.ts';

const options = contestOptions(process.argv.slice(2));
const perBody = Number(options.rest[0] ?? 1000);
const figures: Record<string, number> = {};
const postgres = makePostgres();
try {
  console.log(`${postgres.version}, medians of ${options.rounds} turns`);
  for (const name of ['new', 'known'] as const) {
    console.log(`import × ${perBody}, ${name === 'new' ? 'new people' : 'people who are there'}`);
    const contestants = [
      { name: 'Engage', turn: () => engageTurn(name === 'new') },
      { name: 'Fastify + PostgreSQL', turn: () => baselineTurn(name === 'new') },
    ] as const satisfies readonly Contestant[];
    const [ours, theirs] = await contest(contestants, {
      rounds: options.rounds,
      unit: 'rows',
      perRequest: perBody,
    });
    figures[`${name}RowsPerSecond`] = ours * perBody;
    figures[`${name}Ratio`] = ours / theirs;
  }
  printSummary('import-vs-postgres', { perBody, ...figures });
} finally {
  await postgres.remove();
}

async function engageTurn(isNew: boolean): Promise<LoadResult> {
  const server = await engage();
  try {
    const { key, apps } = await server.tenant(1);
    const appId = apps[0] as string;
    const { result, acknowledged } = await run({ port: server.port, key, appId }, isNew);
    const path = `/v1/apps/${appId}/segments/preview`;
    const { body } = await server.call('POST', path, { filter: { channel: 'email' } }, key);
    mustBeThere((body as { readonly total: number }).total, acknowledged, isNew);
    return result;
  } finally {
    await server.stop();
  }
}

async function baselineTurn(isNew: boolean): Promise<LoadResult> {
  await postgres.start();
  await postgres.query('drop table if exists people, devices');
  const server = await startBaseline(new URL('./baseline/import-server.ts', import.meta.url), {
    postgres: postgres.address,
    apps: { key: 1 },
    grouped: false,
    people: 0,
  });
  try {
    const { result, acknowledged } = await run(
      { port: server.port, key: 'key', appId: '1' },
      isNew,
    );
    const [row] = await postgres.query('select count(*)::int as stored from people');
    mustBeThere(Number(row?.['stored']), acknowledged, isNew);
    return result;
  } finally {
    await server.stop();
    await postgres.stop();
  }
}

async function run(
  target: LoadTarget,
  isNew: boolean,
): Promise<{ readonly result: LoadResult; readonly acknowledged: number }> {
  const plan = importLoad(target, perBody, isNew);
  const warm = await load({ ...plan, seconds: options.warmupSeconds, warmupSeconds: 0 });
  mustAnswer(warm, 200);
  const result = await load({ ...plan, seconds: options.seconds, warmupSeconds: 0.5 });
  mustAnswer(result, 200);
  return { result, acknowledged: warm.requests + result.requests };
}

function mustBeThere(stored: number, calls: number, isNew: boolean): void {
  const { bodies } = importLoad({ port: 0, key: '', appId: '' }, perBody, isNew);
  const least = isNew ? calls * perBody : Math.min(calls, bodies.length) * perBody;
  if (stored < least) throw new Error(`${stored} people are stored, ${least} acknowledged`);
}
