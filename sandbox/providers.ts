// Every stand-in there is, one line each, in the order of the inbox page's channel filter.

import { apnsStandIn } from './apns.ts';
import { fcmStandIn } from './fcm.ts';
import { googleTokenStandIn } from './google-token.ts';
import { kakaoStandIn } from './kakao.ts';
import { lineStandIn } from './line.ts';
import { rcsStandIn } from './rcs.ts';
import { smsStandIn } from './sms.ts';
import { smtpStandIn } from './smtp.ts';
import type { StandIn, World } from './stand-in.ts';
import { telegramStandIn } from './telegram.ts';
import { viberStandIn } from './viber.ts';
import { voiceStandIn } from './voice.ts';
import { webPushStandIn } from './webpush.ts';
import { whatsappStandIn } from './whatsapp.ts';
import { zaloStandIn } from './zalo.ts';
import { zaloTokenStandIn } from './zalo-token.ts';

/** Makes the stand-ins of one sandbox. */
export const providers: readonly ((world: World) => StandIn)[] = [
  fcmStandIn,
  (world) => apnsStandIn(world),
  webPushStandIn,
  smtpStandIn,
  smsStandIn,
  voiceStandIn,
  whatsappStandIn,
  telegramStandIn,
  rcsStandIn,
  lineStandIn,
  zaloStandIn,
  viberStandIn,
  kakaoStandIn,
  googleTokenStandIn,
  zaloTokenStandIn,
];
