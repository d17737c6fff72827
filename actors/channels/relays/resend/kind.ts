// Resend: one API key, and the webhook that tells what became of its mails.

import { z } from 'zod';
import { secretText } from '../../port/credential-forms.ts';
import type { RelayKind } from '../../port/relay-kind.ts';

const configSchema = z.object({
  /** Sending access is enough. */
  apiKey: secretText(8, 256),
  /** The signing secret of the webhook. Without it no event is taken. */
  signingSecret: z
    .string()
    .regex(/^whsec_[A-Za-z\d+/]{16,128}={0,2}$/, 'must be the signing secret, `whsec_…`')
    .optional(),
});

export type ResendConfig = z.infer<typeof configSchema>;

export const resendKind = {
  label: 'Resend',
  channels: ['email'],
  configSchema,
  secrets: ['apiKey', 'signingSecret'],
  urls: { RESEND: 'https://api.resend.com' },
  signs: { selectors: ['resend'], returnPathLabel: 'send' },
  events: { proof: 'a signature by Standard Webhooks, with the signing secret of its webhook' },
} as const satisfies RelayKind;
