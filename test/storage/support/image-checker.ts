// A process that opens disk images, judges them, writes on, and says a line for each. Apart from
// the test because a damaged image may crash LMDB, and that must fail the test, not end it. Reads
// `{dataDir, acknowledged}` lines.

import { createInterface } from 'node:readline';
import { openPartition } from '../../../storage/environment.ts';
import { problemOf, turnOf } from './workload.ts';

const fail = (error: Error) => {
  throw error;
};

for await (const line of createInterface({ input: process.stdin })) {
  const { dataDir, acknowledged } = JSON.parse(line) as { dataDir: string; acknowledged: number };
  process.stdout.write(`${await judge(dataDir, acknowledged)}\n`);
}

async function judge(dataDir: string, acknowledged: number): Promise<string> {
  const options = { dataDir, partition: 0, partitions: 1, nowMs: 0, onFatal: fail };
  try {
    const store = openPartition(options);
    const problem = problemOf(store, acknowledged);
    if (problem !== undefined) return problem;
    // An image that reads well may still have a broken free list: the next turns would show it.
    const next = store.durableSeq + 1;
    for (let seq = next; seq < next + 3; seq++)
      await new Promise<void>((resolve) => store.commit(turnOf(seq), resolve));
    await store.close();
    const again = openPartition(options);
    const later = problemOf(again, next + 2);
    await again.close();
    return later === undefined ? 'sound' : `after three more turns: ${later}`;
  } catch (error) {
    return `does not open: ${(error as Error).message}`;
  }
}
