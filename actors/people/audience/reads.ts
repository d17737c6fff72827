// What other areas read of an app's people.

import type { People } from './people.ts';

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

export interface AudienceReads extends OptOutReads {
  readonly people: PeopleReads;
}
