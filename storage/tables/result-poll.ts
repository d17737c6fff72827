// How far an app has polled a provider without callbacks for the results of its messages. One
// row a channel, and only while something is to be asked: a send leaves nothing here.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface ResultPollRow {
  /** What changed before this was asked for. */
  readonly sinceMs: Millis;
  /**
   * The poll under way: to where it asks, and where its next page begins (empty for the first).
   * Absent between polls.
   */
  readonly asking?: { readonly untilMs: Millis; readonly startKey: string };
  /** Polls since the newest send; -1 while one is under way that a send came after. */
  readonly pass: number;
  /** When to ask next; of a poll under way, when it is given up for lost. */
  readonly dueMs: Millis;
  /** Pages that failed, one after another. */
  readonly failures: number;
}

/** Key: [channel]. */
export const resultPolls = defineTable<ResultPollRow>()({
  id: 41,
  name: 'result polls',
  version: 1,
  fields: ['sinceMs', 'asking', 'pass', 'dueMs', 'failures'],
});
