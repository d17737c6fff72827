// The budget of one message's templates. Bounded by counts, never by elapsed time, so that a
// runaway template stops at the same point on every machine and replay. Serves as both limiters of
// liquidjs, which calls `check` before every node and `use` before it allocates.

import { contentLimits } from '../shape/content-limits.ts';

/** Becomes a problem at the render's edge; never leaves `render.ts`. */
export class RunawayTemplate extends Error {
  override readonly name = 'RunawayTemplate';
  constructor(what: string) {
    super(`runaway template: ${what}`);
  }
}

const unbounded = Number.MAX_SAFE_INTEGER;

/** Counts down one message's steps and characters, over all its fields. */
export class RenderBudget {
  readonly #stepsMax: number;
  readonly #workMax: number;
  #steps: number;
  #work: number;
  readonly #tagCharsMax: number;
  #tagChars: number;

  /** `tagChars`: characters within the tags and outputs of sources, which parsing costs. */
  constructor(
    steps: number = contentLimits.stepsMax,
    work: number = contentLimits.workMax,
    tagChars: number = unbounded,
  ) {
    this.#tagCharsMax = tagChars;
    this.#tagChars = tagChars;
    this.#stepsMax = steps;
    this.#workMax = work;
    this.#steps = steps;
    this.#work = work;
  }

  /** A budget of these bounds, or of what is left here if less; `settle` deducts its use. */
  part(steps: number, work: number, tagChars: number): RenderBudget {
    return new RenderBudget(
      Math.min(steps, this.#steps),
      Math.min(work, this.#work),
      Math.min(tagChars, this.#tagChars),
    );
  }

  settle(part: RenderBudget): void {
    this.#steps -= part.#stepsMax - part.#steps;
    this.#work -= part.#workMax - part.#work;
    this.#tagChars -= part.#tagCharsMax - part.#tagChars;
  }

  get stepsLeft(): number {
    return this.#steps;
  }

  get workLeft(): number {
    return this.#work;
  }

  get tagCharsLeft(): number {
    return this.#tagChars;
  }

  /** Deducts the cost of parsing a source, even if it is cached. False if that is too much. */
  takeSource(source: string): boolean {
    if (this.#tagCharsMax === unbounded) return true;
    this.#tagChars -= tagCharsOf(source);
    if (this.#tagChars >= 0) return true;
    this.#tagChars = 0;
    return false;
  }

  /** Deducts steps; throws `RunawayTemplate`. */
  spend(count: number): void {
    this.#steps -= count;
    if (this.#steps < 0) {
      this.#steps = 0;
      throw new RunawayTemplate(`more than ${this.#stepsMax} steps`);
    }
  }

  check(_clock: number): void {
    this.spend(1);
  }

  /** Deducts characters (or list slots) of work; throws `RunawayTemplate`. */
  use(count: number): void {
    if (!(count > 0)) return;
    this.#work -= count;
    if (this.#work < 0) {
      this.#work = 0;
      throw new RunawayTemplate(`more than ${this.#workMax} characters of work`);
    }
  }

  /**
   * Deducts the cost of turning a value into text: a step per item, its characters as work. Call it
   * before joining: 5,000 items may all be the same 64 KiB string.
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

/** Characters within `{{ … }}` and `{% … %}`, including the braces. */
function tagCharsOf(source: string): number {
  let count = 0;
  const tags = /\{[{%]/g;
  for (let found = tags.exec(source); found !== null; found = tags.exec(source)) {
    const close = found[0] === '{{' ? '}}' : '%}';
    const end = source.indexOf(close, found.index + 2);
    if (end < 0) return count + source.length - found.index;
    tags.lastIndex = end + 2;
    count += tags.lastIndex - found.index;
  }
  return count;
}

export function tooManyItems(): RunawayTemplate {
  return new RunawayTemplate(`a list of more than ${contentLimits.itemsMax} items`);
}
