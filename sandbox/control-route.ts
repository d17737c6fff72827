// A control route: method, path below /control, and a function from parsed request to JSON. For
// people, tests and the inbox; provider APIs belong elsewhere.

import type { z } from 'zod';

export interface ControlRequest {
  /** The text for `:id`, if any. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** `{}` without a body. */
  readonly body: unknown;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/control`; the only parameter is `:id`: `/messages/:id`. */
  readonly path: string;
  /** A sentence for the list. */
  readonly about: string;
  handle(request: ControlRequest): ControlAnswer | Promise<ControlAnswer>;
}

export function ok(body: unknown): ControlAnswer {
  return { status: 200, body };
}

/** In the product's form. */
export function refused(status: number, error: string): ControlAnswer {
  return { status, body: { error } };
}

/** The value, or a 400 naming the first problem. */
export function parseControl<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { readonly value: T } | { readonly refusal: ControlAnswer } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  return {
    refusal: refused(400, field ? `${field}: ${issue?.message}` : (issue?.message ?? 'invalid')),
  };
}
