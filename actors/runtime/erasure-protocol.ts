// Messages and entries of erasing a person.

import type { Entry } from '../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import type { PersonRef } from '../people/audience/protocol.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';

export interface ErasureProtocol {
  'subscriber.erase': { body: Caller & { ref: PersonRef }; reply: null };
  /**
   * One turn of a pass over ended sends and dead letters, in the order of their ids. `after`: the
   * send id (perhaps of no send) where the previous turn stopped; `null` in the first.
   */
  'erasure.scrub': { body: Caller & { after: string | null }; reply: null };
}

export type ErasureEntry =
  | (Entry & {
      readonly kind: 'subscriber.erased';
      readonly person: PersonOrdinal;
      readonly subscriberId: string;
      readonly externalUserId: string | null;
      readonly atMs: number;
    })
  | (Entry & {
      readonly kind: 'erasure.scrubbed';
      readonly isFirst: boolean;
      readonly isLast: boolean;
    });
