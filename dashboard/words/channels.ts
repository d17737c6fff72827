// The channels' names. A channel without one here is shown by its id.

import type { Channel } from '../api/generated.ts';

const names: Partial<Readonly<Record<string, string>>> = {
  fcm: 'Android push',
  apns: 'iOS push',
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

export function channelName(channel: Channel | string): string {
  return names[channel] ?? channel;
}
