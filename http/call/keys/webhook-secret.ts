// Signing secrets of webhooks, in the form of Standard Webhooks. The edge makes them, because
// actors draw no random numbers for key material.

import { randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** 256 random bits. */
export function makeWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/**
 * Whether a caller's own secret can sign: `whsec_` and base64 of 24 to 64 bytes, as the standard
 * says, or 16 to 256 visible ASCII characters that do not start like one.
 */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(prefix)) return /^[\x21-\x7e]{16,256}$/.test(text);
  const encoded = text.slice(prefix.length);
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}
