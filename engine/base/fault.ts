// A refusal as a value. `message` is public and becomes `{error}`; `detail` is only ever logged.
// The codes and their HTTP statuses live in one table: actors/faults.ts.

/** Why something was refused, in words a person can act on. */
export interface Fault {
  /** A stable, snake_case code from `actors/faults.ts`. */
  readonly code: string;
  /**
   * A sentence; it names the field first where there is one (`body: undefined variable: order_id`).
   */
  readonly message: string;
  /** Path of the offending member, dotted, with brackets for indexes (`devices[1].endpoint`). */
  readonly field?: string;
  /** Several problems at once, each with its own field. */
  readonly issues?: readonly FaultIssue[];
  /** Whole seconds after which the same call may succeed; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Internal text for the log. Never a secret, never a body. */
  readonly detail?: string;
}

interface FaultIssue {
  readonly field: string;
  readonly error: string;
}

/** Builds a fault about one field; the message starts with the field's name. */
export function fieldFault(field: string, problem: string, code = 'invalid'): Fault {
  return { code, field, message: `${field}: ${problem}` };
}

/**
 * Carries a fault through code that must unwind (parsers, validators). Never used for control flow
 * between layers.
 */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}
