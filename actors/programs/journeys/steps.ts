// The steps of a journey as their author nests them, after they were judged. What a reader would
// get wrong: nobody walks them; people are walked through the program that is made of them
// (`program.ts`). Source: specification, "Journey"; contract, section 8.

import type { Filter } from '../../audiences/segments/filter.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { MessageContent } from '../../content/message-schema.ts';

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

/**
 * Calls `visit` with every step, in the order they are written, and with its place
 * (`steps[2].then[0]`).
 */
export function eachStep(
  steps: readonly Step[],
  visit: (step: Step, path: string) => void,
  list = 'steps',
): void {
  steps.forEach((step, i) => {
    const path = `${list}[${i}]`;
    visit(step, path);
    if (step.type !== 'condition') return;
    eachStep(step.then, visit, `${path}.then`);
    eachStep(step.else ?? [], visit, `${path}.else`);
  });
}
