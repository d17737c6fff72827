// How each channel sends: one line an adapter. Adding a channel is its entry in the catalogue, its
// file, its line here, and its line in `payloads.ts`.

import { type Clock, systemClock } from '../../engine/time/clock.ts';
import type { Adapter } from './adapter.ts';
import { createApns } from './apns/apns.ts';
import { createSms } from './carrier/sms.ts';
import { createVoice } from './carrier/voice.ts';
import type { ChannelId } from './catalog.ts';
import { createEmail } from './email/email.ts';
import { createFcm } from './fcm/fcm.ts';
import { createKakao } from './kakao/kakao.ts';
import { createLine } from './line/line.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { AdapterFactory, ProviderConfig } from './provider-config.ts';
import { createRcs } from './rcs/rcs.ts';
import type { RotateCredential } from './rotation.ts';
import { createTelegram } from './telegram/telegram.ts';
import { createViber } from './viber/viber.ts';
import { createWebPush } from './webpush/webpush.ts';
import { createWhatsApp } from './whatsapp/whatsapp.ts';
import { createZalo } from './zalo/zalo.ts';

/** How the adapter of each channel is made. */
export const adapters: Readonly<Record<ChannelId, AdapterFactory>> = {
  fcm: createFcm,
  apns: createApns,
  webpush: createWebPush,
  email: createEmail,
  sms: createSms,
  voice: createVoice,
  whatsapp: createWhatsApp,
  telegram: createTelegram,
  rcs: createRcs,
  line: createLine,
  zalo: createZalo,
  viber: createViber,
  kakao: createKakao,
};

/** One adapter a channel, for a dispatch thread. */
export function createAdapters(
  config: ProviderConfig,
  outbound: Outbound,
  clock: Clock = systemClock,
  rotate?: RotateCredential,
  mailKeys?: readonly Uint8Array[],
): Map<ChannelId, Adapter> {
  const made = new Map<ChannelId, Adapter>();
  for (const [id, create] of Object.entries(adapters)) {
    const context = {
      ...{ config, outbound, clock },
      ...(rotate === undefined ? {} : { rotate }),
      ...(mailKeys === undefined ? {} : { mailKeys }),
    };
    made.set(id as ChannelId, create(context));
  }
  return made;
}
