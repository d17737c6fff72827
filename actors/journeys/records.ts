// What a journey is: what its author chose, and whether it is live. Plain data, kept in memory and in checkpoints. What a
// reader would get wrong: nobody walks `steps`; people are walked through the program that is made of them, which a live
// journey keeps. Source: specification, "Journey"; contract, section 8.

import type { Millis } from '../../engine/base/brand.ts';
import type { ChannelId } from '../channels/catalog.ts';
import type { MessageContent } from '../content/message-schema.ts';
import type { Filter } from '../segments/filter.ts';
import type { Program } from './program.ts';

interface StepBase {
  /** Unique in its journey. */
  readonly id: string;
}

/** Exactly one of the three; together at most 30 days. */
export type WaitStep = StepBase & { readonly type: 'wait' } & (
    | { readonly minutes: number }
    | { readonly hours: number }
    | { readonly days: number }
  );

/** What a step sends: a saved message, or one of its own. */
export type StepMessage = { readonly messageId: string } | { readonly message: MessageContent };

export type SendStep = StepBase &
  StepMessage & {
    readonly type: 'send';
    /** In the catalogue's order; absent is every channel. */
    readonly channels?: readonly ChannelId[];
  };

/** Looks at the past only. The flow goes on behind it, whichever way it took. */
export interface ConditionStep extends StepBase {
  readonly type: 'condition';
  readonly filter: Filter;
  readonly then: readonly Step[];
  readonly else?: readonly Step[];
}

export interface GoalStep extends StepBase {
  readonly type: 'goal';
  readonly event: string;
  readonly timeoutHours: number;
}

export type Step = WaitStep | SendStep | ConditionStep | GoalStep;

/** `once`: at most once ever. `always`: again after having finished; never two runs at a time. */
export const reentries = ['once', 'always'] as const;
export type Reentry = (typeof reentries)[number];

/** What the author of a journey chooses. */
export interface JourneySpec {
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
  readonly active: boolean;
  /** The steps as people are walked through them; made when the journey goes live, and frozen with it. */
  readonly program?: Program;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}
