// The check of client tokens, for areas that clients call.

import type { Context } from '../../../engine/actor/message.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { IdentityKeys } from '../identity-keys.ts';
import type { AudienceReads } from './reads.ts';

export interface TokenReads extends Pick<AudienceReads, 'people'> {
  readonly identity: IdentityKeys;
}

/** The person of a client token, or why it is invalid. */
export type ReadToken = (
  app: TokenReads,
  token: string,
  context: Context,
) => { readonly row: SubscriberRow } | { readonly fault: Fault };
