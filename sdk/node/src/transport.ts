// Makes one call over `fetch`: the headers, the time limit, the attempts, and the answer as a value
// or an error. A call is repeated only if doing it twice is doing it once.

import { ByteStream } from './byte-stream.ts';
import type { Answered, AnswerInfo } from './call.ts';
import {
  ConnectionError,
  EngageError,
  type ErrorDetail,
  errorOfStatus,
  type Issue,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import { type Operation, queryText } from './operation.ts';
import { askedWaitMs, longestWaitMs, ownWaitMs, waitFor } from './waits.ts';

/** The client's settings, as each call uses them. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly strict: boolean | undefined;
  readonly userAgent: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** One call, with the key that makes its repetition safe. */
interface Planned {
  readonly operation: Operation;
  readonly key: string | undefined;
  readonly isStream: boolean;
}

/** Gives the answer, or throws an `EngageError`, or the reason of the caller's signal. */
export async function answerOfCall(
  connection: Connection,
  planned: Planned,
): Promise<Answered<unknown>> {
  const { operation, key } = planned;
  const { options, httpMethod } = operation;
  const url = urlOf(connection, operation);
  const init = requestOf(connection, planned);
  const mayRepeat = ['GET', 'PUT', 'DELETE'].includes(httpMethod) || key !== undefined;
  const retries = mayRepeat ? (options.retries ?? connection.retries) : 0;
  let wasCutOff = false;
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptOf(connection, planned, url, init, attempt + 1);
    } catch (error) {
      if (!(error instanceof EngageError)) throw error;
      // The attempt before may have deleted it, and its answer was lost.
      if (wasCutOff && httpMethod === 'DELETE' && error.status === 404)
        return { ...goneAnswer(), attempts: attempt + 1 };
      const waitMs = waitBeforeRetry(error, attempt, retries);
      if (waitMs === undefined) throw error;
      wasCutOff ||= error instanceof ConnectionError;
      await waitFor(waitMs, options.signal);
    }
  }
}

/** `undefined`: not again. */
function waitBeforeRetry(error: EngageError, attempt: number, retries: number) {
  const isWorthIt =
    error instanceof ConnectionError || error.status === 429 || error.status === 503;
  if (!isWorthIt || attempt >= retries) return undefined;
  if (error.retryAfter === undefined) return ownWaitMs(attempt, Math.random());
  const askedMs = error.retryAfter * 1_000;
  return askedMs > longestWaitMs ? undefined : askedMs;
}

async function attemptOf(
  connection: Connection,
  { operation, isStream, key }: Planned,
  url: string,
  init: RequestInit,
  attempts: number,
): Promise<Answered<unknown>> {
  const { options } = operation;
  const limit = limited(options.signal, options.timeoutMs ?? connection.timeoutMs);
  const detail: ErrorDetail = { idempotencyKey: key };
  try {
    const response = await connection.fetch(url, { ...init, signal: limit.signal });
    const info = { ...infoOf(response), attempts };
    if (response.status < 200 || response.status > 299)
      throw await errorOf(response, { ...detail, requestId: info.requestId });
    if (isStream) return { ...info, data: streamOf(response) };
    return { ...info, data: await jsonIn(response, { ...detail, requestId: info.requestId }) };
  } catch (error) {
    if (error instanceof EngageError) throw error;
    if (options.signal?.aborted === true) throw options.signal.reason;
    if (limit.isOver())
      throw new TimeoutError(`no answer within ${limit.ms} ms`, {
        ...detail,
        code: 'timeout',
        cause: error,
      });
    throw new ConnectionError(`could not reach ${connection.baseUrl}: ${reasonOf(error)}`, {
      ...detail,
      code: 'connection',
      cause: error,
    });
  } finally {
    limit.end(isStream);
  }
}

function urlOf({ baseUrl, strict }: Connection, { target, query, body }: Operation): string {
  const all = strict === undefined || body === undefined ? query : { strict, ...query };
  return `${baseUrl}${target}${queryText(all)}`;
}

