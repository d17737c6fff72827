// Entry of a shard thread.

import { parentPort } from 'node:worker_threads';
import { type HostedStart, serveThread } from '../../engine/thread/host.ts';
import { hostShard } from './host.ts';
import type { ShardData } from './protocol.ts';

/** Called at the thread's start with its `workerData`. */
export const start = (data: HostedStart<ShardData>): Promise<void> =>
  serveThread(hostShard, data, parentPort);
