// Signatures of a delivery: HMAC-SHA256 of the body, of `<timestamp>.<body>`, and as Standard
// Webhooks says. Ours are keyed with the secret's characters as they are shown; Standard Webhooks
// with the decoded bytes of a `whsec_` secret, or the characters of any other. Pure.

import { createHmac } from 'node:crypto';

/** Of the body alone: `x-engage-signature`. Lower-case hex. */
export function bodySignature(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Of `<timestamp>.<body>`: `x-engage-signature-v2`. Lower-case hex. */
export function timedSignature(secret: string, timestamp: string, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** `webhook-signature`: `v1,` and base64 for each secret, with a space between. */
export function standardSignature(
  secrets: readonly string[],
  deliveryId: string,
  timestamp: string,
  body: Buffer,
): string {
  const start = `${deliveryId}.${timestamp}.`;
  let signatures = '';
  for (const secret of secrets) {
    const hmac = createHmac('sha256', standardKey(secret)).update(start).update(body);
    signatures += `${signatures === '' ? '' : ' '}v1,${hmac.digest('base64')}`;
  }
  return signatures;
}

function standardKey(secret: string): Buffer | string {
  return secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : secret;
}

/** Starts a secret in the form of Standard Webhooks; base64 follows. */
const secretPrefix = 'whsec_';
