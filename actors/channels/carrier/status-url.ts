// The URL for the carrier's status callbacks. Pure. Our ids are in the query, because the URL is
// part of what the carrier signs. The carrier refuses the whole message for a URL that it cannot
// reach, so such a URL is left out.

import type { Attempt } from '../attempt.ts';

export type CarrierChannel = 'sms' | 'voice';

const paths: Readonly<Record<CarrierChannel, string>> = {
  sms: '/v1/webhooks/twilio/sms-status',
  voice: '/v1/webhooks/twilio/voice-status',
};

/**
 * The `StatusCallback` of one attempt: `app`, `send` and `device` in this order. `publicUrl` has no
 * slash at its end.
 */
export function carrierCallbackUrl(
  publicUrl: string,
  channel: CarrierChannel,
  { appId, sendId, deviceId }: Pick<Attempt, 'appId' | 'sendId' | 'deviceId'>,
): string {
  const query = new URLSearchParams({ app: appId, send: sendId, device: deviceId });
  return `${publicUrl}${paths[channel]}?${query}`;
}

/**
 * Whether the carrier accepts URLs below this one: not this machine, and no host with an
 * underscore. In live mode on a developer's machine, messages then go out without callbacks.
 */
export function canCarrierReach(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return false;
  const { hostname } = new URL(publicUrl);
  if (hostname.includes('_') || hostname === '[::1]' || hostname === '[::]') return false;
  return !/^(127\.|0\.0\.0\.0$)|(^|\.)localhost$/.test(hostname);
}
