// Messages whose outcome a gateway tells only when it is asked, one call each: a row from its
// acceptance until the outcome is known or the wait is over. In the order in which they are asked.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface AwaitedResultRow {
  readonly sendId: string;
  readonly deviceId: string;
  readonly person: PersonOrdinal;
  /** The gateway's id of the message; absent where it gave none. */
  readonly name?: string;
  /** When the gateway accepted it. */
  readonly sinceMs: Millis;
  /** Answers so far that knew no outcome. */
  readonly asks: number;
}

/** Key: [relay id, when to ask (ms), send id, device id]. */
export const awaitedResults = defineTable<AwaitedResultRow>()({
  id: 47,
  name: 'awaited results',
  version: 1,
  fields: ['sendId', 'deviceId', 'person', 'name', 'sinceMs', 'asks'],
});
