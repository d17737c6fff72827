// The content of an open pixel's or tracked link's token.

import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';

/** `mark` is the same each time the token is read. */
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
