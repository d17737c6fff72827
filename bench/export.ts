// Exporting everyone, with eight tags and two devices, as CSV and JSON Lines: seconds, people per
// second, another process's read latency, and turns over 10 ms. Baseline: JSON.stringify.
// Run: npm run build && npx tsx bench/export.ts [--people=1000000] [--fresh]

import { once } from 'node:events';
import { request } from 'node:http';
import { copyOf, keptAudience, peopleAsked } from './audience/directory.ts';
import { personAt } from './audience/population.ts';
import { engage } from './support/engage.ts';
import { type LoadResult, load, mustAnswer } from './support/http-load.ts';
import { acceptOnly } from './support/loads.ts';
import { printSummary } from './support/options.ts';

const formats = ['csv', 'jsonl'] as const;
const probeEveryMs = 3;
const stringified = 100_000;

const copy = await copyOf(await keptAudience(peopleAsked()));
const { people, appId, key } = copy;
const server = await engage(acceptOnly, { dataDir: copy.path });
const figures: Record<string, number> = {};
try {
  await probe(2); // warms the code
  const alone = await probe(3);
  console.log(`a read alone: ${shown(alone)}`);
  figures['readAloneP99Ms'] = alone.p99Ms;
  for (const format of formats) {
    const first = await exported(format);
    const before = server.residentMb();
    const turns = await turnsSoFar();
    const cpu = server.cpuSeconds();
    const reading = probe(Math.max(0.5, first.seconds * 0.8));
    const { seconds, bytes } = await exported(format);
    const busy = await reading;
    const { all, long } = await turnsSoFar();
    const rate = people / Math.min(first.seconds, seconds);
    const ratio = rate / stringifying();
    console.log(
      `${format}: ${first.seconds.toFixed(2)} s alone, ${seconds.toFixed(2)} s beside reads; ${Math.round(rate).toLocaleString('en')} people/s, ${((bytes * rate) / people / 1e6).toFixed(0)} MB/s, ${ratio.toFixed(2)} of JSON.stringify alone; ${((server.cpuSeconds() - cpu) / seconds).toFixed(2)} cores, ${Math.max(0, server.residentMb() - before).toFixed(0)} MB more resident; a read meanwhile: ${shown(busy)}; ${long - turns.long} of ${all - turns.all} turns over 10 ms`,
    );
    figures[`${format}Seconds`] = first.seconds;
    figures[`${format}BusySeconds`] = seconds;
    figures[`${format}Ratio`] = ratio;
    figures[`${format}ReadP99Ms`] = busy.p99Ms;
    figures[`${format}ReadMaxMs`] = busy.maxMs;
    figures[`${format}LongTurns`] = long - turns.long;
  }
  printSummary('export', { people, ...figures });
} finally {
  await server.stop();
  copy.remove();
}

async function turnsSoFar(): Promise<{ readonly all: number; readonly long: number }> {
  return {
    all: await server.metric('engage_turns_total'),
    long: await server.metric('engage_long_turns_total'),
  };
}

/** Reads a whole export: the line count covers everyone, and samples are checked. */
async function exported(format: (typeof formats)[number]) {
  const startedMs = performance.now();
  const outgoing = request({
    port: server.port,
    path: `/v1/apps/${appId}/subscribers/export?format=${format}`,
    headers: { authorization: `Bearer ${key}` },
  }).end();
  const [response] = await once(outgoing, 'response');
  let bytes = 0;
  let lines = 0;
  let looked = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    let start = -1;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      lines++;
      if (start >= 0 && lines % 1000 === 0) {
        mustBeSomebody(format, chunk.toString('utf8', start, at));
        looked++;
      }
      start = at + 1;
    }
  }
  const seconds = (performance.now() - startedMs) / 1000;
  if (response.statusCode !== 200 || !response.complete) throw new Error('the export was cut off');
  const expected = people + (format === 'csv' ? 1 : 0);
  if (lines !== expected) throw new Error(`${lines} lines, not ${expected}`);
  if (people >= 10_000 && looked === 0) throw new Error('no line was looked at');
  return { seconds, bytes };
}

function mustBeSomebody(format: (typeof formats)[number], line: string): void {
  const id = /user-(\d+)/.exec(line)?.[1];
  const address = id === undefined ? undefined : personAt(Number(id)).devices[0].endpoint;
  const isWhole = format === 'csv' || typeof JSON.parse(line) === 'object';
  if (address === undefined || !isWhole || !line.includes(address))
    throw new Error(`not a person: ${line.slice(0, 300)}`);
}

/** Reads people one after another, from another process through the shard's mailbox. */
async function probe(seconds: number): Promise<LoadResult> {
  const result = await load({
    port: server.port,
    method: 'GET',
    path: `/v1/apps/${appId}/subscribers/external:user-0`,
    headers: { authorization: `Bearer ${key}` },
    bodies: [''],
    connections: 1,
    pauseMs: probeEveryMs,
    seconds,
    warmupSeconds: 0,
  });
  mustAnswer(result, 200);
  return result;
}

/** People per second of JSON.stringify, without reading them from anywhere. */
function stringifying(): number {
  const views = Array.from({ length: Math.min(people, stringified) }, (_, i) => ({
    id: `sub_${i.toString(36).padStart(26, '0')}`,
    ...personAt(i),
    preferredChannels: null,
    createdAt: new Date(copy.builtMs).toISOString(),
    lastActiveAt: new Date(copy.builtMs - i).toISOString(),
  }));
  const startedMs = performance.now();
  let chars = 0;
  for (const view of views) chars += JSON.stringify(view).length;
  const seconds = (performance.now() - startedMs) / 1000;
  if (chars === 0) throw new Error('nothing was written');
  return views.length / seconds;
}

function shown({ p50Ms, p99Ms, maxMs, requests }: LoadResult): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(1)} ms of ${requests}`;
}
