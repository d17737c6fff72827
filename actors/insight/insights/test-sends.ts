// Which events are of test sends: figures leave them out.

import { isServiceName } from '../../events/ingest/names.ts';
import type { StoredEvents } from '../../events/log/stored-events.ts';
import { isMarkedTest } from '../../events/log/test-mark.ts';

/** Whether events of this name may be of a send. */
export function mayBeOfTest(name: string): boolean {
  return isServiceName(name) || name === 'opened' || name === 'clicked';
}

/**
 * Whether a receipt, an open or a click is of a test send. No campaign sends tests, and its column
 * is the quicker one.
 */
export function isOfTest(events: StoredEvents, row: number): boolean {
  if (events.reference(row, 'campaignId') !== undefined) return false;
  return isMarkedTest(events.metaJson(row));
}
