// A journey's counters, kept as its runs move: enrolled, in flow, completed, converted, exited, and
// per step entered, waiting and sent. While a journey is paused nobody waits at a step, although
// runs stay in flow until their wakes, where they exit. Source: contract, section 8.

import { assert } from '../../../engine/base/assert.ts';
import type { WalkResult } from './advance.ts';
import { type OperationIndex, type Program, stepsOf } from './program.ts';

interface StepCounts {
  /** How often it was entered. */
  readonly entered: number;
  readonly waiting: number;
  readonly sent: number;
}

/** Of the sends of one step. */
export interface StepResults {
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  /** People sent this step in the run in which they reached a goal; at a goal: who reached it. */
  readonly converted: number;
  readonly bounced: number;
  readonly failed: number;
  readonly suppressed: number;
  readonly suppressedBy: Readonly<Record<string, number>>;
}

/** What runs and sends did at a step. */
type StepStats = StepCounts & StepResults;

export interface FlowStats {
  readonly enrolled: number;
  readonly inFlow: number;
  readonly completed: number;
  readonly converted: number;
  readonly exited: number;
  readonly bySteps: Readonly<Record<string, StepCounts>>;
}

export interface JourneyStats extends FlowStats {
  readonly bySteps: Readonly<Record<string, StepStats>>;
}

/** Steps as a list, since their order is that of the operations. */
export interface CountersSnapshot {
  readonly enrolled: number;
  readonly ended: {
    readonly completed: number;
    readonly converted: number;
    readonly exited: number;
  };
  readonly steps: readonly (StepCounts & { readonly id: string })[];
}

export class Counters {
  #enrolled = 0;
  readonly #ended = { completed: 0, converted: 0, exited: 0 };
  /** By operation. */
  #steps: { readonly id: string; entered: number; waiting: number; sent: number }[];

  constructor(program: Program) {
    this.#steps = stepsOf(program).map(countersOf);
  }

  /** Counts a move from where the run waited, or from `undefined` for an enrollment. */
  count(from: OperationIndex | undefined, { happened, outcome }: WalkResult): void {
    if (from === undefined) this.#enrolled++;
    else this.#stepAt(from).waiting--;
    for (const one of happened) {
      if (one.kind === 'entered') this.#stepAt(one.operation).entered++;
      else if (one.kind === 'sent') this.#stepAt(one.operation).sent++;
    }
    if (outcome.kind === 'waits') this.#stepAt(outcome.operation).waiting++;
    else this.#ended[outcome.kind]++;
  }

  /** Ends a leaving run, which waited at no step. */
  countExit(): void {
    this.#ended.exited++;
  }

  pause(): void {
    for (const step of this.#steps) step.waiting = 0;
  }

  /** Takes over changed steps while nobody waits; counters stay with their step's id. */
  adopt(program: Program): void {
    const before = new Map(this.#steps.map((step) => [step.id, step]));
    this.#steps = stepsOf(program).map((id) => before.get(id) ?? countersOf(id));
  }

  get stats(): FlowStats {
    const { completed, converted, exited } = this.#ended;
    const inFlow = this.#enrolled - completed - converted - exited;
    const bySteps = Object.fromEntries(this.#steps.map(({ id, ...counted }) => [id, counted]));
    return { enrolled: this.#enrolled, inFlow, completed, converted, exited, bySteps };
  }

  snapshot(): CountersSnapshot {
    const steps = this.#steps.map((step) => ({ ...step }));
    return { enrolled: this.#enrolled, ended: { ...this.#ended }, steps };
  }

  static restore({ enrolled, ended, steps }: CountersSnapshot): Counters {
    const counters = new Counters({ operations: [] });
    counters.#enrolled = enrolled;
    Object.assign(counters.#ended, ended);
    counters.#steps = steps.map((step) => ({ ...step }));
    return counters;
  }

  #stepAt(operation: OperationIndex) {
    const step = this.#steps[operation];
    assert(step !== undefined, 'a run waits at a step of its journey');
    return step;
  }
}

/** The counters of the runs, and of what became of each step's sends. */
export function journeyStats(
  flow: FlowStats,
  answers: { resultsOf(step: string): StepResults },
): JourneyStats {
  const bySteps = Object.entries(flow.bySteps).map(
    ([id, counts]) => [id, { ...counts, ...answers.resultsOf(id) }] as const,
  );
  return { ...flow, bySteps: Object.fromEntries(bySteps) };
}

function countersOf(id: string) {
  return { id, entered: 0, waiting: 0, sent: 0 };
}
