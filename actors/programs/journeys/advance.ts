// The one walk through a journey: given where a run stands and what is true around it now, moves it
// until it waits or ends, and says what happened as data. Sending, simulating and forecasting are
// this function with other surroundings. What a reader would get wrong: it remembers nothing and
// writes nothing. Whoever calls it folds what it returns (`flow.ts`), and has sent whatever its
// surroundings answered `sent` to. Source: specification, "Journey enrollment".

import { assert } from '../../../engine/base/assert.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import type { OperationIndex, Program, SendOperation } from './program.ts';

/** Not now; to be asked again at that instant, which lies ahead. */
export interface Held {
  readonly kind: 'held';
  readonly untilMs: Millis;
  /** A stable word, such as `quiet_hours`. */
  readonly reason: string;
}

/** What a step's send came to. A suppressed one is over, and the run goes on. */
export type SendAnswer =
  | { readonly kind: 'sent' }
  | Held
  | { readonly kind: 'suppressed'; readonly reason: string };

/** What is true around one person at one instant. */
export interface Surroundings {
  readonly nowMs: Millis;
  /** Whether a filter holds for the person; held where that is not known yet. */
  test(filter: Filter): boolean | Held;
  send(operation: SendOperation, index: OperationIndex): SendAnswer;
}

/** One thing that came of a step. */
export type Happening =
  | { readonly kind: 'entered'; readonly operation: OperationIndex }
  | { readonly kind: 'branched'; readonly operation: OperationIndex; readonly holds: boolean }
  | { readonly kind: 'timed_out'; readonly operation: OperationIndex }
  | (SendAnswer & { readonly operation: OperationIndex });

/** Where a run stands afterwards. */
export type Outcome =
  | { readonly kind: 'waits'; readonly operation: OperationIndex; readonly wakeMs: Millis }
  | { readonly kind: 'completed' }
  | { readonly kind: 'converted' }
  | { readonly kind: 'exited' };

export interface Advanced {
  /** In the order in which it happened. */
  readonly happened: readonly Happening[];
  readonly outcome: Outcome;
}

/** A run that waits. */
interface Standing {
  readonly operation: OperationIndex;
  readonly wakeMs: Millis;
}

/** The way of somebody who enrols now. */
export function enter(program: Program, surroundings: Surroundings): Advanced {
  return walk(program, 0, false, surroundings);
}

/** The way of a run whose wake has come. A held step asks again; it is not entered twice. */
export function wake(
  program: Program,
  operation: OperationIndex,
  surroundings: Surroundings,
): Advanced {
  return walk(program, operation, true, surroundings);
}

/**
 * What an event of the person makes of a run: converted, when it stands at a goal that waits for
 * this one and the event lies within `timeoutHours` of reaching it; otherwise nothing. The end of
 * the time is not within it, since the wake comes first.
 */
export function hear(
  program: Program,
  { operation, wakeMs }: Standing,
  event: { readonly name: string; readonly atMs: Millis },
): Advanced | undefined {
  const goal = program.operations[operation];
  if (goal === undefined || goal.kind !== 'goal' || goal.event !== event.name) return undefined;
  const reachedMs = wakeMs - goal.timeoutMs;
  return event.atMs >= reachedMs && event.atMs < wakeMs ? converted : undefined;
}

const converted: Advanced = { happened: [], outcome: { kind: 'converted' } };

/** The end of a run whose journey was paused, or whose person is gone. */
export const exited: Advanced = { happened: [], outcome: { kind: 'exited' } };

function walk(
  program: Program,
  from: OperationIndex,
  isWoken: boolean,
  surroundings: Surroundings,
): Advanced {
  const { operations } = program;
  const { nowMs } = surroundings;
  const happened: Happening[] = [];
  const waits = (operation: OperationIndex, wakeMs: Millis): Advanced => {
    assert(wakeMs > nowMs, 'a run wakes after now');
    return { happened, outcome: { kind: 'waits', operation, wakeMs } };
  };
  let index = from;
  let isResumed = isWoken;
  // At most once round for each operation: every one leads forward.
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
