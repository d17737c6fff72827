// The request that an adapter would send for one attempt. It comes from the function that the
// adapter calls, so a preview composes nothing of its own. Pure. It checks only the message, not
// credentials or relays.

import type { Millis, Seconds } from '../../engine/base/brand.ts';
import { secondsLeft } from './answers.ts';
import { type Attempt, endpointText } from './attempt.ts';
import type { Failure } from './outcome.ts';

/**
 * A provider's request body as JSON: FCM's message, APNs' payload, the decrypted text of a web
 * push, a mail's sender, headers and parts before encoding, or the fields of the carrier's form.
 * Members that only the credential knows are left out.
 */
export type Payload = Readonly<Record<string, unknown>>;

/** The request for this attempt, or why there is none. */
export type Preview = (attempt: Attempt, nowMs: Millis) => { readonly payload: Payload } | Failure;

/** A preview of the body for an endpoint. `left` is the rest of the message's life. */
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
