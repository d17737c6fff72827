// Brevo: one API key, and the transactional webhook that tells what became of its mails.

import { z } from 'zod';
import { secretText } from '../../port/credential-forms.ts';
import type { RelayKind } from '../../port/relay-kind.ts';

const configSchema = z.object({
  /** Of version 3, `xkeysib-…`; an SMTP key is another. */
  apiKey: secretText(16, 256),
  /** The webhook shows it, as bearer token or as password. Without it no event is taken. */
  eventsToken: secretText(16, 256).optional(),
});

export type BrevoConfig = z.infer<typeof configSchema>;

export const brevo = {
  label: 'Brevo',
  channels: ['email'],
  configSchema,
  secrets: ['apiKey', 'eventsToken'],
  urls: { BREVO: 'https://api.brevo.com' },
  signs: { selectors: ['brevo1', 'brevo2', 'mail'] },
  events: { proof: 'the token of its webhook, or the password in its address' },
} as const satisfies RelayKind;
