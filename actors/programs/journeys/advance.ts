// The walk through a journey, shared by live runs, simulations and forecasts: moves a run until it
// waits or ends and returns what happened. Pure: the caller folds the result (`flow.ts`) and queues
// the sends that its surroundings answered with `sent`. Source: specification, "Journey
// enrollment".

import { assert } from '../../../engine/base/assert.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import type { OperationIndex, Program, SendOperation } from './program.ts';

/** Not now; ask again at `untilMs`, which is in the future. */
export interface Held {
  readonly kind: 'held';
  readonly untilMs: Millis;
  /** Stable, such as `quiet_hours`. */
  readonly reason: string;
}

/** After a suppressed send the run goes on. */
export type SendAnswer =
  | { readonly kind: 'sent' }
  | Held
  | { readonly kind: 'suppressed'; readonly reason: string };

/** What holds for one person at one instant. */
export interface Surroundings {
  readonly nowMs: Millis;
  /** `Held` while the answer is not known yet. */
  test(filter: Filter): boolean | Held;
  send(operation: SendOperation, index: OperationIndex): SendAnswer;
}

export type StepResult =
  | { readonly kind: 'entered'; readonly operation: OperationIndex }
  | { readonly kind: 'branched'; readonly operation: OperationIndex; readonly holds: boolean }
  | { readonly kind: 'timed_out'; readonly operation: OperationIndex }
  | (SendAnswer & { readonly operation: OperationIndex });

export type RunOutcome =
  | { readonly kind: 'waits'; readonly operation: OperationIndex; readonly wakeMs: Millis }
  | { readonly kind: 'completed' }
  | { readonly kind: 'converted' }
  | { readonly kind: 'exited' };

export interface WalkResult {
  /** In order. */
  readonly happened: readonly StepResult[];
  readonly outcome: RunOutcome;
}

interface WaitingRun {
  readonly operation: OperationIndex;
  readonly wakeMs: Millis;
}

/** Walks a person who enrolls now. */
export function enter(program: Program, surroundings: Surroundings): WalkResult {
  return walk(program, 0, false, surroundings);
}

/** Walks a run whose wake has come. A held step asks again, but is not entered twice. */
export function wake(
  program: Program,
  operation: OperationIndex,
  surroundings: Surroundings,
): WalkResult {
  return walk(program, operation, true, surroundings);
}

/**
 * What an event does to a run: converts it at a goal for this event, less than `timeoutHours` after
 * reaching it. At the timeout itself the wake comes first.
 */
export function handleEvent(
  program: Program,
  { operation, wakeMs }: WaitingRun,
  event: { readonly name: string; readonly atMs: Millis },
): WalkResult | undefined {
  const goal = program.operations[operation];
  if (goal === undefined || goal.kind !== 'goal' || goal.event !== event.name) return undefined;
  const reachedMs = wakeMs - goal.timeoutMs;
  return event.atMs >= reachedMs && event.atMs < wakeMs ? converted : undefined;
}

const converted: WalkResult = { happened: [], outcome: { kind: 'converted' } };

/** The end of a run whose journey was paused or whose person is gone. */
export const exited: WalkResult = { happened: [], outcome: { kind: 'exited' } };

function walk(
  program: Program,
  from: OperationIndex,
  isWoken: boolean,
  surroundings: Surroundings,
): WalkResult {
  const { operations } = program;
  const { nowMs } = surroundings;
  const happened: StepResult[] = [];
  const waits = (operation: OperationIndex, wakeMs: Millis): WalkResult => {
    assert(wakeMs > nowMs, 'a run wakes after now');
    return { happened, outcome: { kind: 'waits', operation, wakeMs } };
  };
  let index = from;
  let isResumed = isWoken;
  // Ends, since every operation leads forward.
  for (;;) {
    const operation = operations[index];
    assert(operation !== undefined, 'a run stands at an operation of its program');
    if (operation.kind === 'end') return { happened, outcome: { kind: 'completed' } };
    if (!isResumed) happened.push({ kind: 'entered', operation: index });
    let next: OperationIndex;
    switch (operation.kind) {
      case 'wait':
        if (!isResumed) return waits(index, nowMs + operation.waitMs);
        next = operation.next;
        break;
      case 'goal':
        if (!isResumed) return waits(index, nowMs + operation.timeoutMs);
        happened.push({ kind: 'timed_out', operation: index });
        next = operation.next;
        break;
      case 'send': {
        const answer = surroundings.send(operation, index);
        happened.push({ ...answer, operation: index });
        if (answer.kind === 'held') return waits(index, answer.untilMs);
        next = operation.next;
        break;
      }
      case 'condition': {
        const holds = surroundings.test(operation.filter);
        if (typeof holds !== 'boolean') {
          happened.push({ ...holds, operation: index });
          return waits(index, holds.untilMs);
        }
        happened.push({ kind: 'branched', operation: index, holds });
        next = holds ? operation.whenTrue : operation.whenFalse;
        break;
      }
    }
    assert(next > index, 'a journey leads forward');
    index = next;
    isResumed = false;
  }
}
