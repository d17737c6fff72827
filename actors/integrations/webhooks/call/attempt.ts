// One attempt of a delivery, and its result: all that the call needs and all that it tells.

import type { Millis } from '../../../../engine/base/brand.ts';

/** The receiving end of calls. Later calls reuse what an earlier one derived from it. */
export interface WebhookReceiver {
  readonly url: string;
  /** The receiver's own headers, judged when they were saved. */
  readonly headers: Readonly<Record<string, string>>;
  /** The current secret first; a replaced one while it is still valid. May be empty. */
  readonly secrets: readonly string[];
}

export interface WebhookAttempt {
  /** `whd_…`; the same at every attempt, so that receivers can deduplicate. */
  readonly deliveryId: string;
  /** Which headers go out: all, those of the app's legacy webhook, or none of ours. */
  readonly type: 'webhook' | 'legacy' | 'slack';
  /** The event kind: `message.delivered`. */
  readonly event: string;
  readonly receiver: WebhookReceiver;
  readonly body: Buffer;
  /** It may have been sent before a restore. */
  readonly isReplayed: boolean;
  /** When this attempt begins; its whole seconds are signed. */
  readonly atMs: Millis;
}

/**
 * Why an attempt failed. `refused`: no connection, or it ended before the answer was whole.
 * `private_address`: the guard refuses the address. `status`: answered, and not with a 2xx.
 * `internal`: a fault of Engage, which its log has.
 */
export type WebhookError =
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'tls'
  | 'private_address'
  | 'redirect'
  | 'status'
  | 'too_large'
  | 'internal';

export interface WebhookResult {
  /** `undefined` if no status came back. */
  readonly status: number | undefined;
  /** `undefined`: delivered. */
  readonly error: WebhookError | undefined;
  /** Its receiver will never take it; absent where another attempt may succeed. */
  readonly isFinal?: true;
  readonly durationMs: Millis;
  /** The first 512 bytes of the answer's body as text, without what we sent in confidence. */
  readonly answer: string;
}
