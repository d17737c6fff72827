// The status of a send, derived from the newest receipt of each device. Source: specification,
// "Transactional send status".

import type { SendOutcomeRow } from '../../../storage/tables/send.ts';
import type { SendStatus } from './protocol.ts';

const priority = ['delivered', 'bounced', 'failed', 'suppressed'] as const;

/**
 * The first of `priority` that some device has; else `pending`. Receipts come oldest first and only
 * a device's newest counts: a late bounce undoes its delivery, a redrive its failure.
 */
export function statusOfSend(outcomes: readonly SendOutcomeRow[]): SendStatus {
  const newest = new Map<string, SendOutcomeRow['status']>();
  for (const { deviceId, status } of outcomes) newest.set(deviceId, status);
  const seen = new Set(newest.values());
  return priority.find((status) => seen.has(status)) ?? 'pending';
}
