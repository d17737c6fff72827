// Whether a keyless caller may claim an `externalUserId`. `required` needs the tenant's hash for
// every claim, `first-use` only once a device is registered under that id, `open` never. A wrong
// hash is always refused: the mistake would otherwise go unnoticed.

import type { Context } from '../../../engine/actor/message.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { Keyring } from './keyring.ts';
import type { IdentityView } from './view.ts';

/** `known` has this external id now; `bearer` is the person of the client token. */
interface Claim {
  readonly externalUserId: string;
  readonly identityHash: string | undefined;
  readonly known: SubscriberRow | undefined;
  readonly bearer: SubscriberRow | undefined;
}

/** Whether the tenant's server vouches for the claim, or why it is refused. */
export function checkClaim(
  app: IdentityView,
  { externalUserId, identityHash, known, bearer }: Claim,
  keyring: Keyring,
  context: Context,
): { readonly vouched: boolean } | { readonly fault: Fault } {
  if (identityHash !== undefined) {
    const vouched = keyring.vouches(app.identity, externalUserId, identityHash, context);
    if (typeof vouched === 'object') return vouched;
    if (vouched) return { vouched };
    return refusal(
      'identityHash',
      "does not match: expected the hex HMAC-SHA256 of externalUserId with this app's identity secret",
    );
  }
  switch (app.settings.identityVerification) {
    case 'open':
      return { vouched: false };
    case 'required':
      return refusal('externalUserId', 'requires an identityHash in this app');
    case 'first-use':
      if (known === undefined || known.devices.length === 0 || known.person === bearer?.person)
        return { vouched: false };
      return refusal(
        'externalUserId',
        "is in use; send its identityHash, or that person's clientToken",
      );
  }
}

function refusal(field: string, problem: string): { readonly fault: Fault } {
  return { fault: fieldFault(field, problem, 'identity_required') };
}
