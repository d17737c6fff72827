// The shape of a control route: a method, a path pattern below /control, and a function from a
// parsed request to JSON. Control routes are for people, tests and the inbox page; nothing a
// provider would answer belongs here.

import type { z } from 'zod';

/** A request to a control route. */
export interface ControlRequest {
  /** The text that `:id` stood for, when the path has it. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; `{}` when the request had no body. */
  readonly body: unknown;
}

/** What a control route answers: a status and JSON. */
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

/** The parsed value, or the 400 that names the first thing wrong with it. */
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
