// RCS through Google's RCS for Business API.

import { z } from 'zod';
import { phoneEndpoint } from '../addresses/endpoint.ts';
import { serviceAccountSchema } from '../google/google-account.ts';
import { type ChannelEntry, ownAccount, resend } from '../port/channel-entry.ts';
import { oneLine } from '../port/credential-forms.ts';

const credentialSchema = z.object({
  serviceAccount: serviceAccountSchema,
  agentId: z.string().regex(/^[A-Za-z0-9._@-]{1,256}$/, 'must be an agent id'),
  region: z.enum(['us', 'europe', 'asia']),
  clientToken: oneLine(1, 256).optional(),
});
export type RcsCredential = z.infer<typeof credentialSchema>;

export const rcs = {
  ...phoneEndpoint,
  ...ownAccount,
  billsPerMessage: true,
  credential: 'rcs',
  credentialSchema,
  // Google uses our message id, so a repeated call cannot send a second message.
  onAmbiguous: resend,
  urls: { RCS: null, GOOGLE_TOKEN: 'https://oauth2.googleapis.com/token' },
  namesMessages: 'engage',
  reasons: {
    deadline_exceeded: 'timeout',
    rcs_unreachable:
      'RCS cannot reach this phone: the phone, its network or the sender may not support it.',
    too_many_buttons: 'payload_too_large',
  },
  usesLanguage: true,
} as const satisfies ChannelEntry;
