// What WhatsApp keeps for us of a message and gives back in each of its statuses, so that a receipt
// finds its send though it comes before the answer that would have told the message's id.

import type { Attempt } from '../attempt.ts';

/**
 * `<send id>:<device id>`, some 60 characters of the 512 that WhatsApp takes. Neither id holds a
 * colon.
 */
export function whatsappReference({ sendId, deviceId }: Attempt): string {
  return `${sendId}:${deviceId}`;
}
