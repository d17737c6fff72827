// One shard thread's ingest: `POST /e` bodies decided, folded and made durable on a real LMDB
// partition, without HTTP. Prints events per second, time by part, and the ratio to JSON.parse.
// Run: npx tsx bench/ingest-core.ts

import { eventBodies } from './support/events.ts';
import { type BenchApp, benchPartition } from './support/partition.ts';

const people = 100_000;
const perBody = Number(process.argv[2] ?? 1000);
const bodies = Math.round(Number(process.argv[3] ?? 1_000_000) / perBody);
const concurrency = Number(process.argv[4] ?? 32);

const bench = benchPartition();
try {
  const app = await bench.makeApp();
  await load(app, 1, 'first million (makes the people)');
  await load(app, 2, 'second million');
  await load(app, 3, 'third million');
} finally {
  await bench.close();
}

async function load(app: BenchApp, seed: number, label: string): Promise<void> {
  const all = eventBodies({
    appId: app.id,
    count: bodies,
    perBody,
    people,
    nowMs: Date.now(),
    seed,
  });
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < all.length) {
        const body = all[next++] as Buffer;
        await bench.ask(app.ordinal, { kind: 'events.ingest', keyless: false }, body);
      }
    }),
  );
  const tookMs = performance.now() - startedMs;
  const used = process.cpuUsage(cpu);
  const rate = Math.round((bodies * perBody * 1000) / tookMs);
  console.log(
    `${label}: ${rate.toLocaleString()} events/s, ${((used.user + used.system) / (bodies * perBody)).toFixed(2)} µs CPU an event, commits ${bench.partition.figures.commits}`,
  );
  const parseMs = performance.now();
  for (const body of all) JSON.parse(body.toString());
  const parse = (bodies * perBody * 1000) / (performance.now() - parseMs);
  console.log(
    `  JSON.parse alone: ${Math.round(parse).toLocaleString()} events/s; ratio ${(rate / parse).toFixed(2)}`,
  );
}
