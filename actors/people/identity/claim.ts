// Whether a keyless caller may claim an `externalUserId`. `required` needs the tenant's hash for
// every claim, `open` never. `first-use` needs none once: the first claim spends it forever, and
// so does any call with a key that made or changed the person. A wrong hash is always refused: the
// mistake would otherwise go unnoticed.

import type { Context } from '../../../engine/actor/message.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { verificationOf } from '../identity-keys.ts';
import type { Keyring } from './keyring.ts';
import type { IdentityView } from './memory.ts';

/** `known` has this external id now; `bearer` is the person of the client token. */
interface Claim {
  readonly externalUserId: string;
  readonly identityHash: string | undefined;
  readonly known: SubscriberRow | undefined;
  readonly bearer: SubscriberRow | undefined;
}

/** The number of the identity secret that proves the claim, 0 if none does; or why not. */
export function checkClaim(
  app: IdentityView,
  { externalUserId, identityHash, known, bearer }: Claim,
  keyring: Keyring,
  context: Context,
): { readonly proof: number } | { readonly fault: Fault } {
  if (identityHash !== undefined) {
    const proof = keyring.vouches(app.identity, externalUserId, identityHash, context);
    if (typeof proof === 'object') return proof;
    if (proof > 0) return { proof };
    return refusal(
      'identityHash',
      "does not match: expected the hex HMAC-SHA256 of externalUserId with this app's identity secret",
    );
  }
  switch (verificationOf(app)) {
    case 'open':
      return { proof: 0 };
    case 'required':
      return refusal('externalUserId', 'requires an identityHash in this app');
    case 'first-use':
      if (known === undefined || known.unclaimed === true || known.person === bearer?.person)
        return { proof: 0 };
      return refusal(
        'externalUserId',
        "is in use; send its identityHash, or that person's clientToken",
      );
  }
}

function refusal(field: string, problem: string): { readonly fault: Fault } {
  return { fault: fieldFault(field, problem, 'identity_required') };
}
