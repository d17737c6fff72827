// How far one machine goes: one app of growing size, ten events a person, in a whole server. Memory
// and disk a person, starts after a kill -9, checkpoint, counts, what a campaign to everyone costs
// before its first mail, and whether events still come in as fast. What is flat a person stays so.
// The directories of all sizes are kept in bench/.work; twenty million people take 40 GB there.
// Run: npm run build && npx tsx bench/one-machine.ts [--sizes=1000000,5000000,20000000]
//   [--tail=1000000] [--rounds=3]

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { newestManifest } from '../storage/checkpoint.ts';
import {
  type AudienceCopy,
  checkpointNow,
  copyOf,
  keptAudience,
  openStore,
} from './audience/directory.ts';
import { filters } from './audience/filters.ts';
import { answeredAtOnce, eventsStored } from './audience/scene.ts';
import { type BenchServer, engage } from './support/engage.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { acceptOnly, eventLoad } from './support/loads.ts';
import { median, numberOption, printSummary, quantile, textOption } from './support/options.ts';

const sizes = (textOption('sizes') ?? '1000000,5000000,20000000').split(',').map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 10_000))
  throw new Error('--sizes: expected numbers of people from 10,000 on, with commas between them');
const tail = numberOption('tail', 1_000_000);
const rounds = numberOption('rounds', 3);
const perRequest = 1000;
const idleMs = 15_000;

for (const size of sizes) {
  const kept = await keptAudience(size);
  const copy = await copyOf(kept);
  try {
    report(kept.importSeconds, kept.eventsSeconds, copy, await measured(copy));
  } finally {
    copy.remove();
  }
}

type Figures = Readonly<Record<string, number>>;

async function measured(copy: AudienceCopy): Promise<Figures> {
  const { people } = copy;
  const checkpointMs = await timed(() => checkpointNow(copy));
  const disk = await onDisk(copy);
  const atRest = await starts(copy);
  const server = await engage(acceptOnly, { dataDir: copy.path });
  let figures: Figures;
  try {
    const counts = await countTimes(server, copy);
    const campaign = await campaignTimes(server, copy);
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const { anonymousBytes } = server.memory();
    const events = await ingest(server, copy);
    figures = { ...counts, ...campaign, bytesPerPerson: anonymousBytes / people, ...events };
  } finally {
    await server.kill();
  }
  const afterKill = await starts(copy);
  return { checkpointMs, ...disk, startMs: atRest, startAfterKillMs: afterKill, ...figures };
}

/** Milliseconds from the spawn to ready, after a kill -9; the first only cleans up. */
async function starts(copy: AudienceCopy): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const startedMs = performance.now();
    const server = await engage(acceptOnly, { dataDir: copy.path });
    if (round > 0) all.push(performance.now() - startedMs);
    await server.kill();
  }
  return median(all);
}

/** Of each filter the middle of five counts; told are the middle filter and the slowest. */
async function countTimes(server: BenchServer, { appId, key, people }: AudienceCopy) {
  const base = `/v1/apps/${appId}/segments`;
  const all: number[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const saved = await must(server, key, 'POST', base, { name, filter });
    const mostMs = Math.max(50, people / 20_000);
    await answeredAtOnce(server, `${base}/${saved['id']}/count`, key, mostMs);
    const took: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { total, tookMs } = await must(server, key, 'POST', `${base}/preview`, { filter });
      if (total !== people) throw new Error(`${total} people are there, not ${people}`);
      took.push(Number(tookMs));
    }
    all.push(median(took));
  }
  return { countMs: median(all), slowestCountMs: quantile(all, 1) };
}

/** To everyone who has an address: its dry run, and the send until the audience is durable. */
async function campaignTimes(server: BenchServer, { appId, key }: AudienceCopy) {
  const base = `/v1/apps/${appId}`;
  const content = { name: 'Sale', title: 'Sale', body: 'Hello' };
  const { id: messageId } = await must(server, key, 'POST', `${base}/messages`, content);
  const input = { name: 'All', messageId, channels: ['email'], filter: { channel: 'email' } };
  const { id } = await must(server, key, 'POST', `${base}/campaigns`, input);
  const dryRunMs = await timed(() => must(server, key, 'POST', `${base}/campaigns/${id}/dry-run`));
  const sendMs = await timed(() => must(server, key, 'POST', `${base}/campaigns/${id}/send`));
  await must(server, key, 'POST', `${base}/campaigns/${id}/cancel`);
  return { dryRunMs, sendMs };
}

/** Events of people who are there, left behind the checkpoint for the next start. */
async function ingest(server: BenchServer, copy: AudienceCopy) {
  const target = { port: server.port, key: copy.key, appId: copy.appId };
  const before = await eventsStored(server, target);
  const requestsMax = Math.ceil(tail / perRequest);
  const plan = eventLoad(target, perRequest, copy.people);
  const result = await load({ ...plan, requestsMax, seconds: 120, warmupSeconds: 0 });
  mustAnswer(result, 202);
  const stored = (await eventsStored(server, target)) - before;
  if (stored < result.requests * perRequest) throw new Error(`only ${stored} events are stored`);
  return { eventsPerSecond: result.perSecond * perRequest, eventsP99Ms: result.p99Ms };
}

/** Bytes at rest: records without reusable pages, the newest checkpoint, history. */
async function onDisk(copy: AudienceCopy) {
  const store = openStore(copy);
  const { path } = store;
  const records = store.stats().fileBytes - store.reusableBytes;
  await store.close();
  const newest = newestManifest(path);
  if (newest === undefined) throw new Error(`${path} has no checkpoint`);
  const sum = (sizes: readonly number[]) => sizes.reduce((all, one) => all + one, 0);
  const history = newest.history.map(({ file }) => statSync(join(path, 'history', file)).size);
  return {
    recordBytesPerPerson: records / copy.people,
    checkpointBytesPerPerson: sum(newest.files.map(({ bytes }) => bytes)) / copy.people,
    historyBytesPerEvent: sum(history) / copy.events,
  };
}

async function must(
  server: BenchServer,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const reply = await server.call(method, path, body, key);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body as Readonly<Record<string, unknown>>;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function report(
  importSeconds: number,
  eventsSeconds: number,
  { people, events }: AudienceCopy,
  figures: Figures,
): void {
  const round = (name: string, digits = 0) => (figures[name] as number).toFixed(digits);
  console.log(
    `${people.toLocaleString('en')} people, ${events.toLocaleString('en')} events: made in ${importSeconds.toFixed(0)} and ${eventsSeconds.toFixed(0)} s; ${round('bytesPerPerson')} bytes of memory a person; on disk ${round('recordBytesPerPerson')} of record and ${round('checkpointBytesPerPerson')} of checkpoint a person, ${round('historyBytesPerEvent', 1)} an event; checkpoint ${round('checkpointMs')} ms; ready in ${round('startMs')} ms, ${round('startAfterKillMs')} with the tail; count ${round('countMs', 1)} ms, the slowest ${round('slowestCountMs', 1)}; dry run of everyone ${round('dryRunMs')} ms, send durable in ${round('sendMs')} ms; ${round('eventsPerSecond')} events/s, p99 ${round('eventsP99Ms', 1)} ms`,
  );
  printSummary('one-machine', { people, events, importSeconds, eventsSeconds, ...figures });
}
