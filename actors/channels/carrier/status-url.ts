// Where the carrier reports what became of a message or call. Pure. Our ids stand in the query,
// because the address is part of what the carrier signs: whoever gets a signature right cannot have
// changed the device. Easily got wrong: the carrier refuses the whole message for an address that
// it cannot reach, so such an address is left out.

import type { Attempt } from '../attempt.ts';

/** The channels that the carrier sends. */
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
 * Whether the carrier takes addresses below this one: neither this machine's own nor a host with an
 * underscore. In live mode on a developer's machine messages then go out without callbacks, instead
 * of not at all.
 */
export function canCarrierReach(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return false;
  const { hostname } = new URL(publicUrl);
  if (hostname.includes('_') || hostname === '[::1]' || hostname === '[::]') return false;
  return !/^(127\.|0\.0\.0\.0$)|(^|\.)localhost$/.test(hostname);
}
