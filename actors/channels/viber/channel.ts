// Viber through its bot API.

import { z } from 'zod';
import type { Checked } from '../address.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../channel-entry.ts';
import { oneLine } from '../credential-forms.ts';
import { textEndpoint } from '../endpoint.ts';

const credentialSchema = z.object({
  authToken: z
    .string()
    .regex(/^[0-9a-f-]{16,128}$/i, 'must be the bot token of hexadecimal digits'),
  senderName: oneLine(1, 28),
});
export type ViberCredential = z.infer<typeof credentialSchema>;

/** What the catalogue says of Viber. */
export const viber = {
  label: 'Viber',
  ...textEndpoint('user id', viberId, 64),
  ...ownAccount,
  identity: 'viber',
  credential: 'viber',
  credentialSchema,
  onAmbiguous: waitOrNever,
  urls: { VIBER: 'https://chatapi.viber.com' },
  namesMessages: 'provider',
  registersWebhook: true,
  webhook: {
    header: 'x-viber-content-signature',
    proof: 'The signature of the body, under the `authToken` of the app’s stored credential.',
    about:
      'Called by Viber with what became of messages, and who subscribed, left or wrote to the bot. A message that was seen is an `opened` event, and one that failed becomes a `bounced` receipt of the send. Registered with Viber whenever the credential is uploaded.',
  },
} as const satisfies ChannelEntry;

/** A Viber user id: up to 64 printable characters without spaces; case matters. */
function viberId(raw: string): Checked {
  if (!/^[\x21-\x7e]{1,64}$/.test(raw)) {
    return { problem: 'must be a Viber user id: up to 64 printable characters' };
  }
  return { value: raw };
}
