// Android push through FCM.

import type { Checked } from '../addresses/address.ts';
import { textEndpoint, tokenBytesMax } from '../addresses/endpoint.ts';
import { serviceAccountSchema } from '../google/google-account.ts';
import { type ChannelEntry, pushChannel } from '../port/channel-entry.ts';

export const fcm = {
  ...textEndpoint('FCM registration token', fcmToken, tokenBytesMax),
  ...pushChannel,
  credential: 'fcm',
  credentialSchema: serviceAccountSchema,
  urls: { FCM: 'https://fcm.googleapis.com', GOOGLE_TOKEN: 'https://oauth2.googleapis.com/token' },
  reasons: {
    invalid_token: 'unregistered',
    third_party_auth_error: 'unauthenticated',
    project_not_found: 'unauthenticated',
  },
} as const satisfies ChannelEntry;

/** An FCM token: opaque printable ASCII without spaces. Google may change its structure. */
function fcmToken(raw: string): Checked {
  if (raw.length > tokenBytesMax) {
    return { problem: `must be an FCM registration token of at most ${tokenBytesMax} characters` };
  }
  if (!/^[\x21-\x7e]+$/.test(raw)) {
    return { problem: 'must be an FCM registration token: printable ASCII without spaces' };
  }
  return { value: raw };
}
