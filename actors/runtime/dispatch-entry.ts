// Entry of a dispatch thread.

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type HostedStart, serveThread } from '../../engine/thread/host.ts';
import { webhookCallsOf } from '../integrations/webhooks/thread-calls.ts';
import { hostDispatcher } from '../sending/dispatch/host.ts';
import type { DispatchData } from '../sending/dispatch/protocol.ts';

/** A campaign fills a dispatch thread for minutes, while callers wait for front and shard. */
const niceness = 5;

/** Called by the thread's boot with its `workerData`. */
export const start = (data: HostedStart<DispatchData>): Promise<void> => {
  yieldToCallers();
  return serveThread((hosted) => hostDispatcher(hosted, webhookCallsOf), data, parentPort);
};

/** On Linux each thread has a niceness of its own, by its thread id. */
function yieldToCallers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), niceness);
  } catch {
    // no /proc: it runs like the others
  }
}