function requestOf({ apiKey, userAgent }: Connection, { operation, key }: Planned): RequestInit {
  const { httpMethod, body, isBytes, options } = operation;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...options.headers,
    authorization: `Bearer ${apiKey}`,
  };
  if (key !== undefined) headers['idempotency-key'] = key;
  if (options.ifMatch !== undefined) headers['if-match'] = quoted(options.ifMatch);
  // A redirect would be followed without the body or with the key: neither is what was meant.
  const init = { method: httpMethod, headers, redirect: 'manual' } as const;
  if (body === undefined || body === null) return init;
  if (isBytes) return { ...init, body: body as NonNullable<RequestInit['body']> };
  headers['content-type'] = 'application/json';
  return { ...init, body: JSON.stringify(body) };
}

function quoted(etag: string): string {
  return etag === '*' || etag.startsWith('"') || etag.startsWith('W/') ? etag : `"${etag}"`;
}

function infoOf({ status, headers }: Response): Omit<AnswerInfo, 'attempts'> {
  const lane = headers.get('x-ratelimit-lane');
  const number = (name: string) => Number(headers.get(name));
  return {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    etag: headers.get('etag')?.replace(/^(W\/)?"(.*)"$/, '$2') ?? undefined,
    rateLimit:
      lane === null || !headers.has('x-ratelimit-limit')
        ? undefined
        : {
            lane,
            limit: number('x-ratelimit-limit'),
            remaining: number('x-ratelimit-remaining'),
            reset: number('x-ratelimit-reset'),
          },
    isReplay: headers.get('x-idempotent-replay') === 'true',
  };
}

function goneAnswer(): Answered<undefined> {
  const response = new Response(null, { status: 204 });
  return { ...infoOf(response), attempts: 1, data: undefined };
}

function streamOf(response: Response): ByteStream {
  const empty = () => new Response('').body as ReadableStream<Uint8Array>;
  const body = (response.body as ReadableStream<Uint8Array> | null) ?? empty();
  return new ByteStream(body, response.headers.get('content-type') ?? '');
}

async function jsonIn(response: Response, detail: ErrorDetail): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const { status } = response;
    const message = `expected JSON, not ${response.headers.get('content-type') ?? 'no type'}; is ${response.url} the API?`;
    throw new UnexpectedAnswerError(message, { ...detail, status, code: 'unexpected', cause });
  }
}

interface Refusal {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly field?: unknown;
  readonly issues?: unknown;
  readonly change?: unknown;
}

async function errorOf(response: Response, detail: ErrorDetail): Promise<EngageError> {
  const { status, headers } = response;
  const refusal = refusalIn(await response.text());
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const askedMs = askedWaitMs(headers.get('retry-after'), Date.now());
  const message = text(refusal.error) ?? `the answer has the status ${status}`;
  return errorOfStatus(status, message, {
    ...detail,
    code: text(refusal.code) ?? 'unknown',
    field: text(refusal.field),
    issues: Array.isArray(refusal.issues) ? (refusal.issues as readonly Issue[]) : undefined,
    change: refusal.change,
    retryAfter: askedMs === undefined ? undefined : askedMs / 1_000,
  });
}

/** A proxy in between answers with pages of its own. */
function refusalIn(text: string): Refusal {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Aborts when the caller does, or when the time is over; `end` leaves a stream to the caller. */
function limited(caller: AbortSignal | undefined, ms: number) {
  const controller = new AbortController();
  let isOver = false;
  const onAbort = () => controller.abort(caller?.reason);
  if (caller?.aborted === true) onAbort();
  caller?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new Error('timeout'));
  }, ms);
  return {
    signal: controller.signal,
    ms,
    isOver: () => isOver,
    end(isStream: boolean) {
      clearTimeout(timer);
      if (!isStream) caller?.removeEventListener('abort', onAbort);
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error ? (cause as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : cause instanceof Error ? cause.message : error.message;
}
