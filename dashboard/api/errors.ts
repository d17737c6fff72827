// What a call can fail with: the server's own words, or that it did not answer.

/** A field's error within a body. */
interface FieldIssue {
  readonly field: string;
  readonly error: string;
}

/** A change that the call has not seen. */
export interface Change {
  readonly by: string | null;
  readonly byName: string | null;
  readonly at: string | null;
  readonly etag: string | null;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 if nobody answered: offline, or the server is gone. */
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly issues: readonly FieldIssue[];
  readonly requestId: string | undefined;
  /** For 429 and 503. */
  readonly retryAfterSeconds: number | undefined;
  /** With a 412. */
  readonly change: Change | undefined;

  constructor(parts: {
    readonly message: string;
    readonly status: number;
    readonly code: string;
    readonly field?: string | undefined;
    readonly issues?: readonly FieldIssue[] | undefined;
    readonly requestId?: string | undefined;
    readonly retryAfterSeconds?: number | undefined;
    readonly change?: Change | undefined;
  }) {
    super(parts.message);
    this.status = parts.status;
    this.code = parts.code;
    this.field = parts.field;
    this.requestId = parts.requestId;
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.change = parts.change;
    this.issues =
      parts.issues ??
      (parts.field === undefined ? [] : [{ field: parts.field, error: parts.message }]);
  }

  /** Nobody answered. */
  get isOffline(): boolean {
    return this.status === 0;
  }

  /** The error of a field, or of what is below it. */
  of(field: string): string | undefined {
    const found = this.issues.find(
      (issue) =>
        issue.field === field ||
        issue.field.startsWith(`${field}.`) ||
        issue.field.startsWith(`${field}[`),
    );
    return found?.error.replace(`${found.field}: `, '');
  }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ message: String(error), status: -1, code: 'unknown' });
}
