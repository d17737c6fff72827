// A turn at rest: one block and N documents in a commit, through Documents and the store, against
// bare lmdb puts of the same rows. Only ratios of one run mean anything.
// Run: node --import=tsx bench/storage-commit.ts [seconds a round = 0.4]

import '../engine/base/plain-msgpack.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { Documents } from '../storage/documents.ts';
import { openPartition } from '../storage/environment.ts';
import { defineTable } from '../storage/table.ts';

const caseMs = Number(process.argv[2] ?? 0.4) * 1000;
const blockBytes = 2000;

interface Row {
  readonly id: string;
  readonly at: number;
  readonly tags: { readonly [key: string]: string };
}
const rows = defineTable<Row>()({
  id: 255,
  name: 'rows',
  fields: ['id', 'at', 'tags'],
  version: 1,
});
const row = (i: number): Row => ({
  id: `msg_${i.toString(36).padStart(26, '0')}`,
  at: 1_763_700_000_000 + i,
  tags: { plan: 'pro', city: 'Singapore', last: `order ${i}` },
});

interface Rates {
  readonly turns: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Runs turns for the given time, `inFlight` at once, timed from commit to `durable`. */
async function measure(inFlight: number, turn: (seq: number) => Promise<void>): Promise<Rates> {
  const latencies: number[] = [];
  const untilMs = performance.now() + caseMs;
  let seq = 0;
  const lane = async () => {
    while (performance.now() < untilMs) {
      const startedMs = performance.now();
      await turn(++seq);
      latencies.push(performance.now() - startedMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const seconds = (performance.now() - startedMs) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] as number;
  return { turns: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function ours(documentsATurn: number, inFlight: number): Promise<Rates> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engage-bench-'));
  const onFatal = (error: Error) => {
    throw error;
  };
  const store = openPartition({ dataDir, partition: 0, partitions: 1, nowMs: 0, onFatal });
  const documents = new Documents(store);
  const rates = await measure(inFlight, (seq) => {
    for (let i = 0; i < documentsATurn; i++)
      documents.put(rows, 1, [seq * documentsATurn + i], row(seq + i));
    const block = Buffer.alloc(blockBytes, seq);
    return new Promise((resolve) =>
      store.commit({ seq, block, documents: documents.takeStaged(seq) }, () => {
        documents.settled(seq);
        resolve();
      }),
    );
  });
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
  return rates;
}

/** The same rows in lmdb's own encoding: one put each and one for the block, awaited together. */
async function bare(documentsATurn: number, inFlight: number): Promise<Rates> {
  const path = mkdtempSync(join(tmpdir(), 'engage-bench-'));
  const database = open<unknown, number[]>({ path, overlappingSync: false });
  const rates = await measure(inFlight, async (seq) => {
    const puts = [database.put([0, seq], Buffer.alloc(blockBytes, seq))];
    for (let i = 0; i < documentsATurn; i++)
      puts.push(database.put([1, seq * documentsATurn + i], row(seq + i)));
    await Promise.all(puts);
  });
  await database.close();
  rmSync(path, { recursive: true, force: true });
  return rates;
}

const rounds = 5;

/** The median round by rate: the machine's other load comes in bursts. */
function middle(all: readonly Rates[]): Rates {
  return all.toSorted((a, b) => a.turns - b.turns)[all.length >> 1] as Rates;
}

const column = (n: number, digits = 0) => n.toFixed(digits).padStart(9);
console.log(
  'documents in flight |   turns/s documents/s p50 ms    p99 ms | bare lmdb    p50 ms | ratio',
);
for (const documents of [1, 10, 100, 1000])
  for (const inFlight of [1, 2]) {
    const mine: Rates[] = [];
    const theirs: Rates[] = [];
    for (let round = 0; round < rounds; round++) {
      mine.push(await ours(documents, inFlight));
      theirs.push(await bare(documents, inFlight));
    }
    const { turns, p50Ms, p99Ms } = middle(mine);
    const other = middle(theirs);
    const left = [documents, inFlight].map((n) => column(n)).join('');
    const rates = `${column(turns)} ${column(turns * documents)} ${column(p50Ms, 2)} ${column(p99Ms, 2)}`;
    const bareRates = `${column(other.turns)} ${column(other.p50Ms, 2)}`;
    console.log(`${left}  | ${rates} | ${bareRates} | ${(turns / other.turns).toFixed(2)}`);
  }

const documents = new Documents({ get: () => undefined, range: () => [] });
const reads = 200_000;
for (let i = 0; i < 1000; i++) documents.put(rows, 1, [i], row(i));
documents.takeStaged(1);
const startedMs = performance.now();
for (let i = 0; i < reads; i++) documents.get(rows, 1, [i % 1000]);
const overlayNs = ((performance.now() - startedMs) / reads) * 1e6;
console.log(`a get answered by the overlay: ${overlayNs.toFixed(0)} ns`);
