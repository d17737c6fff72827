// The kinds of steps. A new one is a file in `kinds/` and a line here.

import type { MessageNames, StepKind } from './kind.ts';
import { condition } from './kinds/condition.tsx';
import { goal } from './kinds/goal.tsx';
import { sendStep } from './kinds/send.tsx';
import { wait } from './kinds/wait.tsx';
import type { Step } from './model.ts';

export const stepKinds: readonly StepKind[] = [
  sendStep,
  wait,
  condition,
  goal,
] as unknown as readonly StepKind[];

/** `undefined` for a step of a kind that this dashboard does not know. */
export function stepKindOf(step: Step): StepKind | undefined {
  return stepKinds.find((kind) => kind.owns(step));
}

export function stepSentence(step: Step, names: MessageNames): string {
  return stepKindOf(step)?.sentence(step, names) ?? JSON.stringify(step);
}

export function isComplete(step: Step): boolean {
  return stepKindOf(step)?.isComplete(step) ?? true;
}
