// Instants after the operator set the clock right, which the data was ahead of.

import type { Rebase } from '../actor/machine.ts';
import type { Millis } from '../base/brand.ts';

export interface RebasedInstants {
  /** The newest instant before, and the wall clock's, which is earlier. */
  readonly fromMs: Millis;
  readonly toMs: Millis;
  readonly sinceMs: Millis;
}

export function rebaseOf({ fromMs, toMs, sinceMs }: RebasedInstants): Rebase {
  const aheadMs = fromMs - toMs;
  return {
    toMs,
    sinceMs,
    stamp: (atMs) => (atMs >= sinceMs ? atMs - aheadMs : atMs),
    due: (dueMs) => (dueMs >= toMs ? Math.max(toMs, dueMs - aheadMs) : dueMs),
  };
}
