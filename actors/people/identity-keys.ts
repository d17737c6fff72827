// An app's identity keys in memory, all sealed: a reader of this state can neither claim an
// identity nor sign a client token.

import type { Millis } from '../../engine/base/brand.ts';
import type { AppSettings, IdentityVerification } from '../tenants/accounts/records.ts';

/** A tenant's server vouches for its users with it. The previous one stays valid for a day. */
export interface IdentitySecret {
  readonly sealed: Uint8Array;
  /** Counts the app's secrets from 1, which is what it is if absent. */
  readonly number?: number;
  /** Absent in entries of older versions. */
  readonly madeMs?: Millis;
  readonly previous: { readonly sealed: Uint8Array; readonly untilMs: Millis } | null;
}

export interface IdentityKeys {
  readonly secret: IdentitySecret | null;
  /** Signs the app's client tokens; `null` until the first. A new key invalidates all tokens. */
  readonly tokenKey: Uint8Array | null;
}

/** Of an app that has had neither a secret nor a login. */
export const noIdentityKeys: IdentityKeys = { secret: null, tokenKey: null };

/** What decides how identities are verified in an app. */
export interface Verified {
  readonly identity: IdentityKeys;
  readonly settings: Pick<AppSettings, 'identityVerification'>;
}

/** The app's setting. By default, an app with an identity secret requires it. */
export function verificationOf({ identity, settings }: Verified): IdentityVerification {
  return settings.identityVerification ?? (identity.secret === null ? 'first-use' : 'required');
}
