// 200 simulated days of a partition: turns append blocks of 200 bytes to 200 kB, drop blocks older
// than three days, rewrite documents and read one of the previous turn. Shows whether LMDB's free
// list lets the file grow.
// Run: node --import=tsx bench/storage-append-drop.ts [turns a day = 60]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { below, fraction, type Rng, seededRng } from '../engine/base/rng.ts';
import { Documents } from '../storage/documents.ts';
import { openPartition } from '../storage/environment.ts';
import { defineTable } from '../storage/table.ts';

const turnsADay = Number(process.argv[2] ?? 60);
const days = 200;
const keptDays = 3;
const window = 20;
// Few enough that all exist after the first window: later growth is the file's, not the data's.
const people = 500;

interface Row {
  readonly seq: number;
  readonly text: string;
}
const rows = defineTable<Row>()({ id: 255, name: 'rows', fields: ['seq', 'text'], version: 1 });

const dataDir = mkdtempSync(join(tmpdir(), 'engage-bench-'));
const store = openPartition({
  dataDir,
  partition: 0,
  partitions: 1,
  nowMs: 0,
  onFatal: (error) => {
    throw error;
  },
});
const documents = new Documents(store);
const rng = seededRng(1, 'append and drop');
const slack = Buffer.alloc(200_000, 'x');
const text = 'y'.repeat(2000);
let bytes = 0;
let worstMs = 0;
let missed = 0;

/** Log-uniform: most blocks are small, most bytes are in large ones. */
function blockSize(rng: Rng): number {
  return Math.floor(200 * 1000 ** fraction(rng));
}

function commit(seq: number, durable: () => void): void {
  const expected = documents.get(rows, 1, [(seq - 1) % people])?.seq;
  if (seq > 1 && expected !== seq - 1) missed++;
  documents.put(rows, 1, [seq % people], { seq, text: text.slice(0, below(rng, 2000)) });
  for (let i = below(rng, 6); i > 0; i--) {
    const key = [people + below(rng, 2 * people)];
    if (below(rng, 3) === 0) documents.remove(rows, 1, key);
    else documents.put(rows, 1, key, { seq, text: text.slice(0, below(rng, 800)) });
  }
  const block = slack.subarray(0, blockSize(rng));
  bytes += block.length;
  const startedMs = performance.now();
  store.commit({ seq, block, documents: documents.takeStaged(seq) }, () => {
    documents.settled(seq);
    worstMs = Math.max(worstMs, performance.now() - startedMs);
    durable();
  });
}

function day(first: number): Promise<void> {
  return new Promise((resolve) => {
    let next = first;
    const last = first + turnsADay - 1;
    let inFlight = 0;
    const fill = () => {
      while (next <= last && inFlight < 2) {
        inFlight++;
        commit(next++, () => {
          inFlight--;
          if (next > last && inFlight === 0) resolve();
          else setImmediate(fill);
        });
      }
    };
    fill();
  });
}

const MB = (n: number) => (n / 1e6).toFixed(1).padStart(8);
console.log('    days  file MB  kept MB  written MB  worst commit ms');
const sizes: number[] = [];
const startedMs = performance.now();
for (let today = 0; today < days; today++) {
  await day(today * turnsADay + 1);
  while ((await store.dropBlocks((today - keptDays + 1) * turnsADay, 100)) > 0);
  if ((today + 1) % window !== 0) continue;
  const { fileBytes } = store.stats();
  const kept = store.blocks(1, 100_000).reduce((sum, { block }) => sum + block.length, 0);
  sizes.push(fileBytes);
  const range = `${today + 2 - window}-${today + 1}`.padStart(8);
  console.log(
    `${range} ${MB(fileBytes)} ${MB(kept)} ${MB(bytes).padStart(11)} ${worstMs.toFixed(1).padStart(12)}`,
  );
  worstMs = 0;
}
const seconds = (performance.now() - startedMs) / 1000;
const growth = (sizes.at(-1) as number) / (sizes[sizes.length >> 1] as number) - 1;
console.log(
  `${days * turnsADay} turns in ${seconds.toFixed(1)} s; the second half grew the file by ${(growth * 100).toFixed(1)} %`,
);
console.log(`documents of the turn before that a turn did not see: ${missed}`);
await store.close();
rmSync(dataDir, { recursive: true, force: true });
