// When a failed delivery is tried again, and when no more. Source: specification, "Outbound webhook
// delivery".

import { hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { WebhookResult } from './call/attempt.ts';
import type { Delivery } from './delivery-rows.ts';

const waitsMs: readonly Millis[] = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 8 * hourMs];
export const longestRetryMs: Millis = Math.max(...waitsMs);

/** A delivery after an attempt that ended now. */
export function afterAttempt(before: Delivery, result: WebhookResult, nowMs: Millis): Delivery {
  const { status, error, isFinal, durationMs, answer } = result;
  const attempts = before.attempts + 1;
  const ended = {
    attempts,
    durationMs,
    endedMs: nowMs,
    ...(status === undefined ? {} : { status }),
  };
  if (error === undefined) return { ...ended, state: 'delivered', answer };
  if (isFinal) return { ...ended, state: 'dead', error };
  if (status === 410) return { ...ended, state: 'stopped', error };
  const waitMs = waitsMs[attempts - 1];
  if (waitMs === undefined) return { ...ended, state: 'dead', error };
  return { ...ended, state: 'retrying', error, dueMs: nowMs + waitMs };
}
