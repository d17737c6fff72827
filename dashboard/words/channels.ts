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

/** The name of a channel; its id if this dashboard does not know it yet. */
export function channelName(channel: string): string {
  return (channelNames as Readonly<Record<string, string>>)[channel] ?? channel;
}
