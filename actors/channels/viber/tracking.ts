// What Viber stores with a message and returns with the person's answers. Receipts lack it and are
// found by message token.

import type { Attempt } from '../port/attempt.ts';

/** The longest `tracking_data`, in UTF-16 units. */
export const viberTrackingMax = 4_000;

export function viberTracking({ sendId, deviceId, content }: Attempt): string {
  return JSON.stringify({ sendId, deviceId, data: content.data });
}
