// What a call can fail with: the server's own words, or that it did not answer.

/** A field's error within a body. */
interface FieldIssue {
  readonly field: string;
  readonly error: string;
}

/** A change that the call has not seen. */
interface Change {
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

/** What a refused call was answered with. */
export async function errorOf(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const body = (await response.json().catch(() => ({}))) as {
    readonly error?: string;
    readonly code?: string;
    readonly field?: string;
    readonly issues?: readonly { readonly field: string; readonly error: string }[];
    readonly change?: Change;
  };
  return new ApiError({
    message: body.error ?? `The server answered ${response.status}.`,
    status: response.status,
    code: body.code ?? 'unknown',
    field: body.field,
    issues: body.issues,
    change: body.change,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}
