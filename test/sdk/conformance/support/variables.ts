// The patterns of a script: a text that begins with `$` is a variable, which the first value that
// it meets binds. In a made-up answer an unbound variable gets a value of its own.

import { createHmac } from 'node:crypto';
import type { Json, JsonObject } from './script.ts';

interface Clock {
  /** Of the device, in milliseconds since 1970. */
  nowMs(): number;
}

/** In what is compared with a time. */
const timeToleranceMs = 2_000;

export class Variables {
  readonly #values = new Map<string, Json>();
  readonly #clock: Clock;
  readonly #secret: string;

  constructor(given: Readonly<Record<string, string>>, secret: string, clock: Clock) {
    for (const [name, value] of Object.entries(given)) this.#values.set(name, value);
    this.#secret = secret;
    this.#clock = clock;
  }

  /** Why the value is not as the pattern says; if it is, undefined, and variables are bound. */
  problem(pattern: Json, value: Json | undefined, isOpen: boolean): string | undefined {
    const before = new Map(this.#values);
    const problem = this.#compare(pattern, value, isOpen, '');
    if (problem === undefined) return undefined;
    this.#values.clear();
    for (const [name, bound] of before) this.#values.set(name, bound);
    return problem;
  }

  #compare(
    pattern: Json,
    value: Json | undefined,
    isOpen: boolean,
    path: string,
  ): string | undefined {
    const wrong = () =>
      `${path || 'it'}: ${JSON.stringify(value)} instead of ${JSON.stringify(this.filled(pattern))}`;
    if (typeof pattern === 'string' && pattern.startsWith('$')) {
      if (pattern === '$any') return value === undefined ? wrong() : undefined;
      const known = this.#known(pattern);
      if (known !== undefined) return known === value ? undefined : wrong();
      if (value === undefined || value === null || value === '') return wrong();
      this.#values.set(pattern, value);
      return undefined;
    }
    if (isObject(pattern) && '$at' in pattern)
      return this.#isAt(pattern, value) ? undefined : wrong();
    if (isObject(pattern) && '$count' in pattern)
      return Array.isArray(value) && value.length === pattern['$count'] ? undefined : wrong();
    if (Array.isArray(pattern)) return this.#list(pattern, value, isOpen, path) ?? undefined;
    if (isObject(pattern)) return this.#members(pattern, value, isOpen, path);
    return pattern === value ? undefined : wrong();
  }

  #list(
    pattern: readonly Json[],
    value: Json | undefined,
    isOpen: boolean,
    path: string,
  ): string | undefined {
    if (!Array.isArray(value) || value.length !== pattern.length)
      return `${path}: ${JSON.stringify(value)} instead of ${pattern.length} items`;
    for (const [at, one] of pattern.entries()) {
      const problem = this.#compare(one, value[at], isOpen, `${path}[${at}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #members(
    pattern: JsonObject,
    value: Json | undefined,
    isOpen: boolean,
    path: string,
  ): string | undefined {
    if (!isObject(value)) return `${path}: ${JSON.stringify(value)} instead of an object`;
    for (const [name, one] of Object.entries(pattern)) {
      const problem = this.#compare(one, value[name], isOpen, `${path}.${name}`);
      if (problem !== undefined) return problem;
    }
    const more = Object.keys(value).find((name) => !(name in pattern));
    return isOpen || more === undefined
      ? undefined
      : `${path}.${more}: ${JSON.stringify(value[more])} instead of nothing`;
  }

  #isAt(pattern: JsonObject, value: Json | undefined): boolean {
    const wantedMs = this.#clock.nowMs() + (pattern['$at'] as number);
    return typeof value === 'string' && Math.abs(Date.parse(value) - wantedMs) <= timeToleranceMs;
  }

  #known(name: string): Json | undefined {
    const [, user] = /^\$hash:(.+)$/.exec(name) ?? [];
    if (user !== undefined) return createHmac('sha256', this.#secret).update(user).digest('hex');
    return this.#values.get(name);
  }

  /** The pattern as a value: variables that nothing has bound are bound to a value of their own. */
  filled(pattern: Json): Json {
    if (typeof pattern === 'string') {
      if (!pattern.startsWith('$')) return this.inText(pattern);
      const known = this.#known(pattern);
      if (known !== undefined) return known;
      const made = `made-${pattern.slice(1)}`;
      this.#values.set(pattern, made);
      return made;
    }
    if (Array.isArray(pattern)) return pattern.map((one) => this.filled(one));
    if (!isObject(pattern)) return pattern;
    if ('$at' in pattern)
      return new Date(this.#clock.nowMs() + (pattern['$at'] as number)).toISOString();
    return Object.fromEntries(
      Object.entries(pattern).map(([name, one]) => [name, this.filled(one)]),
    );
  }

  /** A text with variables inside, as paths and headers have them. */
  inText(text: string): string {
    return text.replace(/\$[A-Za-z][A-Za-z0-9]*(:[a-z]+)?/g, (name) =>
      String(this.#known(name) ?? name),
    );
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
