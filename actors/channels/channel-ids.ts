// The channels and their display names, in the specification's order, which every list keeps.
// Append only: stored records hold a channel's index here.

export const channelLabels = {
  fcm: 'Android push (FCM)',
  apns: 'Apple push (APNs)',
  webpush: 'Web push',
  email: 'Email',
  sms: 'SMS',
  voice: 'Voice call',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  rcs: 'RCS',
  line: 'LINE',
  zalo: 'Zalo',
  viber: 'Viber',
  kakao: 'KakaoTalk',
} as const;

export type ChannelId = keyof typeof channelLabels;

export const channelIds = Object.keys(channelLabels) as readonly ChannelId[];

type Push = 'fcm' | 'apns' | 'webpush';
type Phone = 'sms' | 'voice' | 'whatsapp' | 'rcs' | 'kakao';

/** The name of an uploaded credential. SMS and voice share one; email has the relay. */
export type CredentialName = Exclude<ChannelId, 'email' | 'sms' | 'voice'> | 'carrier';

/** An address class with an opt-out. Push endpoints have none. */
export type IdentityClass = Exclude<ChannelId, Push | Phone> | 'phone';

/** The channels whose providers post everything to one address per app. */
export type WebhookChannel = Exclude<ChannelId, Push | 'email' | 'sms' | 'voice' | 'rcs' | 'kakao'>;

export function isChannelId(text: string): text is ChannelId {
  return (channelIds as readonly string[]).includes(text);
}
