// The URL for the carrier's status callbacks. Pure. Our ids are in the query, because the carrier
// signs the URL. It refuses a message whose callback URL it cannot reach, so we omit such a URL.

import type { Attempt } from '../port/attempt.ts';

export type CarrierChannel = 'sms' | 'voice';

const paths: Readonly<Record<CarrierChannel, string>> = {
  sms: '/v1/webhooks/twilio/sms-status',
  voice: '/v1/webhooks/twilio/voice-status',
};

/** One attempt's `StatusCallback`: `app`, `send`, `device`. `publicUrl` has no trailing slash. */
export function carrierCallbackUrl(
  publicUrl: string,
  channel: CarrierChannel,
  { appId, sendId, deviceId }: Pick<Attempt, 'appId' | 'sendId' | 'deviceId'>,
): string {
  const query = new URLSearchParams({ app: appId, send: sendId, device: deviceId });
  return `${publicUrl}${paths[channel]}?${query}`;
}
