// Ends the sends that a restore holds, in bounded turns: nobody knows whether they left after the
// backup was made. They become dead letters that an operator may redrive.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { SendsView } from './reads.ts';
import { SettlementBatch } from './report.ts';
import { restoredAbandonTimer } from './timers.ts';

/** Each has at most as many targets as a person has devices. */
const sendsPerTurn = 250;

export function abandonHeld(app: SendsView, context: Context): Decision<null> {
  const jobs = app.outbox.held(sendsPerTurn + 1);
  if (jobs.length === 0) return accepted(null);
  const batch = new SettlementBatch(app, context);
  for (const job of jobs.slice(0, sendsPerTurn)) {
    const { person } = job;
    job.targets.forEach(({ state, attempts }, index) => {
      if (state === 'done') return;
      const receipt = { person, status: 'failed', reason: 'unknown_outcome', attempts } as const;
      batch.add(job, index, { next: 'done', receipt });
    });
  }
  const entries = batch.entries(null);
  if (jobs.length > sendsPerTurn) entries.push(restoredAbandonTimer(context.owner, context.nowMs));
  return accepted(null, { entries, documents: batch.documents() });
}
