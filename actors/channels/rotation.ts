// A credential that its provider replaces while it is in use, handed back to where it is stored.

import type { CredentialName } from './channel-ids.ts';

/** A part of a credential that the provider has replaced, together with the rest of it. */
export interface Rotation {
  /** The whole credential as it is now. */
  readonly credential: Readonly<Record<string, unknown>>;
  /** `fingerprintOf` the whole credential that it takes the place of. */
  readonly replaces: string;
}

/**
 * What became of a rotation. `kept`: it is durable, also when it was before. `superseded`: the
 * tenant has uploaded or removed the credential meanwhile. `unavailable`: nobody can say now;
 * asking again with the same does no harm.
 */
export type Rotated = 'kept' | 'superseded' | 'unavailable';

/**
 * Hands a rotated credential back to where credentials are stored. Never rejects. Only while a send
 * of the app is under way.
 */
export type RotateCredential = (
  appId: string,
  name: CredentialName,
  rotation: Rotation,
) => Promise<Rotated>;
