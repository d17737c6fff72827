// What went wrong, as the page gets it: the server's own words, or ours where nobody answered.

export interface Problem {
  /** A code of the server, or `unreachable`, `no_consent`, `not_started`, `event_dropped`. */
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly requestId?: string;
}

/** A call of the SDK failed. */
export class EngageError extends Error implements Problem {
  override readonly name = 'EngageError';
  readonly code: string;
  readonly field?: string;
  readonly requestId?: string;

  constructor(problem: Problem) {
    super(problem.message);
    this.code = problem.code;
    if (problem.field !== undefined) this.field = problem.field;
    if (problem.requestId !== undefined) this.requestId = problem.requestId;
  }
}
