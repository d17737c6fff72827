// Our ids, stored by WhatsApp and returned in each status, so that a status finds its send even
// before the response with the message id.

import type { Attempt } from '../port/attempt.ts';

/** `<send id>:<device id>`, about 60 of WhatsApp's 512 characters. Neither id has a colon. */
export function whatsappReference({ sendId, deviceId }: Attempt): string {
  return `${sendId}:${deviceId}`;
}
