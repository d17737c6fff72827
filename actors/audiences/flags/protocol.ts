// Messages and entries of feature flags. The app's actor validates filters.

import type { Entry } from '../../../engine/actor/message.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { Condition } from '../segments/filter.ts';
import type { CountedTimes, UncountedTimes } from '../segments/protocol.ts';
import type { FlagReason, FlagRecord, FlagValue, FlagVariant } from './flag.ts';

/** What a call sets; `null` removes a member. */
export interface FlagInput {
  readonly enabled?: boolean;
  readonly filter?: unknown;
  readonly rolloutPercent?: number;
  readonly variants?: readonly FlagVariant[] | null;
}

interface ExplainedFlag extends FlagValue {
  readonly reason: FlagReason;
  /** The filter's conditions in order; empty without a filter. */
  readonly conditions: readonly {
    readonly path: string;
    readonly condition: Condition;
    readonly holds: boolean;
  }[];
  /** The person's place in the rollout, from 0 to below 100. */
  readonly place: number;
  readonly rolloutPercent: number;
}

export interface FlagsProtocol {
  /** Refused with `conflict` if the key is in use. */
  'flag.create': { body: Caller & { key: string; input: FlagInput }; reply: FlagRecord };
  /** `flag` is a key or an id, here and below. */
  'flag.read': { body: Caller & { flag: string }; reply: FlagRecord };
  'flag.update': {
    body: Caller & { flag: string; key?: string; input: FlagInput };
    reply: FlagRecord;
  };
  'flag.delete': { body: Caller & { flag: string }; reply: null };
  'flag.list': { body: Caller; reply: readonly FlagRecord[] };
  'flag.explain': {
    body: Caller & { flag: string; ref: PersonRef; times?: CountedTimes };
    reply: ExplainedFlag;
  };
  /** What to read before one flag, or every flag that is on, can be evaluated. */
  'flags.uncounted': { body: Caller & { flag?: string; ref: PersonRef }; reply: UncountedTimes };
  /** Every flag of the app for one person, by key. */
  'flags.evaluate': {
    body: Caller & { ref: PersonRef; times?: CountedTimes };
    reply: Readonly<Record<string, FlagValue>>;
  };
}

export type FlagsEntry =
  | (Entry & { readonly kind: 'flag.saved'; readonly flag: FlagRecord })
  | (Entry & { readonly kind: 'flag.deleted'; readonly key: string });
