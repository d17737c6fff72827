// Mailgun, by its API of version 3.

import { z } from 'zod';
import { secretText } from '../../port/credential-forms.ts';
import type { RelayKind } from '../../port/relay-kind.ts';

const configSchema = z.object({
  /** Of the account, or the sending key of the domain. */
  apiKey: secretText(16, 256),
  /** The sending domain as Mailgun has it. */
  domain: z
    .string()
    .max(253)
    .regex(/^[a-z\d](?:[a-z\d-]{0,62}\.){1,10}[a-z\d-]{2,63}$/i, 'must be a domain'),
  region: z.enum(['us', 'eu']).default('us'),
  /** The HTTP webhook signing key. Without it no event is taken. */
  signingKey: secretText(16, 256).optional(),
});

export type MailgunConfig = z.infer<typeof configSchema>;

export const mailgun = {
  label: 'Mailgun',
  channels: ['email'],
  configSchema,
  secrets: ['apiKey', 'signingKey'],
  urls: { MAILGUN: null },
  signs: { returnPathIn: 'domain' },
  events: { proof: 'an HMAC of time and token in the body, by the webhook signing key' },
} as const satisfies RelayKind;
