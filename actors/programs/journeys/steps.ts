// The steps of a journey as their author nests them, after checks. Runs follow the program compiled
// from them (`program.ts`). Source: specification, "Journey"; contract, section 8.

import type { Filter } from '../../audiences/segments/filter.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';

interface StepBase {
  /** Unique in its journey. */
  readonly id: string;
  /** Its author's words to the next one; nothing follows from it. */
  readonly note?: string;
}

/** Exactly one of the three; at most 30 days in total. */
export type WaitStep = StepBase & { readonly type: 'wait' } & (
    | { readonly minutes: number }
    | { readonly hours: number }
    | { readonly days: number }
  );

/** A saved message, or the step's own. */
export type StepMessage = { readonly messageId: string } | { readonly message: MessageContent };

export type SendStep = StepBase &
  StepMessage & {
    readonly type: 'send';
    /** In the catalog's order; absent means every channel. */
    readonly channels?: readonly ChannelId[];
    /** The key of the topic that it is about. */
    readonly topic?: string;
    /** Which relays take it; absent means `marketing`. It decides nothing about consent. */
    readonly stream?: 'transactional' | 'marketing';
  };

/** Tests the past only. Both branches lead on to the step after it. */
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

/** Visits every step in order, with its place (`steps[2].then[0]`). */
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
