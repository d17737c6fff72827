// Messages and entries of anonymous people who expire.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';

export interface ExpiryProtocol {
  /** Whoever of them has not expired stays. */
  'people.expire': { body: Caller & { people: readonly PersonOrdinal[] }; reply: null };
}

export type ExpiryEntry = Entry & {
  readonly kind: 'people.expired';
  /** Packed, ascending. */
  readonly people: Uint8Array;
  readonly atMs: Millis;
};
