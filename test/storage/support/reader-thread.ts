// The thread of the reader's test: judges the partition each time it is told that a turn is
// durable.

import { parentPort } from 'node:worker_threads';
import { PartitionReader } from '../../../storage/reader.ts';
import { problemOf } from './workload.ts';

/** What boot.mjs calls in the new thread. */
export function start({ dataDir }: { readonly dataDir: string }): void {
  const reader = new PartitionReader({ dataDir, partition: 0 });

  parentPort?.on('message', async (said: number | 'close' | Int32Array) => {
    if (said instanceof Int32Array) {
      // What a checkpoint does: it reads, and then works on for long without a turn of the event
      // loop.
      const { durableSeq } = reader;
      reader.blocks(durableSeq, 1);
      reader.range({ start: Buffer.of(0), end: Buffer.of(255), limit: 1 });
      reader.get(Buffer.of(1));
      parentPort?.postMessage('read');
      Atomics.wait(said, 0, 0, 10_000);
      return;
    }
    if (said === 'close') {
      await reader.close();
      parentPort?.close();
      return;
    }
    parentPort?.postMessage({ durableSeq: reader.durableSeq, problem: problemOf(reader, said) });
  });
  parentPort?.postMessage('ready');
}
