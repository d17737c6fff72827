// Key material of an app's identity: the secret with which a tenant's server vouches for its users,
// and the key that signs client tokens. Made here because actors make no secrets. An app that does
// not need it drops it.

import { randomBytes } from 'node:crypto';

/**
 * A new identity secret: 256 random bits as text. The text itself is the HMAC key, so no library
 * has to decode it.
 */
export function makeIdentitySecret(): string {
  return `is_${randomBytes(32).toString('base64url')}`;
}

/** A key for an app's client tokens. */
export function makeTokenKey(): Uint8Array {
  return randomBytes(32);
}
