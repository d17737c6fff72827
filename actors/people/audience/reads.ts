// What other areas read of an app's people.

import type { People } from './people.ts';

export type PeopleReads = Readonly<
  Pick<
    People,
    | 'aliasesOf'
    | 'canonical'
    | 'count'
    | 'erasedWithin'
    | 'find'
    | 'findAllBytes'
    | 'merged'
    | 'mergedInto'
    | 'next'
  >
> & { readonly erased: ReadonlySet<number> };

export interface AudienceReads {
  readonly people: PeopleReads;
  /** Identity keys (`phone:+66…`, `email:…`) that have opted out. */
  readonly suppressions: ReadonlySet<string>;
}
