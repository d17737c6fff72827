// The budget of one message's templates. Everything is bounded by counts, never by elapsed time, so
// that a template that runs away is stopped at the same point on every machine and in every replay.
// It stands in for both limiters of liquidjs: `check` is called there before every node, `use`
// wherever memory is about to be taken.

import { contentLimits } from './content-limits.ts';

/** Thrown inside a render and turned into a problem at its edge; never leaves `render.ts`. */
export class RunawayTemplate extends Error {
  override readonly name = 'RunawayTemplate';
  constructor(what: string) {
    super(`runaway template: ${what}`);
  }
}

const unbounded = Number.MAX_SAFE_INTEGER;

/** Counts down the steps and the characters that one message may use, over all its fields. */
export class RenderBudget {
  readonly #stepsMax: number;
  readonly #workMax: number;
  #steps: number;
  #work: number;
  readonly #tagCharsMax: number;
  #tagChars: number;

  /**
   * `tagChars`: how much of the sources may stand within their tags and outputs, which is what
   * parsing takes time for.
   */
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

  /**
   * A budget of these bounds, or of what is left of this one where that is less; `settle` takes
   * what it used.
   */
  part(steps: number, work: number, tagChars: number): RenderBudget {
    return new RenderBudget(
      Math.min(steps, this.#steps),
      Math.min(work, this.#work),
      Math.min(tagChars, this.#tagChars),
    );
  }

  /** Takes what a part of this budget used. */
  settle(part: RenderBudget): void {
    this.#steps -= part.#stepsMax - part.#steps;
    this.#work -= part.#workMax - part.#work;
    this.#tagChars -= part.#tagCharsMax - part.#tagChars;
  }

  /** Steps not yet used. */
  get stepsLeft(): number {
    return this.#steps;
  }

  /** Characters of work not yet used. */
  get workLeft(): number {
    return this.#work;
  }

  /** Characters of tags not yet used. */
  get tagCharsLeft(): number {
    return this.#tagChars;
  }

  /**
   * Takes what parsing a source would cost, before it is parsed or found parsed. False where that
   * is too much.
   */
  takeSource(source: string): boolean {
    if (this.#tagCharsMax === unbounded) return true;
    this.#tagChars -= tagCharsOf(source);
    if (this.#tagChars >= 0) return true;
    this.#tagChars = 0;
    return false;
  }

  /** Takes `count` steps, or throws `RunawayTemplate`. */
  spend(count: number): void {
    this.#steps -= count;
    if (this.#steps < 0) {
      this.#steps = 0;
      throw new RunawayTemplate(`more than ${this.#stepsMax} steps`);
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
      throw new RunawayTemplate(`more than ${this.#workMax} characters of work`);
    }
  }

  /**
   * Takes what it costs to turn a value into text: a step an item, its characters as work. Must
   * come before the value is joined: 5,000 items may all be the same 64 KiB string.
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

/**
 * Characters within `{{ … }}` and `{% … %}`, the braces included; from an opening one to the next
 * closing one.
 */
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

/** What is thrown for a list or range that is too long. */
export function tooManyItems(): RunawayTemplate {
  return new RunawayTemplate(`a list of more than ${contentLimits.itemsMax} items`);
}
