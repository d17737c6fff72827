// The channels that an adapter exists for. Apart from the registry, because the front and the shards need the names
// and not the providers' code; the registry's type holds the two together.

import type { ChannelId } from './catalog.ts';

export const builtChannels = [
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
] as const satisfies readonly ChannelId[];

export type BuiltChannel = (typeof builtChannels)[number];
