// What is the same for everybody: each channel's credential, and the address that its provider
// calls.

import { hrefOf } from '../../api/client.ts';
import type { Channel } from '../../api/generated.ts';
import type { CredentialName } from './forms/form.ts';

/** `undefined`: email goes through the server's own relay. */
export const credentialOf: Readonly<Record<Channel, CredentialName | undefined>> = {
  fcm: 'fcm',
  apns: 'apns',
  webpush: 'webpush',
  email: undefined,
  sms: 'carrier',
  voice: 'carrier',
  whatsapp: 'whatsapp',
  telegram: 'telegram',
  rcs: 'rcs',
  line: 'line',
  zalo: 'zalo',
  viber: 'viber',
  kakao: 'kakao',
};

export const channelIds = Object.keys(credentialOf) as readonly Channel[];

type Callback =
  | 'receiveSms'
  | 'receiveWhatsapp'
  | 'receiveTelegram'
  | 'receiveRcs'
  | 'receiveLine'
  | 'receiveZalo'
  | 'receiveViber';

const callbacks: Partial<Record<Channel, Callback>> = {
  sms: 'receiveSms',
  whatsapp: 'receiveWhatsapp',
  telegram: 'receiveTelegram',
  rcs: 'receiveRcs',
  line: 'receiveLine',
  zalo: 'receiveZalo',
  viber: 'receiveViber',
};

/** The address that the channel's provider calls; `undefined` where it calls none. */
export function callbackUrl(channel: Channel, appId: string, origin: string): string | undefined {
  const operation = callbacks[channel];
  return operation === undefined ? undefined : `${origin}${hrefOf(operation, { path: { appId } })}`;
}

/** A provider on the internet cannot call this address. */
export function isLocal(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(origin) || origin.startsWith('http:');
}
