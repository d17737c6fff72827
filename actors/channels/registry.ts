// Which channels can send: one line an adapter. A channel without one answers `not_configured`, which is what an
// operator who has not set it up sees too. Adding an adapter is its file and its line here.

import { type Clock, systemClock } from '../../engine/time/clock.ts';
import type { Outbound } from '../outbound.ts';
import type { Adapter } from './adapter.ts';
import { createApns } from './apns.ts';
import type { BuiltChannel } from './built.ts';
import type { ChannelId } from './catalog.ts';
import { createEmail } from './email.ts';
import { createFcm } from './fcm.ts';
import { createKakao } from './kakao.ts';
import { createLine } from './line.ts';
import type { AdapterFactory, ProviderConfig, RotateCredential } from './provider-config.ts';
import { createRcs } from './rcs.ts';
import { createSms } from './sms.ts';
import { createTelegram } from './telegram.ts';
import { createViber } from './viber.ts';
import { createVoice } from './voice.ts';
import { createWebPush } from './webpush.ts';
import { createWhatsApp } from './whatsapp.ts';
import { createZalo } from './zalo.ts';

/** The adapters there are. */
export const adapters: Readonly<Record<BuiltChannel, AdapterFactory>> = {
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

/**
 * One adapter a channel for a dispatch thread. A channel that is missing from the map has no adapter yet: treat it as
 * `config`, reason `not_configured`.
 */
export function createAdapters(
  config: ProviderConfig,
  outbound: Outbound,
  clock: Clock = systemClock,
  rotate?: RotateCredential,
): Map<ChannelId, Adapter> {
  const made = new Map<ChannelId, Adapter>();
  for (const [id, create] of Object.entries(adapters)) {
    const context = { config, outbound, clock, ...(rotate === undefined ? {} : { rotate }) };
    made.set(id as ChannelId, create(context));
  }
  return made;
}
