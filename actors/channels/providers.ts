// How each channel talks to its provider, one line each. Apart from the catalog, because most
// code needs only the channels' data, not their messages and callbacks.

import { apnsProvider } from './apns/provider.ts';
import type { ChannelId } from './channel-ids.ts';
import { fcmProvider } from './fcm/provider.ts';
import { kakaoProvider } from './kakao/provider.ts';
import { lineProvider } from './line/provider.ts';
import type { WebhookReaders } from './port/callback-item.ts';
import type { Preview } from './port/preview.ts';
import type { Provider } from './port/provider.ts';
import { rcsProvider } from './rcs/provider.ts';
import { mailProvider } from './relays/mail-provider.ts';
import { smsProvider } from './sms/provider.ts';
import { telegramProvider } from './telegram/provider.ts';
import { viberProvider } from './viber/provider.ts';
import { voiceProvider } from './voice/provider.ts';
import { webpushProvider } from './webpush/provider.ts';
import { whatsappProvider } from './whatsapp/provider.ts';
import { zaloProvider } from './zalo/provider.ts';

/** A channel with a webhook in its entry must have a reader for it. */
export const providers: Readonly<Record<ChannelId, Provider> & WebhookReaders> = {
  fcm: fcmProvider,
  apns: apnsProvider,
  webpush: webpushProvider,
  email: mailProvider,
  sms: smsProvider,
  voice: voiceProvider,
  whatsapp: whatsappProvider,
  telegram: telegramProvider,
  rcs: rcsProvider,
  line: lineProvider,
  zalo: zaloProvider,
  viber: viberProvider,
  kakao: kakaoProvider,
};

export const payloadOf: Preview = (attempt, nowMs) =>
  providers[attempt.channel].preview(attempt, nowMs);
