// What a journey came to, counted as its runs move: people enrolled, under way, completed,
// converted and exited, and for each step who entered it, who waits at it and what it sent. What a
// reader would get wrong: once a journey is paused nobody waits at a step any more, although they
// are under way until their wakes: all that is left for them is to exit. Source: contract, section
// 8.

import { assert } from '../../../engine/base/assert.ts';
import type { Advanced } from './advance.ts';
import { type OperationIndex, type Program, stepsOf } from './program.ts';

interface StepStats {
  /** How often somebody came to it. */
  readonly entered: number;
  readonly waiting: number;
  readonly sent: number;
}

export interface JourneyStats {
  readonly enrolled: number;
  readonly inFlow: number;
  readonly completed: number;
  readonly converted: number;
  readonly exited: number;
  readonly bySteps: Readonly<Record<string, StepStats>>;
}

/** The counters at rest: steps as a list, because their order is that of the operations. */
export interface CountersSnapshot {
  readonly enrolled: number;
  readonly ended: {
    readonly completed: number;
    readonly converted: number;
    readonly exited: number;
  };
  readonly steps: readonly (StepStats & { readonly id: string })[];
}

export class Counters {
  #enrolled = 0;
  readonly #ended = { completed: 0, converted: 0, exited: 0 };
  /** By operation. */
  #steps: { readonly id: string; entered: number; waiting: number; sent: number }[];

  constructor(program: Program) {
    this.#steps = stepsOf(program).map(countersOf);
  }

  /**
   * Somebody's run went on from where it waited to where it is now; from nowhere when it has just
   * begun.
   */
  count(from: OperationIndex | undefined, { happened, outcome }: Advanced): void {
    if (from === undefined) this.#enrolled++;
    else this.#stepAt(from).waiting--;
    for (const one of happened) {
      if (one.kind === 'entered') this.#stepAt(one.operation).entered++;
      else if (one.kind === 'sent') this.#stepAt(one.operation).sent++;
    }
    if (outcome.kind === 'waits') this.#stepAt(outcome.operation).waiting++;
    else this.#ended[outcome.kind]++;
  }

  /** A run that waited at no step any more is over. */
  countExit(): void {
    this.#ended.exited++;
  }

  /** The journey is paused. */
  pause(): void {
    for (const step of this.#steps) step.waiting = 0;
  }

  /** Another graph, while nobody waits at a step: what was counted of a step stays with its id. */
  adopt(program: Program): void {
    const before = new Map(this.#steps.map((step) => [step.id, step]));
    this.#steps = stepsOf(program).map((id) => before.get(id) ?? countersOf(id));
  }

  get stats(): JourneyStats {
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

function countersOf(id: string) {
  return { id, entered: 0, waiting: 0, sent: 0 };
}
