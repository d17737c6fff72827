// What channels are called.

import type { Channel } from '../api/generated.ts';
import type { Choice } from './choices.tsx';

export const channelLabels: Readonly<Record<Channel, string>> = {
  fcm: 'Android push',
  apns: 'Apple push',
  webpush: 'Web push',
  email: 'Email',
  sms: 'SMS',
  voice: 'Voice calls',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  rcs: 'RCS',
  line: 'LINE',
  zalo: 'Zalo',
  viber: 'Viber',
  kakao: 'KakaoTalk',
};

export const channelChoices: readonly Choice<Channel>[] = (
  Object.keys(channelLabels) as Channel[]
).map((value) => ({ value, label: channelLabels[value] }));
