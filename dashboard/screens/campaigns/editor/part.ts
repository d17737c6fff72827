// What each fold gets: the draft, how to change it, and the server's errors by field.

import type { Draft } from './draft.ts';

export interface PartProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  /** What the server said about a field, or what is missing there once a review was tried. */
  readonly errorOf: (field: string) => string | undefined;
}
