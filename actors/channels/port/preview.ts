// The request that an adapter would send, from the adapter's own function, so that preview and send
// cannot differ. Pure. It checks the message, not credentials or relays.

import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import { secondsLeft } from './answers.ts';
import { type Attempt, endpointText } from './attempt.ts';
import type { Failure } from './outcome.ts';

/**
 * A provider's request body as JSON: FCM's message, APNs' payload, web push before encryption, a
 * mail's sender, headers and parts before encoding, or the carrier's form fields. Omits what only
 * the credential knows.
 */
export type Payload = Readonly<Record<string, unknown>>;

export type Preview = (attempt: Attempt, nowMs: Millis) => { readonly payload: Payload } | Failure;

/** A body preview for an endpoint. `left` is the remaining lifetime. */
export function previewOf(
  make: (
    attempt: Attempt,
    endpoint: string,
    left: Seconds | undefined,
    nowMs: Millis,
  ) => { readonly body: string } | Failure,
): Preview {
  return (attempt, nowMs) => {
    const left = secondsLeft(attempt, nowMs);
    if (left === 'expired') return { outcome: 'permanent', reason: 'expired' };
    const made = make(attempt, endpointText(attempt), left, nowMs);
    return 'outcome' in made ? made : { payload: JSON.parse(made.body) as Payload };
  };
}
