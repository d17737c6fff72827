// What feature flags answer, and the entries they lead to. A filter comes as it was sent and is
// judged by the app's actor.

import type { Entry } from '../../../engine/actor/message.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { Condition } from '../segments/filter.ts';
import type { CountedTimes, UncountedTimes } from '../segments/protocol.ts';
import type { FlagReason, FlagRecord, FlagValue, FlagVariant } from './flag.ts';

/** Members of a flag that a call sets; `null` removes one. */
export interface FlagInput {
  readonly enabled?: boolean;
  readonly filter?: unknown;
  readonly rolloutPercent?: number;
  readonly variants?: readonly FlagVariant[] | null;
}

/** Why a flag is what it is for one person. */
interface ExplainedFlag extends FlagValue {
  readonly reason: FlagReason;
  /** Each condition of the filter in the order it is written; none without a filter. */
  readonly conditions: readonly {
    readonly path: string;
    readonly condition: Condition;
    readonly holds: boolean;
  }[];
  /** Where the person stands in the rollout, from 0 to below 100. */
  readonly place: number;
  readonly rolloutPercent: number;
}

export interface FlagsProtocol {
  /** Refused with `conflict` where the key is taken. */
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
  /**
   * Names whose instants have to be read before one flag, or every flag that is on, can be
   * answered.
   */
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
