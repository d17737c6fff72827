// What memory holds of an app's identity keys. All of it is sealed: a reader of this state can
// neither claim to be somebody nor sign a client token.

import type { Millis } from '../../engine/base/brand.ts';

/**
 * The secret under which a tenant's own server vouches for its users. The one before goes on for a
 * day.
 */
export interface IdentitySecret {
  readonly sealed: Uint8Array;
  readonly previous: { readonly sealed: Uint8Array; readonly untilMs: Millis } | null;
}

export interface IdentityKeys {
  readonly secret: IdentitySecret | null;
  /**
   * What signs the app's client tokens; `null` until the first one. Another key ends every token of
   * the one before.
   */
  readonly tokenKey: Uint8Array | null;
}

/** An app that has had neither a secret nor a login. */
export const noIdentityKeys: IdentityKeys = { secret: null, tokenKey: null };
