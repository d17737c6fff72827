// Twilio SendGrid, by its API of version 3.

import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { secretText } from '../../port/credential-forms.ts';
import type { RelayKind } from '../../port/relay-kind.ts';

const configSchema = z.object({
  /** With `mail.send`; no other permission is used. */
  apiKey: secretText(16, 256),
  /** `eu` for subusers whose data stay in the European Union. */
  region: z.enum(['global', 'eu']).default('global'),
  /** The verification key of the signed event webhook. Without it no event is taken. */
  publicKey: z
    .string()
    .max(1_024)
    .refine(isEventKey, 'must be the verification key of the event webhook')
    .optional(),
});

export type SendGridConfig = z.infer<typeof configSchema>;

export const sendgrid = {
  label: 'SendGrid',
  channels: ['email'],
  configSchema,
  secrets: ['apiKey'],
  urls: { SENDGRID: null },
  signs: { selectors: ['s1', 's2'] },
  events: { proof: 'an ECDSA signature of time and body, by the key of its event webhook' },
} as const satisfies RelayKind;

/** Base64 of an SPKI, as SendGrid shows it. */
export function eventKeyOf(text: string) {
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
}

function isEventKey(text: string): boolean {
  try {
    return eventKeyOf(text).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false; // not a key at all
  }
}
