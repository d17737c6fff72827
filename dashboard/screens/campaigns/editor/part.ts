// What each fold gets: the draft, how to change it, and the server's errors by field.

import type { Channel } from '../../../api/generated.ts';
import type { Draft } from './draft.ts';
import type { FoldId } from './missing.ts';

export interface PartProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  /** What the server said about a field, or what is missing there once a review was tried. */
  readonly errorOf: (field: string) => string | undefined;
}

/** What else the folds of people and message get. */
export interface PresetProps extends PartProps {
  /** The channels, while they are those that the message is written for. */
  readonly preset: readonly Channel[] | undefined;
  readonly onGo: (fold: FoldId) => void;
}
