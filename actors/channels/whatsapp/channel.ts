// WhatsApp through Meta's Cloud API.

import { z } from 'zod';
import { phoneEndpoint } from '../addresses/endpoint.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../port/channel-entry.ts';
import { oneLine, secretText } from '../port/credential-forms.ts';

const credentialSchema = z.object({
  phoneNumberId: z
    .string()
    .regex(/^\d{5,32}$/, 'must be the numeric phone number id, not the phone number'),
  accessToken: secretText(16, 1024),
  /** Without it the number's callbacks are refused. */
  appSecret: secretText(16, 256).optional(),
  verifyToken: oneLine(1, 256),
});
export type WhatsAppCredential = z.infer<typeof credentialSchema>;

export const whatsapp = {
  ...phoneEndpoint,
  ...ownAccount,
  billsPerMessage: true,
  credential: 'whatsapp',
  credentialSchema,
  onAmbiguous: waitOrNever,
  payloadKey: 'whatsapp',
  reachedReasons: ['pair_limit'],
  endsMarketing: ['marketing_stopped'],
  urls: { WHATSAPP: 'https://graph.facebook.com' },
  namesMessages: 'engage',
  answersNameMessages: true,
  webhook: {
    header: 'x-hub-signature-256',
    proof: '`sha256=` followed by the signature of the body.',
    about:
      'Called by Meta with the status of messages and what people write. A read message is an `opened` event. A failure after acceptance becomes a `bounced` receipt; code 131026 also disables the device.',
    isBatched: true,
  },
  reasons: {
    upgrading: 'unavailable',
    throughput: 'throttled',
    flow_throttled: 'throttled',
    app_limit: 'throttled',
    account_limit: 'throttled',
    pair_limit: 'recipient_quota',
    spam_limit: 'recipient_quota',
    ecosystem_limit: 'recipient_quota',
    payment_problem: 'balance_used_up',
    wrong_address: 'address_not_found',
    number_not_registered: 'invalid_number',
    undeliverable: 'invalid_number',
    recipient_is_sender: 'invalid_number',
    account_locked: 'user_not_found',
    marketing_stopped: 'opted_out',
    recipient_not_allowed: 'The account can only send to test numbers registered at its provider.',
    template_text_too_long: 'payload_too_large',
    media_unusable: 'invalid_url',
    template_disabled: 'template_missing',
    template_paused: 'template_missing',
    template_policy: 'template_missing',
    flow_blocked: 'template_missing',
    template_parameter_count: 'template_mismatch',
    template_parameter_empty: 'template_mismatch',
    template_parameter_format: 'template_mismatch',
    missing_parameter: 'bad_request',
    unsupported_message_type: 'bad_request',
    access_token_refused: 'unauthenticated',
    display_name_not_approved: 'account_blocked',
    phone_number_id_unknown: 'account_blocked',
    country_restricted: 'account_blocked',
  },
  usesLanguage: true,
} as const satisfies ChannelEntry;
