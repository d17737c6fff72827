// What an operator's word changes: the wall clock is right, and the data is ahead of it.

import type { Millis } from '../base/brand.ts';

export interface Rebase {
  /** The newest instant before, and the wall clock's, which is earlier. */
  readonly fromMs: Millis;
  readonly toMs: Millis;
  /** Instants from here on were stamped by the wrong clock; infinity if it is not known. */
  readonly sinceMs: Millis;
}

/** An instant at which something happened. */
export function stampRebased(atMs: Millis, { fromMs, toMs, sinceMs }: Rebase): Millis {
  return atMs >= sinceMs ? atMs - (fromMs - toMs) : atMs;
}

/** An instant that is awaited: the wait left stays as long as it is. */
export function dueRebased(dueMs: Millis, { fromMs, toMs }: Rebase): Millis {
  return dueMs >= toMs ? Math.max(toMs, dueMs - (fromMs - toMs)) : dueMs;
}
