// LINE through its Messaging API.

import { z } from 'zod';
import type { Checked } from '../addresses/address.ts';
import { textEndpoint } from '../addresses/endpoint.ts';
import { type ChannelEntry, ownAccount, resend } from '../port/channel-entry.ts';
import { secretText } from '../port/credential-forms.ts';

const credentialSchema = z.object({
  channelAccessToken: secretText(16, 1024),
  channelSecret: secretText(16, 128).optional(),
});
export type LineCredential = z.infer<typeof credentialSchema>;

export const line = {
  ...textEndpoint('user, group or room id', lineId, 33),
  ...ownAccount,
  identity: 'line',
  credential: 'line',
  credentialSchema,
  // LINE honors our retry key, so a repeated call cannot send a second message.
  onAmbiguous: resend,
  urls: { LINE: 'https://api.line.me' },
  webhook: {
    header: 'x-line-signature',
    proof: "Signature of the body, with the `channelSecret` of the app's stored credential.",
    about:
      'Called by LINE when someone follows, blocks or writes to the account. LINE does not report message status. Blocking the account opts the person out; following it again removes that opt-out.',
    isBatched: true,
  },
  reasons: {
    monthly_limit_reached: 'balance_used_up',
    not_entitled: 'unauthenticated',
  },
  usesLanguage: true,
} as const satisfies ChannelEntry;

/** A LINE user, group or room: `U`, `C` or `R` and 32 lower-case hexadecimal digits. */
function lineId(raw: string): Checked {
  if (!/^[UCR][0-9a-f]{32}$/.test(raw)) {
    return { problem: 'must be a LINE id: U, C or R and 32 lower-case hexadecimal digits' };
  }
  return { value: raw };
}
