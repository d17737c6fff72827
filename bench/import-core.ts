// One shard's bulk import: slices of 250 rows with one device each, decided, folded and made
// durable on a real LMDB partition, without HTTP and the packing before it. New people, the same
// again, another tag. Prints rows a second and the processor's time a row, with that of the thread
// that writes.
// Run: npx tsx bench/import-core.ts [rows=100000] [rounds=3]

import { packRows } from '../actors/people/audience/import/pack-rows.ts';
import type { SubscriberInput } from '../actors/people/audience/protocol.ts';
import { type BenchApp, benchPartition } from './support/partition.ts';

const rows = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 3);
/** As the route cuts them: 500 of work, one a row and one a device. */
const perSlice = 250;
const concurrency = 32;

const bench = benchPartition();
try {
  const app = await bench.makeApp();
  await load(app, 0, 'starter', 'warm-up');
  for (let round = 1; round <= rounds; round++) {
    await load(app, round, 'starter', 'new people');
    await load(app, round, 'starter', 'the same again');
    await load(app, round, 'professional', 'another tag');
  }
} finally {
  await bench.close();
}

async function load(app: BenchApp, round: number, plan: string, label: string): Promise<void> {
  const slices = Array.from({ length: Math.ceil(rows / perSlice) }, (_, slice) =>
    packRows(Array.from({ length: perSlice }, (_, i) => rowAt(`${round}-${slice}-${i}`, plan))),
  );
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < slices.length)
        await bench.ask(app.ordinal, { kind: 'subscriber.import', ...slices[next++] });
    }),
  );
  const tookMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  const count = slices.length * perSlice;
  const rate = Math.round((count * 1000) / tookMs).toLocaleString('en');
  console.log(`${label}: ${rate} rows/s, ${((user + system) / count).toFixed(2)} µs CPU a row`);
}

function rowAt(who: string, plan: string): SubscriberInput {
  return {
    externalUserId: `customer-${who}`,
    tags: { first_name: 'Adelaide', plan, language: 'en-GB' },
    timezone: 'Asia/Bangkok',
    devices: [{ channel: 'email', endpoint: `adelaide.${who}@mail.example.com` }],
  };
}
