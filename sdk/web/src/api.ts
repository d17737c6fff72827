// Calls the server, and says what an answer means for a retry. Never throws: that nobody answered
// is an answer with status 0.

import type { Platform } from './platform.ts';
import type { Problem } from './problem.ts';

export interface Answer {
  /** 0 if nobody answered. */
  readonly status: number;
  readonly body?: unknown;
  readonly etag?: string | null;
  /** Set unless it succeeded or is a 304. */
  readonly problem?: Problem;
  /** What the server asks to wait, in milliseconds. */
  readonly waitMs?: number;
  /** The same call may succeed later. */
  readonly isAway?: boolean;
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
  method: string,
  url: string,
  { body, token, key, etag, keepalive = false }: Asking = {},
): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (body) headers['content-type'] = 'application/json';
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (key) headers['idempotency-key'] = key;
  if (etag) headers['if-none-match'] = etag;
  const sent = { method, url, headers, keepalive, ...(body ? { body: JSON.stringify(body) } : {}) };
  try {
    const heard = await platform.send(sent);
    const { status } = heard;
    let read: { error?: string; code?: string; field?: string } | undefined;
    try {
      read = JSON.parse(heard.text);
    } catch {
      // Empty, or of a proxy: the status says enough.
    }
    const answer = { status, body: read, etag: heard.header('etag') };
    if (status < 300 || status === 304) return answer;
    const { error, code, field } = read ?? {};
    const requestId = heard.header('x-request-id');
    const wait = heard.header('retry-after');
    return {
      ...answer,
      problem: {
        code: code ?? `http_${status}`,
        message: error ?? `the server answered ${status}`,
        ...(field ? { field } : {}),
        ...(requestId ? { requestId } : {}),
      },
      ...(Number(wait) >= 0 && wait ? { waitMs: Number(wait) * 1_000 } : {}),
      isAway: status === 429 || status >= 500,
    };
  } catch (error) {
    const message = `${url}: ${(error as Error).message}`;
    return { status: 0, problem: { code: 'unreachable', message }, isAway: true };
  }
}
