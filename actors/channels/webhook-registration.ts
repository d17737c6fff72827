// What every registration of a webhook shares: which addresses a provider could call at all, and
// how what came of it is told. Pure. Easily got wrong: a failure here is no failure of the upload.
// The credential is stored before, since Viber tries the address while it is being registered, and
// is answered only under the credential's secret.

import { failure, unreached } from './answers.ts';
import { canCarrierReach } from './carrier/carrier-callback.ts';
import type { OutboundResult } from './outbound/outbound.ts';
import type { WebhookRegistration } from './outcome.ts';
import type { ProviderConfig } from './provider-config.ts';

/**
 * Why an address need not be tried: in live mode no provider can call this machine by itself, and
 * none calls without TLS.
 */
export function unreachableWebhook(
  url: string,
  { mode }: Pick<ProviderConfig, 'mode'>,
): WebhookRegistration | undefined {
  if (mode === 'sandbox' || (canCarrierReach(url) && url.startsWith('https://'))) return undefined;
  const detail = 'ENGAGE_PUBLIC_URL is not an https URL that the provider can reach';
  return { registered: false, reason: 'address_not_reachable', detail };
}

/** A call that got no answer. */
export function unansweredWebhook(
  result: Exclude<OutboundResult, { kind: 'answered' }>,
): WebhookRegistration {
  return { registered: false, reason: unreached(result).reason };
}

/** A call that was answered otherwise than with a yes. */
export function refusedWebhook(
  reason: string,
  words: string,
  secrets: readonly string[],
): WebhookRegistration {
  const { detail } = failure('config', reason, words, secrets);
  return { registered: false, reason, ...(detail === undefined ? {} : { detail }) };
}
