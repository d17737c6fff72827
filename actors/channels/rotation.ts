// Stores a credential that its provider replaces while it is in use.

import type { CredentialName } from './channel-ids.ts';

export interface Rotation {
  /** The whole new credential. */
  readonly credential: Readonly<Record<string, unknown>>;
  /** `fingerprintOf` the whole credential that it replaces. */
  readonly replaces: string;
}

/**
 * The result of a rotation. `kept`: it is durable, now or already before. `superseded`: the tenant
 * has uploaded or removed the credential in the meantime. `unavailable`: the result is unknown;
 * asking again with the same rotation is safe.
 */
export type Rotated = 'kept' | 'superseded' | 'unavailable';

/** Stores a rotated credential. Never rejects. Works only while a send of the app is in flight. */
export type RotateCredential = (
  appId: string,
  name: CredentialName,
  rotation: Rotation,
) => Promise<Rotated>;
