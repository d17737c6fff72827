// Zalo through its Official Account API.

import { z } from 'zod';
import type { Checked } from '../address.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../channel-entry.ts';
import { secretText } from '../credential-forms.ts';
import { textEndpoint } from '../endpoint.ts';

const credentialSchema = z.object({
  appId: z.string().regex(/^\d{5,32}$/, 'must be the app id of digits'),
  appSecret: secretText(8, 256),
  /**
   * Good for one use: the provider gives another with each, and that one takes its place in what is
   * stored.
   */
  refreshToken: secretText(16, 2048),
  oaSecretKey: secretText(8, 256).optional(),
});
export type ZaloApp = z.infer<typeof credentialSchema>;

/** What the catalogue says of Zalo. */
export const zalo = {
  label: 'Zalo',
  ...textEndpoint('user id', zaloId, 20),
  ...ownAccount,
  identity: 'zalo',
  credential: 'zalo',
  credentialSchema,
  onAmbiguous: waitOrNever,
  marketingNight: { start: '22:00', end: '06:00', timezone: 'Asia/Ho_Chi_Minh' },
  urls: { ZALO: 'https://openapi.zalo.me', ZALO_TOKEN: null },
  namesMessages: 'provider',
  webhook: {
    header: 'x-zevent-signature',
    proof:
      '`mac=` and the hash of app id, body, timestamp and the stored credential’s `oaSecretKey`.',
    about:
      'Called by Zalo with what became of messages, and who followed, left or wrote to the account. A message that was seen is an `opened` event.',
  },
} as const satisfies ChannelEntry;

/** A Zalo user id: 1 to 20 digits. */
function zaloId(raw: string): Checked {
  if (!/^\d{1,20}$/.test(raw)) return { problem: 'must be a Zalo user id: up to 20 digits' };
  return { value: raw };
}
