// Makes one attempt of a delivery through the product's HTTP client: ten seconds from connecting to
// the last byte of at most 64 KiB, to an address that the guard lets pass, without following
// redirects. Whether and when it is made again is decided elsewhere.

import type { Bytes, Millis } from '../../../../engine/base/brand.ts';
import type { Clock } from '../../../../engine/time/clock.ts';
import type { OutboundConfig } from '../../../channels/outbound/outbound.ts';
import type { Outbound, OutboundResult } from '../../../channels/outbound/outbound-call.ts';
import { answerText } from './answer-text.ts';
import type { WebhookAttempt, WebhookError, WebhookResult } from './attempt.ts';
import { headersOf } from './headers.ts';

const timeoutMs: Millis = 10_000;
const answerBytesMax: Bytes = 64 * 1024;
/** `invalid_payload`, `action_prohibited`, `no_service`, `channel_is_archived`, in this order. */
const chatRefusals: ReadonlySet<number> = new Set([400, 403, 404, 410]);

/**
 * The client for webhooks. Whoever hands out attempts bounds those of a destination, so calls do
 * not queue for a connection, and one slow receiver takes none from another on the same host. Many
 * servers close idle connections after five seconds without saying so: ours are closed before.
 */
export const webhookClient: Pick<
  OutboundConfig,
  'timeoutMs' | 'connectTimeoutMs' | 'connectionsMax' | 'originsMax' | 'idleMs'
> = {
  timeoutMs,
  connectTimeoutMs: timeoutMs,
  connectionsMax: 1_024,
  originsMax: 4_096,
  idleMs: 4_000,
};

/** Makes attempts; never rejects. `outbound` is a client with the bounds of `webhookClient`. */
export function webhookCaller(
  outbound: Outbound,
  clock: Clock,
): (attempt: WebhookAttempt) => Promise<WebhookResult> {
  return async function deliver(attempt) {
    const startedMs = clock.monotonic();
    const result = await outbound.call({
      method: 'POST',
      url: attempt.receiver.url,
      destination: 'guarded',
      headers: headersOf(attempt),
      body: attempt.body,
      answerBytesMax,
    });
    const isAnswered = result.kind === 'answered';
    return {
      status: isAnswered ? result.status : undefined,
      error: errorOf(result),
      ...(isAnswered && isFinal(attempt, result.status) ? { isFinal: true } : {}),
      durationMs: Math.round(clock.monotonic() - startedMs),
      answer: isAnswered ? answerText(result.body, attempt.receiver) : '',
    };
  };
}

/**
 * A chat workspace has refused this message, its channel is gone, or its address is not valid any
 * more. Without an end, one such message would hold back all later ones for ten hours.
 */
function isFinal({ type }: WebhookAttempt, status: number): boolean {
  return type === 'slack' && chatRefusals.has(status);
}

function errorOf(result: OutboundResult): WebhookError | undefined {
  switch (result.kind) {
    case 'answered':
      return answerError(result);
    case 'refused':
      return 'private_address';
    case 'unanswered':
      if (result.reason === 'timeout') return 'timeout';
      return result.reason === 'answer_too_large' ? 'too_large' : 'refused';
    case 'unsent':
      switch (result.reason) {
        case 'dns':
        case 'tls':
        case 'timeout':
          return result.reason;
        default:
          return 'refused';
      }
  }
}

/** A status other than 2xx says more than how its body ended. */
function answerError({
  status,
  cut,
}: Extract<OutboundResult, { kind: 'answered' }>): WebhookError | undefined {
  if (status >= 300) return status < 400 ? 'redirect' : 'status';
  if (cut === undefined || cut === 'timeout') return cut;
  return cut === 'limit' ? 'too_large' : 'refused';
}
