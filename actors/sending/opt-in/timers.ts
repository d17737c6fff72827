// The timer that removes old sign-ups of an app.

import type { TimerSet } from '../../../engine/actor/machine.ts';
import { dayMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import type { AreaTimers } from '../../area.ts';

const optInSweep = 32;

/** A day later. */
export function optInSweepTimer(owner: Ordinal, nowMs: Millis): TimerSet {
  const dueMs = nowMs + dayMs;
  return { kind: 'timer.set', owner, timer: optInSweep, dueMs, ref: [0, 0, 0, 0] };
}

export const optInTimers: AreaTimers = {
  [optInSweep]: () => ({ kind: 'opt_in.sweep' }),
};
