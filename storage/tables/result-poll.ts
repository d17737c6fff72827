// Polls of a provider without callbacks: one row per app and channel, while results are pending.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface ResultPollRow {
  /** Earlier changes were read. */
  readonly sinceMs: Millis;
  /** The open poll's end, and its next page's start (empty at first). Absent between polls. */
  readonly asking?: { readonly untilMs: Millis; readonly startKey: string };
  /** Polls since the newest send; -1 if a send came during the open poll. */
  readonly pass: number;
  /** When to poll next; for an open poll, when it counts as lost. */
  readonly dueMs: Millis;
  /** Consecutive failed pages. */
  readonly failures: number;
}

/** Key: [channel]. */
export const resultPolls = defineTable<ResultPollRow>()({
  id: 41,
  name: 'result polls',
  version: 1,
  fields: ['sinceMs', 'asking', 'pass', 'dueMs', 'failures'],
});
