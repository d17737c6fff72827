// The shape of a control route: a method, a path pattern below /control, and a function from a
// parsed request to JSON. Control routes are for people, tests and the inbox page; provider APIs
// belong elsewhere.

import type { z } from 'zod';

/** A request to a control route. */
export interface ControlRequest {
  /** The text in place of `:id`, if the path has it. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; `{}` if the request had no body. */
  readonly body: unknown;
}

/** The response of a control route: a status and JSON. */
export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** One control route. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/control`, at most one parameter, always called `:id`: `/messages/:id`. */
  readonly path: string;
  /** A sentence for the list of routes. */
  readonly about: string;
  handle(request: ControlRequest): ControlAnswer | Promise<ControlAnswer>;
}

/** A 200 with this body. */
export function ok(body: unknown): ControlAnswer {
  return { status: 200, body };
}

/** A refusal in the product's own form. */
export function refused(status: number, error: string): ControlAnswer {
  return { status, body: { error } };
}

/** The parsed value, or a 400 that names the first problem. */
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
