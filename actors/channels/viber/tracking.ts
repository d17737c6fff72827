// What Viber stores with a message and returns with the person's answers. Receipts do not contain
// it; they are found by the message's token.

import type { Attempt } from '../attempt.ts';

/** The longest `tracking_data`, in UTF-16 units. */
export const viberTrackingMax = 4_000;

/** Our ids and the message's custom data, as JSON text. */
export function viberTracking({ sendId, deviceId, content }: Attempt): string {
  return JSON.stringify({ sendId, deviceId, data: content.data });
}
