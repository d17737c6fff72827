// What dispatchers must not begin any more after an entry. Only what is in flight matters: what is
// still due, the gate judges when it starts.

import type { Entry } from '../engine/actor/message.ts';
import type { PersonOrdinal } from '../engine/base/brand.ts';

/** Without members, everything of the app. */
export interface Recall {
  /** Those of them who have something in flight. Not read if the app has nothing in flight. */
  readonly people?: Iterable<PersonOrdinal>;
  readonly areErased?: boolean;
  readonly campaignId?: string;
  readonly journeyId?: string;
}

/** By kind of entry. Called before the entry is folded. */
export type RecallsBy<Own extends Entry, State> = {
  readonly [Kind in Own['kind']]?: (
    state: State,
    entry: Extract<Own, { readonly kind: Kind }>,
  ) => Recall | undefined;
};

/** All ordinals of a person, the own one first. */
type Names = readonly [PersonOrdinal, ...PersonOrdinal[]];

/** What an area has in flight: whether that may concern a person; `undefined` for nothing. */
export type InFlightOf<App> = (
  app: App,
  areErased: boolean,
) => ((names: Names) => boolean) | undefined;
