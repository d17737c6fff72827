// Sends rows to the bulk import, retries, checks responses. A call without a response may have
// succeeded: rows with a user id converge when resent; others create a person twice, as the
// specification allows.

import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressFlags } from './address-notes.ts';

export interface BatchResult {
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  /** Choices of topics that the person is out of, and stays out of. */
  readonly keptOut?: number;
  /** Addresses that may be wrong; absent from servers of earlier builds. */
  readonly addressFlags?: AddressFlags;
  /** With `device`: the row is stored without it. */
  readonly errors: readonly {
    readonly row: number;
    readonly error: string;
    readonly device?: number;
  }[];
}

interface OptOutResult {
  readonly added: number;
  readonly known: number;
  readonly failed: number;
  readonly errors: readonly { readonly row: number; readonly error: string }[];
}

interface Target {
  /** Base address without a final slash. */
  readonly url: string;
  readonly key: string;
  readonly appId: string;
}

/** Waiting and randomness; tests replace them. */
export interface Pace {
  readonly nowMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
}

const realPace: Pace = {
  nowMs: () => performance.now(),
  wait: async (ms, signal) => void (await sleep(ms, undefined, { signal })),
  random: Math.random,
};

/** Tries per batch before the import stops: about five minutes with waits. */
const triesMax = 25;
const baseMs = 250;
const capMs = 15_000;
const retryAfterMaxMs = 300_000;
const answerLimitMs = 120_000;
const answerBytesMax = 4 * 1024 * 1024;
const passing = new Set([408, 429, 502, 503, 504]);

