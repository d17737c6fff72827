// The channels and their display names, in the specification's order, which every list that shows
// them keeps. Append only: stored records name a channel by its place here.

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

/** The name under which a credential is uploaded. SMS and voice share one; email has the relay. */
export type CredentialName = Exclude<ChannelId, 'email' | 'sms' | 'voice'> | 'carrier';

/** A class of address that a person can opt out with. Push endpoints have none. */
export type IdentityClass = Exclude<ChannelId, Push | Phone> | 'phone';

/** The channels whose providers call one address of an app with everything. */
export type WebhookChannel = Exclude<ChannelId, Push | 'email' | 'sms' | 'voice' | 'rcs' | 'kakao'>;

/** Whether the text is a channel identifier. */
export function isChannelId(text: string): text is ChannelId {
  return (channelIds as readonly string[]).includes(text);
}
