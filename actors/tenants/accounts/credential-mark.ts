// The mark of a credential: 53 bits of its hash and name. By it a front knows at once that no owner
// has such a credential. A mark opens nothing: a credential that has one is checked at its owner.

import { hash32 } from '../../../engine/base/hash.ts';
import type { Caller } from './protocol.ts';

/** From 1 to 2^53. */
export type CredentialMark = number;

export interface CredentialMarksProtocol {
  /** Of this partition's orgs after the first `from`. `next`: where to go on, or `null`. */
  'credential.marks': {
    body: Caller & { from: number };
    reply: { readonly marks: Float64Array; readonly next: number | null };
  };
}

/** What a front adds to those it has. */
export interface CredentialsMade {
  readonly kind: 'credentials.made';
  readonly marks: readonly CredentialMark[];
}

const high = 0x1_0000_0000;

/**
 * `name`: the part of the credential that is no secret; empty if all of it is. `hash`: SHA-256 of
 * the secret.
 */
export function credentialMark(name: string, hash: Uint8Array): CredentialMark {
  const low = (wordAt(hash, 0) ^ hash32(name)) >>> 0;
  return (wordAt(hash, 4) >>> 11) * high + low + 1;
}

/** What is too short counts as zeros. */
function wordAt(bytes: Uint8Array, at: number): number {
  let word = 0;
  for (let i = at; i < at + 4; i++) word = (word << 8) | (bytes[i] ?? 0);
  return word >>> 0;
}
