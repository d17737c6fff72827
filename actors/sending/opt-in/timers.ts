// The timers of an app's sign-ups: one removes the old ones, one sends the mails that are owed.

import type { TimerSet } from '../../../engine/actor/machine.ts';
import { dayMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import type { AreaTimers } from '../../area.ts';

const optInSweep = 32;
const optInMail = 33;

/** A day later. */
export function optInSweepTimer(owner: Ordinal, nowMs: Millis): TimerSet {
  const dueMs = nowMs + dayMs;
  return { kind: 'timer.set', owner, timer: optInSweep, dueMs, ref: [0, 0, 0, 0] };
}

/** `run` tells the newest one from those that a sooner mail has replaced. */
export function optInMailTimer(owner: Ordinal, run: number, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: optInMail, dueMs, ref: [run, 0, 0, 0] };
}

export const optInTimers: AreaTimers = {
  [optInMail]: ([run]) => ({ kind: 'opt_in.mail', run }),
  [optInSweep]: () => ({ kind: 'opt_in.sweep' }),
};
