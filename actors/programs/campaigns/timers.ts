// The timers of campaigns.

import type { TimerSet } from '../../../engine/actor/machine.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { AreaTimers } from '../../area.ts';
import { idOfRef, idRef } from '../../sending/outbox/send-key.ts';

const dryRunSweep = 7;

export function dryRunSweepTimer(owner: Ordinal, dryRunId: string, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: dryRunSweep, dueMs, ref: idRef('dry', dryRunId) };
}

export const campaignsTimers: AreaTimers = {
  [dryRunSweep]: (ref) => ({ kind: 'dry_run.sweep', dryRunId: idOfRef('dry', ref) }),
};
