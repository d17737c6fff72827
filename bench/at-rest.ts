// What an event takes at rest: bytes in the log while it is young, bytes in history once a checkpoint was made, and what
// making that and reading pages back costs. The event is that of the other ingest benches, with an id; its text does not
// repeat more than a real one's would. Everything in one process and thread, on a real partition.
// Run: npx tsx bench/at-rest.ts [events = 500000] [events a request = 1000] [people = 200000]

import { readPage } from '../actors/events/list.ts';
import type { EventQuery } from '../actors/events/protocol.ts';
import { foldingPartition, makeCheckpoint } from '../actors/folding.ts';
import { seededRng } from '../engine/base/rng.ts';
import { manifestsOf, newestCheckpoint } from '../storage/checkpoint.ts';
import { eventBodies } from './support/events.ts';
import { type BenchPartition, benchPartition } from './support/partition.ts';

const events = Number(process.argv[2] ?? 500_000);
const perBody = Number(process.argv[3] ?? 1000);
const people = Number(process.argv[4] ?? 200_000);
const bodiesAtOnce = 200;

const bench = benchPartition(seededRng(1));
try {
  await run(bench);
} finally {
  await bench.close();
}

async function run(bench: BenchPartition): Promise<void> {
  const { ask, partition, store } = bench;
  const app = await bench.makeApp();
  let jsonBytes = 0;
  for (let done = 0, seed = 1; done < events; seed++) {
    const count = Math.min(bodiesAtOnce, Math.ceil((events - done) / perBody));
    const nowMs = Date.now();
    const bodies = eventBodies({ appId: app.id, count, perBody, people, nowMs, seed });
    for (const body of bodies) jsonBytes += body.length;
    await Promise.all(
      bodies.map((body) => ask(app.ordinal, { kind: 'events.ingest', keyless: false }, body)),
    );
    done += count * perBody;
  }
  const stored = partition.figures;
  console.log(`${events} events, ${perBody} a request, ${people} people at most`);
  line('JSON of the requests', jsonBytes / events, 'bytes an event');
  line('log blocks', stored.blockBytes / events, 'bytes an event');
  line('LMDB file', store.stats().fileBytes / events, 'bytes an event, with the records of people');

  const made = timed(() => checkpoint(bench));
  const [manifest] = manifestsOf(store.path);
  const historyBytes = (manifest?.history ?? []).reduce((sum, file) => sum + file.bytes, 0);
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
    const read = () => readPage({ app, query, erased: [] }, store.path, store);
    const { items } = read();
    line(`reading ${what}`, timed(read), `ms, ${items.length} found`);
  }
}

function timed(work: () => unknown): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

function line(what: string, value: number, unit: string): void {
  console.log(`${what.padEnd(34)} ${value.toFixed(1).padStart(9)} ${unit}`);
}

function fail(problem: string): never {
  throw new Error(problem);
}
