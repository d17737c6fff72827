// The timers of accounts.

import type { TimerSet } from '../../../engine/actor/machine.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { AreaTimers } from '../../area.ts';

const appSweep = 5;

export function appSweepTimer(owner: Ordinal, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: appSweep, dueMs, ref: [0, 0, 0, 0] };
}

export const accountsTimers: AreaTimers = {
  [appSweep]: () => ({ kind: 'app.sweep' }),
};
