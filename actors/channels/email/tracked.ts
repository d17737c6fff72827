// What the token of an open pixel or of a tracked link says.

import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';

/** A token's content. `mark` is the same each time the token is read. */
export type Tracked = TrackedMail & { readonly mark: string } & (
    | { readonly kind: 'opened' }
    | { readonly kind: 'clicked'; readonly url: string }
  );

export interface TrackedMail {
  readonly app: Ordinal;
  readonly sendId: string;
  readonly deviceId: string;
  readonly person: PersonOrdinal;
  readonly journeyId?: string;
}
