// An app's identity keys: the secret by which a tenant's server vouches for its users, and the key
// that signs client tokens. Made here, because actors make no secrets.

import { randomBytes } from 'node:crypto';

/** 256 random bits as text. The text itself is the HMAC key, so no library has to decode it. */
export function makeIdentitySecret(): string {
  return `is_${randomBytes(32).toString('base64url')}`;
}

export function makeTokenKey(): Uint8Array {
  return randomBytes(32);
}
