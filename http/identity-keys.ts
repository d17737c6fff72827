// Key material of an app's identity, made here since actors make no secrets: the secret that a
// tenant's server vouches for its users under, and the key that signs client tokens. What an app
// has no use for is dropped there.

import { randomBytes } from 'node:crypto';

/**
 * A new identity secret: 256 random bits as text. The text itself is the key of the HMAC, so no
 * library has to decode it.
 */
export function makeIdentitySecret(): string {
  return `is_${randomBytes(32).toString('base64url')}`;
}

/** A key for an app's client tokens. */
export function makeTokenKey(): Uint8Array {
  return randomBytes(32);
}
