// What Viber keeps for us of a message and gives back with what the person answers to it. Easily
// got wrong: receipts do not carry it; they are found by the message's token.

import type { Attempt } from '../attempt.ts';

/** The most of `tracking_data`, in UTF-16 units. */
export const viberTrackingMax = 4_000;

/** Our ids and the message's custom data, as JSON text. */
export function viberTracking({ sendId, deviceId, content }: Attempt): string {
  return JSON.stringify({ sendId, deviceId, data: content.data });
}