/** A final refusal; `message` is one sentence for a person. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

/** The server was unreachable or not ready for too long. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable';
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

export class ImportClient {
  readonly #target: Target;
  readonly #pace: Pace;
  readonly #signal: AbortSignal;
  /** No call starts earlier: one rate limit refusal slows all. */
  #openAtMs = 0;
  retries = 0;

  /** `signal` ends waits between tries; a call in flight may finish. */
  constructor(target: Target, signal: AbortSignal, pace: Pace = realPace) {
    this.#target = target;
    this.#signal = signal;
    this.#pace = pace;
  }

  /** Requests the app, so that a wrong address, key or id shows before a long file is read. */
  async checkApp(): Promise<void> {
    const { url, appId } = this.#target;
    const answer = await this.#call(`/v1/apps/${encodeURIComponent(appId)}`).catch((error) => {
      throw new ServerUnavailable(`no server responds at ${url} (${causeOf(error)}).`);
    });
    // A key may import but not read, so only what also prevents an import counts.
    if (answer.status === 401 || answer.status === 404) throw this.#refusal(answer);
  }

  /** Makes topics by their keys; returns those that were not there. */
  async makeTopics(topics: ReadonlyMap<string, string>): Promise<readonly string[]> {
    const made: string[] = [];
    for (const [name, key] of topics) {
      const body = JSON.stringify({ key, name, default: 'out' });
      const path = `/v1/apps/${encodeURIComponent(this.#target.appId)}/topics`;
      const { status } = await this.#passed(path, body, [201, 409]);
      if (status === 201) made.push(key);
    }
    return made;
  }

  /** Sends a batch. Throws if refused, or if the server is unreachable for too long. */
  async send(body: string, rows: number): Promise<BatchResult> {
    return this.#read(await this.#post('/v1/import/subscribers', body), rows);
  }

  /** The same for opt-outs. */
  async sendOptOuts(body: string, rows: number): Promise<OptOutResult> {
    const result = parseJson(await this.#post('/v1/import/suppressions', body));
    if (!isOptOutResult(result) || result.added + result.known + result.failed !== rows)
      throw new ImportRefused(
        `${this.#target.url} responded with 200, but the body is not an import result for ${rows} opt-outs.`,
      );
    return result;
  }

  async #post(path: string, body: string): Promise<string> {
    return (await this.#passed(path, body, [200])).text;
  }

  /** Calls until the answer is one of these, or a refusal. */
  async #passed(path: string, body: string, wanted: readonly number[]): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      await this.#opened();
      let problem: string;
      let waitMs: number | undefined;
      try {
        const answer = await this.#call(path, body);
        if (wanted.includes(answer.status)) return answer;
        if (!passing.has(answer.status)) throw this.#refusal(answer);
        problem = sentenceOf(answer);
        waitMs = askedWaitMs(answer.retryAfter);
      } catch (error) {
        if (error instanceof ImportRefused) throw error;
        problem = causeOf(error);
      }
      if (tries === triesMax || this.#signal.aborted)
        throw new ServerUnavailable(
          `${this.#target.url} did not accept a batch in ${tries === 1 ? 'one attempt' : `${tries} attempts`}: ${problem}`,
        );
      this.retries++;
      const backoffMs =
        Math.min(capMs, baseMs * 2 ** (tries - 1)) * (0.5 + this.#pace.random() / 2);
      if (waitMs === undefined) await this.#pace.wait(backoffMs, this.#signal);
      else this.#openAtMs = Math.max(this.#openAtMs, this.#pace.nowMs() + Math.max(waitMs, 1));
    }
  }

  async #opened(): Promise<void> {
    for (;;) {
      const waitMs = this.#openAtMs - this.#pace.nowMs();
      if (waitMs <= 0) return;
      await this.#pace.wait(waitMs, this.#signal);
    }
  }

  async #call(path: string, body?: string): Promise<Answer> {
    const { url, key } = this.#target;
    const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
    const response = await fetch(`${url}${path}`, {
      redirect: 'error', // the key is for this server and no other
      signal: AbortSignal.timeout(answerLimitMs),
      ...(body === undefined
        ? { headers }
        : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }),
    });
    const text = await boundedText(response);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
  }

  #read(text: string, rows: number): BatchResult {
    const result = parseJson(text);
    if (!isResult(result) || result.created + result.updated + result.failed !== rows)
      throw new ImportRefused(
        `${this.#target.url} responded with 200, but the body is not an import result for ${rows} rows.`,
      );
    return result;
  }

  #refusal(answer: Answer): ImportRefused {
    const { url, appId } = this.#target;
    const sentence = sentenceOf(answer);
    if (answer.status === 401) return new ImportRefused(`${url} rejected the key: ${sentence}`);
    if (answer.status === 404)
      return new ImportRefused(`${url} has no app ${appId} for this key: ${sentence}`);
    return new ImportRefused(`${url} rejected the import: ${sentence}`);
  }
}

/** Seconds or an HTTP date as a wait in ms; `undefined` if absent or invalid. */
export function askedWaitMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim())
    ? Number(header) * 1000
    : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMaxMs);
}

async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > answerBytesMax) throw new ImportRefused("the server's response is too large.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function sentenceOf({ status, text }: Answer): string {
  const body = parseJson(text);
  const error =
    typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  const words = typeof error === 'string' ? error : text.slice(0, 200).replace(/\s+/g, ' ').trim();
  return words === '' ? `status ${status}.` : `${words} (status ${status})`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isResult(value: unknown): value is BatchResult {
  return hasCounts(value, ['created', 'updated', 'failed']);
}

function isOptOutResult(value: unknown): value is OptOutResult {
  return hasCounts(value, ['added', 'known', 'failed']);
}

function hasCounts(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Partial<Record<string, unknown>>;
  const { errors } = members;
  return (
    names.every((name) => Number.isSafeInteger(members[name]) && Number(members[name]) >= 0) &&
    Array.isArray(errors) &&
    errors.every(
      (one: unknown) =>
        typeof one === 'object' &&
        one !== null &&
        'row' in one &&
        Number.isSafeInteger(one.row) &&
        'error' in one &&
        typeof one.error === 'string',
    )
  );
}

/** `fetch failed` explains nothing; its cause does. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${answerLimitMs / 1000} seconds`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = (cause as NodeJS.ErrnoException).code;
  return code === undefined ? cause.message || error.message : code;
}
