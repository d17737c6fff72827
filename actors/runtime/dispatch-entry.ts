// Entry of a dispatch thread.

import { parentPort } from 'node:worker_threads';
import { type HostedStart, serveThread } from '../../engine/thread/host.ts';
import { webhookCallsOf } from '../integrations/webhooks/thread-calls.ts';
import { hostDispatcher } from '../sending/dispatch/host.ts';
import type { DispatchData } from '../sending/dispatch/protocol.ts';

/** Called by the thread's boot with its `workerData`. */
export const start = (data: HostedStart<DispatchData>): Promise<void> =>
  serveThread((hosted) => hostDispatcher(hosted, webhookCallsOf), data, parentPort);
