// What can go wrong with a call, one class for each family of statuses. The message is the server's
// own sentence, which names the field and what it expects.

/** One problem of a body with several. */
export interface Issue {
  readonly field: string;
  readonly error: string;
}

/** What an answer said beside its status. */
export interface ErrorDetail {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly field?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly change?: unknown;
  readonly cause?: unknown;
}

/** Every failure of a call. `status` is `undefined` if no answer came. */
export class EngageError extends Error {
  override readonly name: string = 'EngageError';
  readonly status: number | undefined;
  /** A word for programs, such as `not_found`. */
  readonly code: string;
  /** The field that is wrong, such as `devices[1].endpoint`. */
  readonly field: string | undefined;
  /** All problems of the body; the first is the message. */
  readonly issues: readonly Issue[];
  /** Names the call in the server's log. */
  readonly requestId: string | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfter: number | undefined;
  /** The key of the call: the same call with it does nothing twice. */
  readonly idempotencyKey: string | undefined;
  /** Who changed the thing meanwhile, if the call named an older version. */
  readonly change: unknown;
  /** Of a batch that was cut: the results of the parts that were accepted before. */
  partial: unknown;

  constructor(message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? {} : { cause: detail.cause });
    this.status = detail.status;
    this.code = detail.code ?? 'unknown';
    this.field = detail.field;
    this.issues = detail.issues ?? [];
    this.requestId = detail.requestId;
    this.retryAfter = detail.retryAfter;
    this.idempotencyKey = detail.idempotencyKey;
    this.change = detail.change;
  }
}

/** No answer: nobody listens, or the connection broke. */
export class ConnectionError extends EngageError {
  override readonly name = 'ConnectionError';
}
/** No whole answer within `timeoutMs`. What was asked for may have been done. */
export class TimeoutError extends EngageError {
  override readonly name = 'TimeoutError';
}
/** An answer that is not the API's: of a proxy, or a redirect. */
export class UnexpectedAnswerError extends EngageError {
  override readonly name = 'UnexpectedAnswerError';
}
/** 400, 413, 415, 422 and what has no class of its own: the request is wrong. */
export class InvalidRequestError extends EngageError {
  override readonly name = 'InvalidRequestError';
}
/** 401: the key is unknown. */
export class AuthenticationError extends EngageError {
  override readonly name = 'AuthenticationError';
}
/** 403: the key may not do this. */
export class PermissionError extends EngageError {
  override readonly name = 'PermissionError';
}
/** 404 and 410: there is no such thing. */
export class NotFoundError extends EngageError {
  override readonly name = 'NotFoundError';
}
/** 409 and 412: the thing is in another state, or somebody changed it. */
export class ConflictError extends EngageError {
  override readonly name = 'ConflictError';
}
/** 429: too many calls. */
export class RateLimitError extends EngageError {
  override readonly name = 'RateLimitError';
}
/** 5xx: the server could not. */
export class ServerError extends EngageError {
  override readonly name = 'ServerError';
}

/** The error of an answer with this status. */
export function errorOfStatus(status: number, message: string, detail: ErrorDetail): EngageError {
  return new (classOf(status))(message, { ...detail, status });
}

function classOf(status: number): typeof EngageError {
  if (status >= 500) return ServerError;
  switch (status) {
    case 401:
      return AuthenticationError;
    case 403:
      return PermissionError;
    case 404:
    case 410:
      return NotFoundError;
    case 409:
    case 412:
      return ConflictError;
    case 429:
      return RateLimitError;
    default:
      return status >= 400 ? InvalidRequestError : UnexpectedAnswerError;
  }
}
