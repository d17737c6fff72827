// The budget of one message's templates. Everything is bounded by counts, never by elapsed time, so that a template
// that runs away is stopped at the same point on every machine and in every replay. It stands in for both limiters of
// liquidjs: `check` is called there before every node, `use` wherever memory is about to be taken.

import { contentLimits } from './content-limits.ts';

/** Thrown inside a render and turned into a problem at its edge; never leaves `render.ts`. */
export class RunawayTemplate extends Error {
  override readonly name = 'RunawayTemplate';
  constructor(what: string) {
    super(`runaway template: ${what}`);
  }
}

/** Counts down the steps and the characters that one message may use, over all its fields. */
export class RenderBudget {
  #steps: number;
  #work: number;

  constructor(steps: number = contentLimits.stepsMax, work: number = contentLimits.workMax) {
    this.#steps = steps;
    this.#work = work;
  }

  /** Steps not yet used. */
  get stepsLeft(): number {
    return this.#steps;
  }

  /** Takes `count` steps, or throws `RunawayTemplate`. */
  spend(count: number): void {
    this.#steps -= count;
    if (this.#steps < 0) {
      this.#steps = 0;
      throw new RunawayTemplate(`more than ${contentLimits.stepsMax} steps`);
    }
  }

  /** liquidjs's hook before every node; the clock that it passes is ignored. */
  check(_clock: number): void {
    this.spend(1);
  }

  /** Takes `count` characters (or list slots) of work, or throws `RunawayTemplate`. */
  use(count: number): void {
    if (!(count > 0)) return;
    this.#work -= count;
    if (this.#work < 0) {
      this.#work = 0;
      throw new RunawayTemplate(`more than ${contentLimits.workMax} characters of work`);
    }
  }

  /**
   * Takes what it costs to turn a value into text: a step an item, its characters as work. Must come before the value
   * is joined: 5,000 items may all be the same 64 KiB string.
   */
  charge(value: unknown): void {
    if (typeof value === 'string') {
      this.use(value.length);
    } else if (Array.isArray(value)) {
      if (value.length > contentLimits.itemsMax) throw tooManyItems();
      this.spend(value.length);
      for (const item of value) this.charge(item);
    }
  }
}

/** What is thrown for a list or range that is too long. */
export function tooManyItems(): RunawayTemplate {
  return new RunawayTemplate(`a list of more than ${contentLimits.itemsMax} items`);
}
