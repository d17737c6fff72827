// What an adapter would hand to its provider for one attempt, by the very function that the adapter
// calls, so that a preview composes nothing of its own. Pure. It judges the message alone;
// credentials and relays are not asked.

import type { Millis, Seconds } from '../../engine/base/brand.ts';
import { secondsLeft } from './answers.ts';
import { type Attempt, endpointText } from './attempt.ts';
import type { Failure } from './outcome.ts';

/**
 * A provider's request body as JSON: FCM's message, APNs' payload, what a service worker reads once
 * it is decrypted, a mail's sender, headers and parts before they are encoded, or the fields of the
 * carrier's form. What only the credential knows is left out.
 */
export type Payload = Readonly<Record<string, unknown>>;

/** What would leave for this attempt, or why nothing could. */
export type Preview = (attempt: Attempt, nowMs: Millis) => { readonly payload: Payload } | Failure;

/**
 * A preview of the body that is made for an endpoint, unless the message's life is over. `left`:
 * how much of that there is.
 */
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
