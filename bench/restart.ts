// Time to ready after `kill -9` with a million people: with a checkpoint only, and with a log tail;
// all acknowledged data must be there. Warm: files in the page cache. Baseline: JSON.parse.
// Run: npm run build && npx tsx bench/restart.ts [--people=1000000] [--tail=2000000]
//   [--per-request=1000] [--rounds=3]

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newestManifest } from '../storage/checkpoint.ts';
import { partitionPath } from '../storage/environment.ts';
import { type AudienceCopy, copyOf, keptAudience, peopleAsked } from './audience/directory.ts';
import { eventsStored } from './audience/scene.ts';
import { type BenchServer, engage } from './support/engage.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { acceptOnly, eventLoad, type LoadTarget } from './support/loads.ts';
import { median, numberOption, printSummary } from './support/options.ts';

const tail = numberOption('tail', 2_000_000);
const perRequest = numberOption('per-request', 1000);
const rounds = numberOption('rounds', 3);
const loadLimitSeconds = 90;
/** A smaller difference between two starts says nothing about the replay. */
const leastReplayMs = 50;

// the first fetch of a process loads its client
await fetch('http://127.0.0.1:1/').catch(() => undefined);
const bareMs: number[] = [];
for (let round = 0; round < rounds; round++) {
  const { server, readyMs } = await started(undefined);
  bareMs.push(readyMs);
  await server.stop();
}
const copy = await copyOf(await keptAudience(peopleAsked()));
try {
  const atRest = await restarts(copy, copy.events);
  const { events, entries } = await leaveTail(copy);
  const afterKill = await restarts(copy, events);
  report(atRest, afterKill, events - copy.events, entries);
} finally {
  copy.remove();
}

interface Starts {
  readonly warmMs: number;
  readonly coldMs: number;
}

/** Starts and kills it repeatedly, checks that all data is there and no checkpoint cut the tail. */
async function restarts(copy: AudienceCopy, events: number): Promise<Starts> {
  const warm: number[] = [];
  const cold: number[] = [];
  const seq = checkpointSeq(copy);
  for (let round = -1; round < 2 * rounds; round++) {
    const isCold = round % 2 !== 0;
    if (isCold) letGo(copy.path);
    const { server, readyMs } = await started(copy.path);
    // the first only cleans up after the kill
    if (round >= 0) (isCold ? cold : warm).push(readyMs);
    const stored = await eventsStored(server, targetOf(copy, server));
    await server.kill();
    if (stored !== events) throw new Error(`${stored} events after a start, not ${events}`);
    if (checkpointSeq(copy) !== seq)
      throw new Error('a checkpoint was made meanwhile: the tail is too long to stay one');
  }
  return { warmMs: median(warm), coldMs: median(cold) };
}

/** Fills the log and ends the server like a power cut. Returns events and their log entries. */
async function leaveTail(
  copy: AudienceCopy,
): Promise<{ readonly events: number; readonly entries: number }> {
  const server = await engage(acceptOnly, { dataDir: copy.path });
  const seq = checkpointSeq(copy);
  const target = targetOf(copy, server);
  const plan = eventLoad(target, perRequest, copy.people);
  const entriesBefore = await server.metric('engage_log_entries_total');
  const requestsMax = Math.ceil(tail / perRequest);
  const result = await load({ ...plan, requestsMax, seconds: loadLimitSeconds, warmupSeconds: 0 });
  mustAnswer(result, 202);
  if (result.requests !== requestsMax)
    throw new Error(`${result.requests} of ${requestsMax} requests in ${loadLimitSeconds} s`);
  const entries = (await server.metric('engage_log_entries_total')) - entriesBefore;
  const events = await eventsStored(server, target);
  await server.kill();
  if (checkpointSeq(copy) !== seq)
    throw new Error('a checkpoint was made meanwhile: choose a shorter --tail');
  if (events !== copy.events + requestsMax * perRequest)
    throw new Error(`${events} events are there, not those that were acknowledged`);
  return { events, entries };
}

async function started(
  dataDir: string | undefined,
): Promise<{ readonly server: BenchServer; readonly readyMs: number }> {
  const startedMs = performance.now();
  const server = await engage(acceptOnly, dataDir === undefined ? {} : { dataDir });
  return { server, readyMs: performance.now() - startedMs };
}

function report(atRest: Starts, afterKill: Starts, events: number, entries: number): void {
  const bare = median(bareMs);
  const differenceMs = afterKill.warmMs - atRest.warmMs;
  const replayMs = differenceMs < leastReplayMs ? null : differenceMs;
  const parseMs = parsing(events);
  const figures = {
    people: copy.people,
    emptyMs: bare,
    checkpointWarmMs: atRest.warmMs,
    checkpointColdMs: atRest.coldMs,
    tailEvents: events,
    tailEntries: entries,
    tailWarmMs: afterKill.warmMs,
    tailColdMs: afterKill.coldMs,
    eventsPerSecond: replayMs && (events * 1000) / replayMs,
    entriesPerSecond: replayMs && (entries * 1000) / replayMs,
    ratio: replayMs && parseMs / replayMs,
  };
  const replayed =
    replayMs === null
      ? '; too short a tail to tell its replay'
      : `: ${Math.round((events * 1000) / replayMs).toLocaleString('en')} events/s replayed, ${(parseMs / replayMs).toFixed(2)} × JSON.parse of them`;
  console.log(
    `ready with nobody ${bare.toFixed(0)} ms; after kill -9 with ${copy.people.toLocaleString('en')} people ${atRest.warmMs.toFixed(0)} ms (cold ${atRest.coldMs.toFixed(0)}); with ${events.toLocaleString('en')} events in ${entries.toLocaleString('en')} entries behind the checkpoint ${afterKill.warmMs.toFixed(0)} ms (cold ${afterKill.coldMs.toFixed(0)})${replayed}`,
  );
  printSummary('restart', figures);
}

function parsing(events: number): number {
  const { bodies } = eventLoad({ port: 0, key: '', appId: copy.appId }, 1000, copy.people);
  const some = bodies.slice(0, 200);
  const startedMs = performance.now();
  for (const body of some) JSON.parse(body);
  return ((performance.now() - startedMs) * events) / (some.length * 1000);
}

function checkpointSeq({ path, partition }: AudienceCopy): number {
  return newestManifest(partitionPath(path, partition))?.seq ?? 0;
}

function targetOf({ key, appId }: AudienceCopy, server: BenchServer): LoadTarget {
  return { port: server.port, key, appId };
}

/** Makes the kernel drop its cached copies of every file in a folder; they are durable before. */
function letGo(path: string): void {
  const files = readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  // One shell for all: a process of this size needs ten times as long to start each.
  const each = 'for file; do dd if="$file" iflag=nocache count=0 status=none || exit 1; done';
  const dropped = spawnSync('sh', ['-c', `sync "$@" && ${each}`, 'sh', ...files]);
  if (dropped.status !== 0) throw new Error(`sync and dd: ${dropped.stderr.toString()}`);
}
