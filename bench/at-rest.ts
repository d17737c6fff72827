// An event at rest: bytes in log and history, and the cost of a checkpoint and of reading pages
// back. One thread, a real partition. `--postgres` sends the same requests to Fastify with COPY.
// Run: npx tsx bench/at-rest.ts [events = 500000] [events a request = 1000] [people = 200000]
//   [--postgres]

import type { EventQuery } from '../actors/events/protocol.ts';
import { readPage } from '../actors/events/read/list.ts';
import { eventLog } from '../actors/runtime/event-log.ts';
import { foldingPartition, makeCheckpoint } from '../actors/runtime/folding.ts';
import { seededRng } from '../engine/base/rng.ts';
import { manifestsOf, newestCheckpoint } from '../storage/checkpoint.ts';
import { startBaseline } from './baseline/child.ts';
import { contestOptions } from './support/contest.ts';
import { eventBodies } from './support/events.ts';
import { line, timed } from './support/figure-line.ts';
import { isAsked, printSummary } from './support/options.ts';
import { type BenchPartition, benchPartition } from './support/partition.ts';
import { makePostgres } from './support/postgres.ts';

const { rest } = contestOptions(process.argv.slice(2));
const events = Number(rest[0] ?? 500_000);
const perBody = Number(rest[1] ?? 1000);
const people = Number(rest[2] ?? 200_000);
const bodiesAtOnce = 200;
const figures: Record<string, number> = {};

const bench = benchPartition({ rng: seededRng(1) });
try {
  await run(bench);
} finally {
  await bench.close();
}
if (isAsked('postgres')) await runPostgres();
printSummary('at-rest', { events, perBody, ...figures });

async function run(bench: BenchPartition): Promise<void> {
  const { ask, partition, store } = bench;
  const app = await bench.makeApp();
  let jsonBytes = 0;
  for (const bodies of allBodies(app.id)) {
    for (const body of bodies) jsonBytes += body.length;
    await Promise.all(
      bodies.map((body) => ask(app.ordinal, { kind: 'events.ingest', keyless: false }, body)),
    );
  }
  const stored = partition.figures;
  console.log(`${events} events, ${perBody} a request, ${people} people at most`);
  line('JSON of the requests', jsonBytes / events, 'bytes an event');
  line('log blocks', stored.blockBytes / events, 'bytes an event');
  line('LMDB file', store.stats().fileBytes / events, 'bytes an event, with the records of people');

  const made = timed(() => checkpoint(bench));
  const [manifest] = manifestsOf(store.path);
  const historyBytes = (manifest?.history ?? []).reduce((sum, file) => sum + file.bytes, 0);
  figures['logBytesPerEvent'] = stored.blockBytes / events;
  figures['historyBytesPerEvent'] = historyBytes / events;
  line('history', historyBytes / events, `bytes an event in ${manifest?.history.length} files`);
  const memoryBytes = (manifest?.files ?? []).reduce((sum, file) => sum + file.bytes, 0);
  line('checkpoint', memoryBytes / 1e6, 'MB');
  line('making both', made, `ms: ${((made * 1000) / events).toFixed(2)} µs an event`);
  line('peak memory of this process', process.resourceUsage().maxRSS / 1024, 'MB');
  line(
    'starting from it',
    timed(() => start(bench)),
    'ms',
  );
  readAll(store, app.ordinal);
}

function* allBodies(appId: string): Generator<Buffer[]> {
  for (let done = 0, seed = 1; done < events; seed++) {
    const count = Math.min(bodiesAtOnce, Math.ceil((events - done) / perBody));
    yield eventBodies({ appId, count, perBody, people, nowMs: Date.now(), seed });
    done += count * perBody;
  }
}

/** The same in a table with a primary key and two indexes, after a vacuum. */
async function runPostgres(): Promise<void> {
  const postgres = makePostgres();
  try {
    await postgres.start();
    const server = await startBaseline(new URL('./baseline/ingest-server.ts', import.meta.url), {
      postgres: postgres.address,
      apps: { key: 1 },
      grouped: false,
      people: 0,
    });
    try {
      for (const bodies of allBodies('1')) {
        const posts = bodies.map(async (body) => {
          const response = await fetch(`http://127.0.0.1:${server.port}/e`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
            body: new Uint8Array(body),
          });
          if (response.status !== 202) throw new Error(`the baseline answered ${response.status}`);
          await response.arrayBuffer();
        });
        await Promise.all(posts);
      }
    } finally {
      await server.stop();
    }
    await postgres.query('vacuum analyze events');
    const [row] = await postgres.query(
      `select count(*)::int as stored, pg_table_size('events')::float8 as own,
         pg_total_relation_size('events')::float8 as whole from events`,
    );
    const stored = Number(row?.['stored']);
    if (stored !== Math.ceil(events / perBody) * perBody)
      throw new Error(`PostgreSQL holds ${stored} events`);
    const whole = Number(row?.['whole']) / stored;
    figures['postgresBytesPerEvent'] = whole;
    figures['ratio'] = whole / (figures['historyBytesPerEvent'] ?? Number.NaN);
    line('PostgreSQL, table alone', Number(row?.['own']) / stored, 'bytes an event');
    line(
      'PostgreSQL, with key and indexes',
      whole,
      `bytes: ${figures['ratio'].toFixed(1)} × history`,
    );
  } finally {
    await postgres.remove();
  }
}

function checkpoint({ store, tableKey }: BenchPartition): void {
  const outcome = makeCheckpoint({
    path: store.path,
    partition: 0,
    source: store,
    nowMs: Date.now(),
    tableKey,
    onProblem: fail,
  });
  if (outcome.outcome !== 'made') throw new Error(`no checkpoint: ${outcome.outcome}`);
}

function start({ store, tableKey }: BenchPartition): void {
  const found = newestCheckpoint(store.path, (_name, problem) => fail(problem));
  if (found === undefined) throw new Error('there is no checkpoint');
  foldingPartition(0, tableKey).partition.restore(found.parts(), found.manifest.seq);
}

function readAll(store: BenchPartition['store'], app: number): void {
  const queries: Readonly<Record<string, EventQuery>> = {
    'the newest 50': { limit: 50 },
    'the next 50': { limit: 50, beforeSeq: events - 50 },
    'one person': { limit: 50, person: 7 },
    'one name': { limit: 50, name: 'login' },
    'a name that nobody sent': { limit: 50, name: 'nothing' },
  };
  for (const [what, query] of Object.entries(queries)) {
    const read = () => readPage({ app, query, erased: [] }, store.path, eventLog(store));
    const { items } = read();
    line(`reading ${what}`, timed(read), `ms, ${items.length} found`);
  }
}

function fail(problem: string): never {
  throw new Error(problem);
}
