// The identifiers of the channels, in the specification's order, which is that of every list that
// shows them. Append only: what is stored names a channel by its place here.

export const channelIds = [
  'fcm',
  'apns',
  'webpush',
  'email',
  'sms',
  'voice',
  'whatsapp',
  'telegram',
  'rcs',
  'line',
  'zalo',
  'viber',
  'kakao',
] as const;

export type ChannelId = (typeof channelIds)[number];

/** Whether the text is a channel identifier. */
export function isChannelId(text: string): text is ChannelId {
  return (channelIds as readonly string[]).includes(text);
}
