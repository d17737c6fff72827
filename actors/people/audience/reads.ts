// What other areas read of an app's people.

import type { People } from './people.ts';
import type { DoubtfulText } from './protocol.ts';

export type PeopleReads = Readonly<
  Pick<
    People,
    | 'addNamed'
    | 'aliasesOf'
    | 'canonical'
    | 'count'
    | 'erasedWithin'
    | 'find'
    | 'findAllBytes'
    | 'isGone'
    | 'isNamed'
    | 'merged'
    | 'mergedInto'
    | 'next'
  >
> & { readonly erased: ReadonlySet<number> };

/** By identity key (`phone:+66…`, `email:…`). */
export interface OptOutReads {
  /** Have opted out of everything. */
  readonly suppressions: ReadonlySet<string>;
  /** Have opted out of marketing alone. */
  readonly marketingOptOuts: ReadonlySet<string>;
}

/** The texts that wait for a decision. */
export interface DoubtReads {
  readonly size: number;
  /** Whether a timer is set that ends the old ones. */
  readonly isAwaited: boolean;
  at(identityKey: string): DoubtfulText | undefined;
  withId(id: string): DoubtfulText | undefined;
  /** Oldest first. */
  values(): Iterable<DoubtfulText>;
}

export interface AudienceReads extends OptOutReads {
  readonly people: PeopleReads;
  readonly doubts: DoubtReads;
}
