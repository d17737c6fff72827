// The channels with what a start needs of them before it loads them: display names and the names of
// their addresses. In the specification's order, which every list keeps. Append only: stored
// records hold a channel's index here.

/** `urls`: each X of `ENGAGE_X_URL`; `catalog.ts` checks them against the channels' own. */
const channels = {
  fcm: { label: 'Android push (FCM)', urls: ['FCM', 'GOOGLE_TOKEN'] },
  apns: { label: 'Apple push (APNs)', urls: ['APNS'] },
  webpush: { label: 'Web push', urls: [] },
  email: { label: 'Email', urls: [] },
  sms: { label: 'SMS', urls: ['CARRIER', 'GATEWAY'] },
  voice: { label: 'Voice call', urls: ['CARRIER'] },
  whatsapp: { label: 'WhatsApp', urls: ['WHATSAPP'] },
  telegram: { label: 'Telegram', urls: ['TELEGRAM'] },
  rcs: { label: 'RCS', urls: ['RCS', 'GOOGLE_TOKEN'] },
  line: { label: 'LINE', urls: ['LINE'] },
  zalo: { label: 'Zalo', urls: ['ZALO', 'ZALO_TOKEN'] },
  viber: { label: 'Viber', urls: ['VIBER'] },
  kakao: { label: 'KakaoTalk', urls: ['KAKAO'] },
} as const;

export type ChannelId = keyof typeof channels;

export const channelIds = Object.keys(channels) as readonly ChannelId[];

export const channelLabels = Object.fromEntries(
  channelIds.map((id) => [id, channels[id].label]),
) as Readonly<Record<ChannelId, string>>;

export type ChannelUrlName = (typeof channels)[ChannelId]['urls'][number];

/** Of relays' services, likewise; a test checks them against the kinds' own. */
const relayUrlNames = [
  'SMTP_TOKEN',
  'SES',
  'SENDGRID',
  'POSTMARK',
  'MAILGUN',
  'RESEND',
  'BREVO',
] as const;

export type ProviderUrlName = ChannelUrlName | (typeof relayUrlNames)[number];

export const providerUrlNames: readonly ProviderUrlName[] = [
  ...new Set([
    ...channelIds.flatMap((id): readonly ProviderUrlName[] => channels[id].urls),
    ...relayUrlNames,
  ]),
];

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
