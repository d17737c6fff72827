// Our ids as WhatsApp stores them with a message and returns them in each status, so that a status
// finds its send even before the response with the message id.

import type { Attempt } from '../attempt.ts';

/** `<send id>:<device id>`, about 60 of WhatsApp's 512 characters. Neither id contains a colon. */
export function whatsappReference({ sendId, deviceId }: Attempt): string {
  return `${sendId}:${deviceId}`;
}
