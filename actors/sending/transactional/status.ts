// The status of a send, derived from the newest receipt of each device. Source: specification,
// "Transactional send status".

import type { SendOutcomeRow } from '../../../storage/tables/send.ts';
import type { SendStatus } from '../outbox/records.ts';

const priority = ['delivered', 'bounced', 'failed', 'suppressed'] as const;

/** Receipts come oldest first; only a device's newest counts. The first of `priority` wins. */
export function statusOfSend(outcomes: readonly SendOutcomeRow[]): SendStatus {
  const newest = new Map<string, SendOutcomeRow['status']>();
  for (const { deviceId, status } of outcomes) newest.set(deviceId, status);
  const seen = new Set(newest.values());
  return priority.find((status) => seen.has(status)) ?? 'pending';
}
