// Reads client tokens: what areas that take calls from clients are given.

import type { Context } from '../../../engine/actor/message.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { IdentityKeys } from '../identity-keys.ts';
import type { AudienceReads } from './reads.ts';

/** What a token is checked with. */
export interface TokenReads extends Pick<AudienceReads, 'people'> {
  readonly identity: IdentityKeys;
}

/** The person that a client token names, or why it names nobody. */
export type ReadToken = (
  app: TokenReads,
  token: string,
  context: Context,
) => { readonly row: SubscriberRow } | { readonly fault: Fault };
