// Entry of the child process that checks: takes one job, reports, and ends. It runs at low priority
// beside the server whose files it reads.

import { setPriority } from 'node:os';
import process from 'node:process';
import { systemClock } from '../../../engine/time/clock.ts';
import { checkPartition } from './partition.ts';
import type { CheckEvent, CheckJob } from './protocol.ts';
import { messageOf } from './records.ts';

const tickEveryMs = 200;
const niceness = 10;

process.once('message', (job: CheckJob) => {
  run(job)
    .catch((error: unknown) => {
      process.stderr.write(`engage: the check could not continue: ${messageOf(error)}\n`);
      process.exitCode = 1;
    })
    .finally(() => {
      if (process.connected) process.disconnect(); // nothing else keeps this process alive
    });
});

async function run(job: CheckJob): Promise<void> {
  try {
    setPriority(niceness);
  } catch {
    // Without permission it runs at normal priority.
  }
  for (const partition of job.partitions) {
    let toldMs = 0;
    const tick = (what: string) => {
      const nowMs = systemClock.monotonic();
      if (nowMs - toldMs < tickEveryMs) return;
      toldMs = nowMs;
      void tell({ kind: 'progress', partition, what });
    };
    if (!process.connected) return; // the asking process is gone
    await tell({ kind: 'progress', partition, what: 'opening' });
    await tell(
      await checkPartition(job, partition, systemClock, tick).then(
        (report): CheckEvent => ({ kind: 'report', report }),
        (error: unknown) => ({ kind: 'failed', partition, problem: messageOf(error) }),
      ),
    );
  }
}

/** Resolves once the event is handed over: a crash in the next partition must not lose it. */
function tell(event: CheckEvent): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(event, undefined, {}, () => resolve());
  });
}
