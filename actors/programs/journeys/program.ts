// A journey's steps as a flat list of operations, one per step, plus the end. A run is an index;
// `next` always leads forward, so no run can loop. Stored as plain data: a change of this file must
// not move live runs.

import { dayMs, hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { conditionCount, type Filter, longestWindowDays } from '../../audiences/segments/filter.ts';
import type { SendStep, Step, StepMessage, WaitStep } from './steps.ts';

/** An index into a program. */
export type OperationIndex = number;

interface Operating {
  /** The id of its step. */
  readonly step: string;
}

interface WaitOperation extends Operating {
  readonly kind: 'wait';
  readonly waitMs: Millis;
  readonly next: OperationIndex;
}

export interface SendOperation extends Operating {
  readonly kind: 'send';
  readonly message: StepMessage;
  readonly channels?: NonNullable<SendStep['channels']>;
  readonly topic?: string;
  readonly stream?: NonNullable<SendStep['stream']>;
  readonly next: OperationIndex;
}

interface ConditionOperation extends Operating {
  readonly kind: 'condition';
  readonly filter: Filter;
  /** The cost of testing its filter. */
  readonly conditions: number;
  readonly whenTrue: OperationIndex;
  readonly whenFalse: OperationIndex;
}

interface GoalOperation extends Operating {
  readonly kind: 'goal';
  readonly event: string;
  readonly timeoutMs: Millis;
  readonly next: OperationIndex;
}

type Operation =
  | WaitOperation
  | SendOperation
  | ConditionOperation
  | GoalOperation
  | { readonly kind: 'end' };

export interface Program {
  readonly operations: readonly Operation[];
}

/** Compiles checked steps. */
export function compileProgram(steps: readonly Step[]): Program {
  const indexOf = new Map<Step, OperationIndex>();
  number(steps, indexOf);
  const operations: Operation[] = [];
  link(steps, indexOf.size, indexOf, operations);
  operations.push({ kind: 'end' });
  return { operations };
}

/** `undefined` for the end. */
export function stepOf({ operations }: Program, index: OperationIndex): string | undefined {
  const operation = operations[index];
  return operation === undefined || operation.kind === 'end' ? undefined : operation.step;
}

export function stepsOf({ operations }: Program): readonly string[] {
  return operations.flatMap((operation) => (operation.kind === 'end' ? [] : [operation.step]));
}

export function goalEventsOf({ operations }: Program): ReadonlySet<string> {
  return new Set(
    operations.flatMap((operation) => (operation.kind === 'goal' ? [operation.event] : [])),
  );
}

export function filtersOf({ operations }: Program): readonly Filter[] {
  return operations.flatMap((operation) =>
    operation.kind === 'condition' ? [operation.filter] : [],
  );
}

/** In days; 0 without conditions. */
export function longestWindowOf(program: Program): number {
  return Math.max(0, ...filtersOf(program).map(longestWindowDays));
}

function number(steps: readonly Step[], indexOf: Map<Step, OperationIndex>): void {
  for (const step of steps) {
    indexOf.set(step, indexOf.size);
    if (step.type !== 'condition') continue;
    number(step.then, indexOf);
    number(step.else ?? [], indexOf);
  }
}

/** Writes a list's operations; its last step leads to `after`. */
function link(
  steps: readonly Step[],
  after: OperationIndex,
  indexOf: ReadonlyMap<Step, OperationIndex>,
  operations: Operation[],
): void {
  const firstOf = (list: readonly Step[], otherwise: OperationIndex) => {
    const [first] = list;
    return first === undefined ? otherwise : (indexOf.get(first) as OperationIndex);
  };
  steps.forEach((step, i) => {
    const next = firstOf(steps.slice(i + 1, i + 2), after);
    if (step.type !== 'condition') {
      operations.push(operationOf(step, next));
      return;
    }
    const { id, filter, then, else: otherwise = [] } = step;
    operations.push({
      kind: 'condition',
      step: id,
      filter,
      conditions: conditionCount(filter),
      whenTrue: firstOf(then, next),
      whenFalse: firstOf(otherwise, next),
    });
    link(then, next, indexOf, operations);
    link(otherwise, next, indexOf, operations);
  });
}

function operationOf(step: Exclude<Step, { type: 'condition' }>, next: OperationIndex): Operation {
  switch (step.type) {
    case 'wait':
      return { kind: 'wait', step: step.id, waitMs: lengthOf(step), next };
    case 'goal':
      return {
        kind: 'goal',
        step: step.id,
        event: step.event,
        timeoutMs: step.timeoutHours * hourMs,
        next,
      };
    case 'send': {
      const { id, channels, topic, stream } = step;
      const message: StepMessage =
        'messageId' in step ? { messageId: step.messageId } : { message: step.message };
      const operation: SendOperation = { kind: 'send', step: id, message, next };
      return {
        ...operation,
        ...(channels === undefined ? {} : { channels }),
        ...(topic === undefined ? {} : { topic }),
        ...(stream === undefined ? {} : { stream }),
      };
    }
  }
}

function lengthOf(step: WaitStep): Millis {
  if ('minutes' in step) return step.minutes * minuteMs;
  return 'hours' in step ? step.hours * hourMs : step.days * dayMs;
}
