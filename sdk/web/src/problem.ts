// What went wrong, as the page gets it: the server's own words, or ours where nobody answered.

export interface Problem {
  /** A code of the server, or `unreachable`, `no_consent`, `unsupported`, `event_dropped`. */
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly requestId?: string;
}

/** A call of the SDK failed. */
export class EngageError extends Error implements Problem {
  declare readonly code: string;
  declare readonly field?: string;
  declare readonly requestId?: string;

  constructor(problem: Problem) {
    super(problem.message);
    Object.assign(this, problem, { name: 'EngageError' });
  }
}

export function problem(code: string, message: string): EngageError {
  return new EngageError({ code, message });
}

export function invalid(field: string, expected: string): EngageError {
  return new EngageError({ code: 'invalid', message: `${field}: ${expected}`, field });
}
