// The names of channels, as people say them. A new channel fails the type check until it has one.

import type { Channel } from '../api/generated.ts';

export const channelNames: Readonly<Record<Channel, string>> = {
  fcm: 'Android push',
  apns: 'Apple push',
  webpush: 'Web push',
  email: 'Email',
  sms: 'SMS',
  voice: 'Voice',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  rcs: 'RCS',
  line: 'LINE',
  zalo: 'Zalo',
  viber: 'Viber',
  kakao: 'KakaoTalk',
};

/** Their providers bill the app's own account for each message. */
export const billedChannels: ReadonlySet<string> = new Set<Channel>([
  'sms',
  'voice',
  'whatsapp',
  'rcs',
  'viber',
  'kakao',
]);

/** Of a newer channel, which has no name here, the id. */
export function channelName(channel: Channel | string): string {
  return Object.hasOwn(channelNames, channel) ? channelNames[channel as Channel] : channel;
}
