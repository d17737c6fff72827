// Instants after the operator set the clock right, which the data was ahead of.

import type { Rebase } from '../actor/machine.ts';
import type { Millis } from '../base/brand.ts';

export interface RebasedInstants {
  /** The newest instant before, and the wall clock's, which is earlier. */
  readonly fromMs: Millis;
  readonly toMs: Millis;
  /** Instants from here on were stamped by a wrong clock, and from the second on by the last. */
  readonly sinceMs: Millis;
  readonly lastSinceMs: Millis;
}

export function rebaseOf({ fromMs, toMs, sinceMs, lastSinceMs }: RebasedInstants): Rebase {
  const aheadMs = fromMs - toMs;
  return {
    toMs,
    sinceMs,
    aheadMs,
    stamp: (atMs) => {
      if (atMs < sinceMs) return atMs;
      // How far an earlier wrong clock was ahead is not known: younger is safe.
      return atMs < lastSinceMs ? toMs : atMs - aheadMs;
    },
    due: (dueMs) => (dueMs >= toMs ? Math.max(toMs, dueMs - aheadMs) : dueMs),
  };
}
