// How each channel sends: one line an adapter. Adding a channel is its entry in the catalogue, its
// file, its line here, and its line in `payloads.ts`.

import { type Clock, systemClock } from '../../engine/time/clock.ts';
import type { Adapter } from './adapter.ts';
import { createApns } from './apns/adapter.ts';
import type { ChannelId } from './catalog.ts';
import { createEmail } from './email/adapter.ts';
import { createFcm } from './fcm/adapter.ts';
import { createKakao } from './kakao/adapter.ts';
import { createLine } from './line/adapter.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { AdapterFactory, ProviderConfig, RotateCredential } from './provider-config.ts';
import { createRcs } from './rcs/adapter.ts';
import { createSms } from './sms/adapter.ts';
import { createTelegram } from './telegram/adapter.ts';
import { createViber } from './viber/adapter.ts';
import { createVoice } from './voice/adapter.ts';
import { createWebPush } from './webpush/adapter.ts';
import { createWhatsApp } from './whatsapp/adapter.ts';
import { createZalo } from './zalo/adapter.ts';

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
