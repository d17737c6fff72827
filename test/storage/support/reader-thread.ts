// The thread of the reader's test: judges the partition each time it is told that a turn is durable.

import { parentPort, workerData } from 'node:worker_threads';
import { PartitionReader } from '../../../storage/reader.ts';
import { problemOf } from './workload.ts';

const { dataDir } = workerData as { readonly dataDir: string };
const reader = new PartitionReader({ dataDir, partition: 0 });

parentPort?.on('message', async (said: number | 'close') => {
  if (said === 'close') {
    await reader.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage({ durableSeq: reader.durableSeq, problem: problemOf(reader, said) });
});
parentPort?.postMessage('ready');
