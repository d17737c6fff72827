// A journey as stored: its author's choices and whether it is live. In memory and in checkpoints. A
// live journey follows its stored program, even if the compiler of steps has changed since. Source:
// specification, "Journey"; contract, section 8.

import type { Millis } from '../../../engine/base/brand.ts';
import { etagOf } from '../../etag.ts';
import type { FieldWarning } from '../field-warnings.ts';
import type { Program } from './program.ts';
import type { Step } from './steps.ts';

/** `once`: at most once ever. `always`: again after an end; never two runs at a time. */
export const reentries = ['once', 'always'] as const;
export type Reentry = (typeof reentries)[number];

interface JourneySpec {
  readonly name: string;
  /** Exactly one of the two. */
  readonly triggerEvent?: string;
  readonly triggerSegmentId?: string;
  readonly reentry: Reentry;
  readonly steps: readonly Step[];
}

export interface JourneyRecord extends JourneySpec {
  readonly id: string;
  /** Counts the app's journeys; its place in lists. */
  readonly number: number;
  readonly active: boolean;
  /** Set while it is archived, which a live one never is. */
  readonly archivedMs?: Millis;
  /** The journey that took its place; absent again once it goes live itself. */
  readonly replacedBy?: string;
  readonly doubts?: readonly FieldWarning[];
  /** Compiled from the steps; frozen while the journey is live. */
  readonly program: Program;
  /** Lifetimes of sends by step, as of going live; absent for no limit. */
  readonly ttlMs?: Readonly<Record<string, Millis>>;
  /** Steps whose content was copied when it last went live. */
  readonly copied?: readonly string[];
  /** Versions of the copies of steps corrected since then; 1 for all others. */
  readonly copies?: Readonly<Record<string, number>>;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** What going live derives from its author's choices. */
const leftOut = [
  'number',
  'program',
  'ttlMs',
  'copied',
  'copies',
] as const satisfies readonly (keyof JourneyRecord)[];

export function journeyEtag(journey: JourneyRecord): string {
  return etagOf(journey, leftOut);
}
