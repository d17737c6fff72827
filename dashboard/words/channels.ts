// The names of channels, as people say them, and of what becomes of their messages. A new channel
// fails the type check until it has one.

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

/** Where nothing beside them says what they are. */
export const channelLabels: typeof channelNames = { ...channelNames, voice: 'Voice calls' };

export const channelChoices = Object.entries(channelLabels).map(([value, label]) => ({
  value: value as Channel,
  label,
}));

/** The account that is billed for each message; of SMS and calls a gateway's, or the carrier's. */
const accounts: Readonly<Partial<Record<string, string>>> = {
  sms: 'SMS',
  voice: 'voice',
  whatsapp: 'WhatsApp Business',
  rcs: 'RCS',
  viber: 'Viber',
  kakao: 'KakaoTalk',
} satisfies Partial<Record<Channel, string>>;

export const billedChannels: ReadonlySet<string> = new Set(Object.keys(accounts));

export function billingAccount(channel: string): string {
  return accounts[channel] ?? channelName(channel);
}

/** Of a newer channel, which has no name here, the id. */
export function channelName(channel: Channel | string): string {
  return Object.hasOwn(channelNames, channel) ? channelNames[channel as Channel] : channel;
}

/** What became of the messages of each. */
export const healthWords = {
  channel: 'Channel',
  delivered: 'Delivered',
  bounced: 'Bounced',
  failed: 'Failed',
  suppressed: 'Suppressed',
  bounceRate: 'Bounce rate',
} as const;
