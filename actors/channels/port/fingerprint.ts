// The fingerprint of a credential, by which adapters and lists tell one from another.

import { createHash } from 'node:crypto';

/**
 * The first 64 bits of the credential's SHA-256, in hex, whatever the field order. It distinguishes
 * credentials; it is neither a secret nor a proof.
 */
export function fingerprintOf(credential: unknown): string {
  return createHash('sha256').update(canonical(credential)).digest('hex').slice(0, 16);
}

/** `fingerprintOf`, cached per credential: adapters need it at every call. */
export function fingerprints(): (credential: object) => string {
  const known = new WeakMap<object, string>();
  return (credential) => {
    let fingerprint = known.get(credential);
    if (fingerprint === undefined) known.set(credential, (fingerprint = fingerprintOf(credential)));
    return fingerprint;
  };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
