// The check of client tokens, for areas that clients call.

import type { Context } from '../../../engine/actor/message.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { Verified } from '../identity-keys.ts';
import type { AudienceReads } from './reads.ts';

export interface TokenReads extends Pick<AudienceReads, 'people'>, Verified {}

/** The person of a client token, and whether an `identityHash` proved it; or why it is invalid. */
export type ReadToken = (
  app: TokenReads,
  token: string,
  context: Context,
) => { readonly row: SubscriberRow; readonly isProven: boolean } | { readonly fault: Fault };
