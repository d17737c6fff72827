// Calls the server, and says what an answer means for a retry. Never throws: that nobody answered
// is an answer with status 0.

import type { HttpAnswer, Platform } from './platform.ts';
import type { Problem } from './problem.ts';

export interface Answer {
  /** 0 if nobody answered. */
  readonly status: number;
  readonly body: unknown;
  readonly etag: string | null;
  /** Set unless it succeeded or is a 304. */
  readonly problem?: Problem;
  /** What the server asks to wait, in milliseconds. */
  readonly waitMs?: number;
}

export interface Asking {
  readonly body?: unknown;
  readonly token?: string | undefined;
  /** An `Idempotency-Key`. */
  readonly key?: string;
  readonly etag?: string | null | undefined;
  readonly keepalive?: boolean;
}

export async function ask(
  platform: Platform,
  line: string,
  url: string,
  { body, token, key, etag, keepalive }: Asking = {},
): Promise<Answer> {
  try {
    const answer = await platform.send({
      method: line,
      url,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(etag ? { 'if-none-match': etag } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(keepalive ? { keepalive } : {}),
    });
    return read(answer);
  } catch (error) {
    const problem = { code: 'unreachable', message: `${url}: ${(error as Error).message}` };
    return { status: 0, body: undefined, etag: null, problem };
  }
}

function read(answer: HttpAnswer): Answer {
  const { status, text } = answer;
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    // Of a proxy: the status says enough.
  }
  const read = { status, body, etag: answer.header('etag') };
  if ((status >= 200 && status < 300) || status === 304) return read;
  const { error, code, field } = (body ?? {}) as Record<string, string | undefined>;
  const requestId = answer.header('x-request-id');
  const seconds = Number(answer.header('retry-after') ?? Number.NaN);
  return {
    ...read,
    problem: {
      code: code ?? `http_${status}`,
      message: error ?? `the server answered ${status}`,
      ...(field === undefined ? {} : { field }),
      ...(requestId === null ? {} : { requestId }),
    },
    ...(seconds >= 0 ? { waitMs: seconds * 1_000 } : {}),
  };
}
