// One outbound call from queueing to its result: how far it came decides what a failure means.
// Undici tells it what happens (its dispatch handler); the call's own timer is its only deadline.

import type { Dispatcher } from 'undici';
import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import { LookupError } from './guarded-lookup.ts';
import { isTlsErrorCode, type OutboundCall, type OutboundResult } from './outbound-call.ts';
import { AnswerTooLarge, type ReadBudget } from './read-budget.ts';

/** Calls of an origin that are queued or in flight. */
export interface CallCount {
  calls: number;
}

/** Informational answers (1xx) before the answer of one call; more are an attack. */
const informationalMax = 16;

/** One call: queued, started (bytes may be out), answering, settled exactly once. */
export class HttpCall implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: OutboundResult) => void;
  readonly #origin: CallCount;
  readonly #timer: NodeJS.Timeout;
  readonly #bytesMax: Bytes;
  readonly #mayBegin: OutboundCall['mayBegin'];
  readonly #budget: ReadBudget;
  readonly #wantsBytes: boolean;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #informational = 0;
  #status = 0;
  #headers: Readonly<Record<string, string | string[] | undefined>> = {};
  #chunks: Buffer[] = [];
  #bytes: Bytes = 0;

  constructor(
    resolve: (result: OutboundResult) => void,
    origin: CallCount,
    {
      timeoutMs,
      bytesMax,
      mayBegin,
      budget,
      wantsBytes,
    }: {
      readonly timeoutMs: Millis;
      readonly bytesMax: Bytes;
      readonly mayBegin: OutboundCall['mayBegin'];
      readonly budget: ReadBudget;
      readonly wantsBytes?: boolean | undefined;
    },
  ) {
    this.#resolve = resolve;
    this.#bytesMax = bytesMax;
    this.#mayBegin = mayBegin;
    this.#budget = budget;
    this.#wantsBytes = wantsBytes === true;
    this.#origin = origin;
    origin.calls++;
    this.#timer = setTimeout(expire, timeoutMs, this);
  }

  /** Connected, and no byte is written yet. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#settled && this.#mayBegin?.() === false)
      this.#settle({ kind: 'unsent', reason: 'recalled' });
    this.#controller = controller;
    // recalled, or the deadline passed, while the call waited for a connection
    if (this.#settled) controller.abort(abandoned);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) {
      // informational: the answer is still to come
      if (++this.#informational > informationalMax) controller.abort(new AnswerTooLarge());
      return;
    }
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#bytesMax - this.#bytes;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += Math.min(chunk.length, room);
    if (chunk.length <= room) return;
    this.#settle(this.#answer('limit'));
    controller.abort(abandoned);
  }

  onResponseEnd(): void {
    this.#budget.answered();
    this.#settle(this.#answer(undefined));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    const isTooLarge = tooLarge(error);
    if (this.#status !== 0) this.#settle(this.#answer(isTooLarge ? 'limit' : 'connection'));
    else if (this.#controller !== undefined) {
      const reason = isTooLarge ? 'answer_too_large' : 'connection_lost';
      this.#settle({ kind: 'unanswered', reason });
    } else this.#settle(unsentBecause(error));
  }

  /** The deadline: its meaning depends on the call's progress. */
  expire(): void {
    if (this.#settled) return;
    if (this.#status !== 0) this.#settle(this.#answer('timeout'));
    else if (this.#controller !== undefined)
      this.#settle({ kind: 'unanswered', reason: 'timeout' });
    else this.#settle({ kind: 'unsent', reason: 'timeout' });
    this.#controller?.abort(abandoned);
  }

  #answer(cut: 'limit' | 'timeout' | 'connection' | undefined): OutboundResult {
    const chunks = this.#chunks;
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    return {
      kind: 'answered',
      status: this.#status,
      headers: this.#headers,
      body: body === undefined || this.#wantsBytes ? '' : body.toString('utf8'),
      ...(this.#wantsBytes && { bytes: body ?? Buffer.alloc(0) }),
      complete: cut === undefined,
      ...(cut !== undefined && { cut }),
    };
  }

  #settle(result: OutboundResult): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#origin.calls--;
    this.#resolve(result);
  }
}

const abandoned = new Error('the call timed out');

function expire(call: HttpCall): void {
  call.expire();
}

function tooLarge(error: Error): boolean {
  if (error instanceof AnswerTooLarge) return true;
  return 'code' in error && error.code === 'UND_ERR_HEADERS_OVERFLOW';
}

/** Why no byte was sent, from the error of Node, OpenSSL or undici. */
function unsentBecause(error: Error): OutboundResult {
  if (error instanceof LookupError) {
    return error.refused
      ? { kind: 'refused', reason: 'private_address' }
      : { kind: 'unsent', reason: 'dns' };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'unsent', reason: 'invalid_request' };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { kind: 'unsent', reason: 'timeout' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'unsent', reason: 'dns' };
  if (isTlsErrorCode(code)) return { kind: 'unsent', reason: 'tls' };
  return { kind: 'unsent', reason: 'connect' };
}
