// Reseals an app's identity keys under a new master key. Tokens and hashes stay valid.

import type { Rng } from '../../../engine/base/rng.ts';
import { identityPlace, type Sealer } from '../../sealer.ts';
import type { IdentityKeys } from '../identity-keys.ts';
import type { IdentityEntry } from './protocol.ts';

/** Every sealed value of an app's identity keys. */
export function* sealedIdentity({ secret, tokenKey }: IdentityKeys): Generator<Uint8Array> {
  if (secret !== null) yield secret.sealed;
  if (secret !== null && secret.previous !== null) yield secret.previous.sealed;
  if (tokenKey !== null) yield tokenKey;
}

/** The entries that reseal them, if any. Throws `SealError` for one that does not open. */
export function rewrapIdentity(
  { secret, tokenKey }: IdentityKeys,
  owner: number,
  sealer: Sealer,
  rng: Rng,
): IdentityEntry[] {
  const again = (sealed: Uint8Array, name: 'secret' | 'token-key') => {
    if (!sealer.needsRewrap(sealed)) return sealed;
    const place = identityPlace(owner, name);
    return sealer.seal(sealer.open(sealed, place), place, rng);
  };
  const entries: IdentityEntry[] = [];
  if (secret !== null) {
    const sealed = again(secret.sealed, 'secret');
    const { previous } = secret;
    const before = previous && { ...previous, sealed: again(previous.sealed, 'secret') };
    if (sealed !== secret.sealed || before?.sealed !== previous?.sealed)
      entries.push({
        kind: 'identity.secret_changed',
        owner,
        secret: { ...secret, sealed, previous: before },
      });
  }
  if (tokenKey !== null) {
    const sealed = again(tokenKey, 'token-key');
    if (sealed !== tokenKey) entries.push({ kind: 'identity.token_key_changed', owner, sealed });
  }
  return entries;
}
