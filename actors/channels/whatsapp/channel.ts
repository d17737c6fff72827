// WhatsApp through the Cloud API of Meta.

import { z } from 'zod';
import { type ChannelEntry, ownAccount, waitOrNever } from '../channel-entry.ts';
import { oneLine, secretText } from '../credential-forms.ts';
import { phoneEndpoint } from '../endpoint.ts';

const credentialSchema = z.object({
  phoneNumberId: z
    .string()
    .regex(/^\d{5,32}$/, 'must be the number id of digits, not the phone number'),
  accessToken: secretText(16, 1024),
  /** Without it the callbacks of the number are refused. */
  appSecret: secretText(16, 256).optional(),
  verifyToken: oneLine(1, 256),
});
export type WhatsAppCredential = z.infer<typeof credentialSchema>;

/** What the catalogue says of WhatsApp. */
export const whatsapp = {
  label: 'WhatsApp',
  ...phoneEndpoint,
  ...ownAccount,
  credential: 'whatsapp',
  credentialSchema,
  onAmbiguous: waitOrNever,
  payloadKey: 'whatsapp',
  urls: { WHATSAPP: 'https://graph.facebook.com' },
  namesMessages: 'engage',
  webhook: {
    header: 'x-hub-signature-256',
    proof: '`sha256=` and the signature of the body.',
    about:
      'Called by Meta with what became of messages and what people wrote. A read is an `opened` event; a failure after the message was taken becomes a `bounced` receipt of the send, and with code 131026 disables the device.',
    isBatched: true,
  },
} as const satisfies ChannelEntry;
