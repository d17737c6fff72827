// What the link to a person's preferences names.

import type { Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';

export interface PreferencesLink {
  readonly app: Ordinal;
  readonly person: PersonOrdinal;
  /** The email address that got it: whoever opens it has read that mail. */
  readonly address?: string;
}
