// Stores a credential that its provider replaces while it is in use.

import type { CredentialName } from '../channel-ids.ts';

export interface Rotation {
  readonly credential: Readonly<Record<string, unknown>>;
  /** `fingerprintOf` the whole credential that it replaces. */
  readonly replaces: string;
}

/**
 * `kept`: durable, now or before. `superseded`: the tenant has uploaded or removed the credential
 * meanwhile. `unavailable`: unknown; the same rotation is safe to repeat.
 */
export type Rotated = 'kept' | 'superseded' | 'unavailable';

/** Never rejects. Works only while a send of the app is in flight. */
export type RotateCredential = (
  appId: string,
  name: CredentialName,
  rotation: Rotation,
) => Promise<Rotated>;
