// What a journey is: what its author chose, and whether it is live. Plain data, kept in memory and
// in checkpoints. What a reader would get wrong: a live journey goes by its program, whatever
// becomes of the code that made it of the steps. Source: specification, "Journey"; contract,
// section 8.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Program } from './program.ts';
import type { Step } from './steps.ts';

/** `once`: at most once ever. `always`: again after having finished; never two runs at a time. */
export const reentries = ['once', 'always'] as const;
export type Reentry = (typeof reentries)[number];

/** What the author of a journey chooses. */
interface JourneySpec {
  readonly name: string;
  /** Exactly one of the two. */
  readonly triggerEvent?: string;
  readonly triggerSegmentId?: string;
  readonly reentry: Reentry;
  readonly steps: readonly Step[];
}

/** A journey as it is kept. */
export interface JourneyRecord extends JourneySpec {
  readonly id: string;
  /** Counts up in its app: its place in lists. */
  readonly number: number;
  readonly active: boolean;
  /**
   * The steps as people are walked through them; made with the steps, and frozen while the journey
   * is live.
   */
  readonly program: Program;
  /** By step, how long what it sends lives; absent for no end. As of when it went live. */
  readonly ttlMs?: Readonly<Record<string, Millis>>;
  /** The steps that content was copied for when it last went live. */
  readonly copied?: readonly string[];
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}
