// What webhook registrations share: which addresses a provider can call, and how results are
// reported. Pure. A failure here does not fail the upload: the credential is stored first, because
// Viber calls the address during registration and expects a response under its secret.

import type { OutboundResult } from '../outbound/outbound-call.ts';
import { failure, unreached } from './answers.ts';
import type { WebhookRegistration } from './outcome.ts';
import type { ProviderConfig } from './provider-config.ts';

/** Why an address is not tried: in live mode no provider calls this machine, or without TLS. */
export function unreachableWebhook(
  url: string,
  { mode }: Pick<ProviderConfig, 'mode'>,
): WebhookRegistration | undefined {
  if (mode === 'sandbox' || (canProviderReach(url) && url.startsWith('https://'))) return undefined;
  const detail = 'ENGAGE_PUBLIC_URL is not an https URL that the provider can reach';
  return { registered: false, reason: 'address_not_reachable', detail };
}

export function unansweredWebhook(
  result: Exclude<OutboundResult, { kind: 'answered' }>,
): WebhookRegistration {
  return { registered: false, reason: unreached(result).reason };
}

export function refusedWebhook(
  reason: string,
  words: string,
  secrets: readonly string[],
): WebhookRegistration {
  const { detail } = failure('config', reason, words, secrets);
  return { registered: false, reason, ...(detail === undefined ? {} : { detail }) };
}

/** Whether a provider can call this base URL: no local host, and no underscore. */
export function canProviderReach(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return false;
  const { hostname } = new URL(publicUrl);
  if (hostname.includes('_') || hostname === '[::1]' || hostname === '[::]') return false;
  return !/^(127\.|0\.0\.0\.0$)|(^|\.)localhost$/.test(hostname);
}
