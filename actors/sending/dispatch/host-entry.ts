// Entry of a dispatch thread.

import { parentPort } from 'node:worker_threads';
import { type HostedStart, serveThread } from '../../../engine/thread/host.ts';
import { hostDispatcher } from './host.ts';
import type { DispatchData } from './protocol.ts';

/** Called by the thread's boot with its `workerData`. */
export const start = (data: HostedStart<DispatchData>): Promise<void> =>
  serveThread(hostDispatcher, data, parentPort);
