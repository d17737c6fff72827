// Viber through its bot API.

import { z } from 'zod';
import type { Checked } from '../addresses/address.ts';
import { textEndpoint } from '../addresses/endpoint.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../port/channel-entry.ts';
import { oneLine } from '../port/credential-forms.ts';

const credentialSchema = z.object({
  authToken: z.string().regex(/^[0-9a-f-]{16,128}$/i, 'must be the bot token, in hexadecimal'),
  senderName: oneLine(1, 28),
});
export type ViberCredential = z.infer<typeof credentialSchema>;

export const viber = {
  ...textEndpoint('user id', viberId, 64),
  ...ownAccount,
  billsPerMessage: true,
  identity: 'viber',
  credential: 'viber',
  credentialSchema,
  onAmbiguous: waitOrNever,
  reachedReasons: ['recipient_quota'],
  urls: { VIBER: 'https://chatapi.viber.com' },
  namesMessages: 'provider',
  registersWebhook: true,
  webhook: {
    header: 'x-viber-content-signature',
    proof: "Signature of the body, with the `authToken` of the app's stored credential.",
    about:
      'Called by Viber with the status of messages, and when someone subscribes, leaves or writes to the bot. A seen message is an `opened` event; a failed one becomes a `bounced` receipt. Engage registers this URL with Viber when the credential is uploaded.',
  },
  reasons: {
    free_messages_used_up: 'balance_used_up',
    payment_unsupported: 'balance_used_up',
    unsupported_country: 'invalid_number',
    no_suitable_device: 'handset_unreachable',
    api_version_unsupported: "The person's app version is too old for this message.",
    not_registered: 'user_not_found',
    no_public_chat: 'user_not_found',
    member_missing: 'user_not_found',
    not_subscribed: 'not_started',
    broadcast_refused: 'content_refused',
    broadcast_not_allowed: 'content_refused',
    inline_not_allowed: 'bad_request',
    not_authorized: 'unauthenticated',
    auth_token_refused: 'unauthenticated',
    account_not_inline: 'account_blocked',
    api_version_incompatible: 'account_blocked',
    webhook_not_set: 'account_blocked',
  },
  usesLanguage: true,
} as const satisfies ChannelEntry;

/** A Viber user id: up to 64 printable characters without spaces; case matters. */
function viberId(raw: string): Checked {
  if (!/^[\x21-\x7e]{1,64}$/.test(raw)) {
    return { problem: 'must be a Viber user id: up to 64 printable characters' };
  }
  return { value: raw };
}
