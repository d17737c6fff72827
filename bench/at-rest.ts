// What an event takes at rest: bytes in the log while it is young, bytes in history once a checkpoint was made, and what
// making that and reading pages back costs. The event is that of the other ingest benches, with an id; its text does not
// repeat more than a real one's would. Everything in one process and thread, on a real partition.
// Run: npx tsx bench/at-rest.ts [events = 500000] [events a request = 1000] [people = 200000]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPage } from '../actors/events/list.ts';
import type { EventQuery } from '../actors/events/protocol.ts';
import { foldingPartition, makeCheckpoint } from '../actors/folding.ts';
import { Product } from '../actors/machine.ts';
import type { Message } from '../engine/actor/message.ts';
import { Partition } from '../engine/actor/partition.ts';
import { newHashKey } from '../engine/base/hash.ts';
import { seededRng } from '../engine/base/rng.ts';
import { systemClock } from '../engine/time/clock.ts';
import { manifestsOf, newestCheckpoint } from '../storage/checkpoint.ts';
import { Documents } from '../storage/documents.ts';
import { type Environment, openPartition } from '../storage/environment.ts';
import { eventBodies } from './support/events.ts';

const events = Number(process.argv[2] ?? 500_000);
const perBody = Number(process.argv[3] ?? 1000);
const people = Number(process.argv[4] ?? 200_000);
const bodiesAtOnce = 200;
const rng = seededRng(1);
const tableKey = newHashKey(rng);

const dataDir = mkdtempSync(join(tmpdir(), 'engage-bench-'));
const store = openPartition({
  dataDir,
  partition: 0,
  partitions: 1,
  nowMs: Date.now(),
  onFatal: fail,
});
try {
  await run(store);
} finally {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function run(disk: Environment): Promise<void> {
  const { ask, partition } = serve(disk);
  const app = await makeApp(ask);
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
  line('LMDB file', disk.stats().fileBytes / events, 'bytes an event, with the records of people');

  const made = timed(() => checkpoint(disk));
  const [manifest] = manifestsOf(disk.path);
  const historyBytes = (manifest?.history ?? []).reduce((sum, file) => sum + file.bytes, 0);
  line('history', historyBytes / events, `bytes an event in ${manifest?.history.length} files`);
  const memoryBytes = (manifest?.files ?? []).reduce((sum, file) => sum + file.bytes, 0);
  line('checkpoint', memoryBytes / 1e6, 'MB');
  line('making both', made, `ms: ${((made * 1000) / events).toFixed(2)} µs an event`);
  line('peak memory of this process', process.resourceUsage().maxRSS / 1024, 'MB');
  line(
    'starting from it',
    timed(() => start(disk)),
    'ms',
  );
  readAll(disk, app.ordinal);
}

function checkpoint(disk: Environment): void {
  const outcome = makeCheckpoint({
    path: disk.path,
    partition: 0,
    source: disk,
    nowMs: Date.now(),
    tableKey,
    onProblem: (problem) => fail(new Error(problem)),
  });
  if (outcome.outcome !== 'made') throw new Error(`no checkpoint: ${outcome.outcome}`);
}

function start(disk: Environment): void {
  const found = newestCheckpoint(disk.path, (_name, problem) => fail(new Error(problem)));
  if (found === undefined) throw new Error('there is no checkpoint');
  foldingPartition(0, tableKey).partition.restore(found.parts(), found.manifest.seq);
}

function readAll(disk: Environment, app: number): void {
  const queries: Readonly<Record<string, EventQuery>> = {
    'the newest 50': { limit: 50 },
    'the next 50': { limit: 50, beforeSeq: events - 50 },
    'one person': { limit: 50, person: 7 },
    'one name': { limit: 50, name: 'login' },
    'a name that nobody sent': { limit: 50, name: 'nothing' },
  };
  for (const [what, query] of Object.entries(queries)) {
    const read = () => readPage({ app, query, erased: [] }, disk.path, disk);
    const { items } = read();
    line(`reading ${what}`, timed(read), `ms, ${items.length} found`);
  }
}

type Ask = (to: number, message: object, bytes?: Uint8Array) => Promise<unknown>;

function serve(disk: Environment): { readonly ask: Ask; readonly partition: Partition } {
  const product = new Product({
    sealer: { seal: () => new Uint8Array(1), open: () => '', needsRewrap: () => false },
    allowHttpEndpoints: true,
    tableKey,
    plan: {
      partition: 0,
      dispatchers: 1,
      available: new Set(),
      credentialsRequired: false,
      unsubscribeUrl: () => '',
    },
  });
  const partition = new Partition({
    index: 0,
    store: disk,
    documents: new Documents(disk),
    machine: product,
    clock: systemClock,
    rng,
    scheduler: { soon: (task) => void setImmediate(task), wakeAt: () => undefined },
    emit: () => undefined,
    onFatal: fail,
  });
  partition.start();
  const ask: Ask = (to, message, bytes) =>
    new Promise((resolve, reject) =>
      partition.deliver({
        to,
        lane: 'bulk',
        deadlineMs: Number.POSITIVE_INFINITY,
        message: { by: -1, ...message } as unknown as Message,
        bytes,
        answer: (answer) =>
          answer.ok ? resolve(answer.value) : reject(new Error(answer.fault.message)),
      }),
    );
  return { ask, partition };
}

async function makeApp(ask: Ask): Promise<{ readonly id: string; readonly ordinal: number }> {
  const { org } = (await ask(1, {
    kind: 'org.create',
    orgId: 'org_00000000000000000000000000',
    name: 'bench',
    parentOrgId: null,
    key: {
      id: 'key_00000000000000000000000000',
      keyId: '000000000000',
      secretHash: new Uint8Array(32),
    },
  })) as { readonly org: { readonly ordinal: number } };
  const made = await ask(org.ordinal, {
    kind: 'app.create',
    name: 'bench',
    timezone: 'UTC',
    vapid: { publicKey: 'p', privateKey: 'p' },
  });
  return made as { readonly id: string; readonly ordinal: number };
}

function timed(work: () => unknown): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

function line(what: string, value: number, unit: string): void {
  console.log(`${what.padEnd(34)} ${value.toFixed(1).padStart(9)} ${unit}`);
}

function fail(error: unknown): never {
  throw error;
}
