// liquidjs's context over our data and budget: looks names up in place and counts every path part,
// node and character. `_get` is overridden because filling the environment would copy all of a
// person's tags for each text.

import { Context, Drop, type Emitter, type Liquid, toValue } from 'liquidjs';
import { assert } from '../../../engine/base/assert.ts';
import { contentLimits } from '../shape/content-limits.ts';
import { type RenderContext, scopeOf } from './context.ts';
import type { RenderMoment } from './liquid-date.ts';
import { type RenderBudget, RunawayTemplate } from './render-budget.ts';

export interface RenderSetup {
  readonly data: RenderContext;
  /** Whether an unknown name is an error; else it prints nothing. */
  readonly strict: boolean;
  readonly moment: RenderMoment;
  readonly budget: RenderBudget;
  readonly outputMax: number;
}

type PathPart = Parameters<Context['_get']>[0][number];

/** One instance serves one render. */
export class MeteredContext extends Context {
  readonly budget: RenderBudget;
  readonly moment: RenderMoment;
  readonly #data: RenderContext;
  readonly #outputMax: number;
  readonly #frames: object[] = [];

  constructor(engine: Liquid, setup: RenderSetup) {
    // The budget has the two methods that liquidjs calls; its own Limiter cannot be extended.
    const meter = setup.budget as unknown as Context['memoryLimit'];
    super(
      {},
      engine.options,
      { sync: true, strictVariables: setup.strict, ownPropertyOnly: true },
      { memoryLimit: meter, renderLimit: meter, liquid: engine },
    );
    this.budget = setup.budget;
    this.moment = setup.moment;
    this.#data = setup.data;
    this.#outputMax = setup.outputMax;
  }

  /** A new bounded text, for the output or for a `capture`. */
  emitter(): BoundedEmitter {
    return new BoundedEmitter(this.budget, this.#outputMax, this.strictVariables);
  }

  // Innermost loop first, then what was assigned or captured, then the data.
  override *_get(path: PathPart[]): IterableIterator<unknown> {
    return yield this._getFromScope(this.#scopeOf(String(toValue(path[0]))), path);
  }

  #scopeOf(name: string): object {
    for (let i = this.#frames.length - 1; i >= 0; i--) {
      const frame = this.#frames[i];
      if (frame !== undefined && Object.hasOwn(frame, name)) return frame;
    }
    const assigned = this.bottom();
    return Object.hasOwn(assigned, name) ? assigned : scopeOf(this.#data, name);
  }

  override push(frame: object): number {
    return this.#frames.push(frame);
  }

  override pop(): object | undefined {
    return this.#frames.pop();
  }

  override readProperty(...[from, key]: Parameters<Context['readProperty']>): unknown {
    this.budget.spend(1);
    return super.readProperty(from, key);
  }
}

/** The text that a render writes, with a limit, which liquidjs's own lacks. */
class BoundedEmitter implements Emitter {
  buffer = '';
  readonly #budget: RenderBudget;
  readonly #max: number;
  readonly #strict: boolean;

  constructor(budget: RenderBudget, max: number, strict: boolean) {
    this.#budget = budget;
    this.#max = max;
    this.#strict = strict;
  }

  write(value: unknown): void {
    this.buffer += this.#text(toValue(value));
    if (this.buffer.length > this.#max) {
      throw new RunawayTemplate(`more than ${this.#max} characters of text`);
    }
  }

  #text(value: unknown): string {
    if (typeof value === 'string') return value;
    if (value === undefined || value === null) return '';
    if (Array.isArray(value)) {
      this.#budget.charge(value);
      return value.map((item) => this.#text(toValue(item))).join('');
    }
    if (printable(value)) return String(value);
    if (this.#strict) throw unprintable();
    return '';
  }
}

/** Whether a value has a text form. liquidjs would print an object as "[object Object]". */
export function printable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(printable);
  return typeof value !== 'object' || value === null || value instanceof Drop;
}

/** Thrown by a strict render instead of printing an object. */
export function unprintable(): Error {
  return new Error('an object cannot be printed');
}

/** A value that a strict render must not print. Its message needs no place in the source. */
export class RefusedValue extends Error {
  override readonly name = 'RefusedValue';
}

/** Thrown by a strict render for an infinite number or NaN from a filter. */
export function notFinite(filter: string, argument: unknown): RefusedValue {
  const division = filter === 'divided_by' || filter === 'modulo';
  const byZero = division && (Number(toValue(argument)) || 0) === 0;
  return new RefusedValue(byZero ? 'divided by 0' : `${filter}: not a finite number`);
}

/** Thrown by a strict render instead of printing what `date` cannot read. */
export function noDate(value: unknown): RefusedValue {
  const text = JSON.stringify(String(value).slice(0, 40));
  return new RefusedValue(
    `date: ${text} is not a date; expected one such as 2026-03-01T09:30:00Z, or seconds since 1970`,
  );
}

export function meteredContext(context: Context): MeteredContext {
  assert(context instanceof MeteredContext, 'a template was rendered outside its engine');
  return context;
}

assert(contentLimits.itemsMax <= contentLimits.stepsMax, 'the longest list can be walked once');
