// An app's identity keys in memory, all sealed: a reader of this state can neither claim an
// identity nor sign a client token.

import type { Millis } from '../../engine/base/brand.ts';

/** A tenant's server vouches for its users with it. The previous one stays valid for a day. */
export interface IdentitySecret {
  readonly sealed: Uint8Array;
  readonly previous: { readonly sealed: Uint8Array; readonly untilMs: Millis } | null;
}

export interface IdentityKeys {
  readonly secret: IdentitySecret | null;
  /** Signs the app's client tokens; `null` until the first. A new key invalidates all tokens. */
  readonly tokenKey: Uint8Array | null;
}

/** Of an app that has had neither a secret nor a login. */
export const noIdentityKeys: IdentityKeys = { secret: null, tokenKey: null };
