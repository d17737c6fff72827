// Every stand-in, one line each, in the order of the inbox page's channel filter.

import { apnsStandIn } from './apns/apns.ts';
import { brevoStandIn } from './brevo/brevo.ts';
import { smsStandIn } from './carrier/sms.ts';
import { voiceStandIn } from './carrier/voice.ts';
import { mailTokenStandIn } from './email/mail-token.ts';
import { smtpStandIn } from './email/smtp.ts';
import { fcmStandIn } from './fcm/fcm.ts';
import { gatewayStandIn } from './gateway/gateway.ts';
import { googleTokenStandIn } from './google-token.ts';
import { kakaoStandIn } from './kakao/kakao.ts';
import { lineStandIn } from './line/line.ts';
import { mailgunStandIn } from './mailgun/mailgun.ts';
import { postmarkStandIn } from './postmark/postmark.ts';
import { rcsStandIn } from './rcs/rcs.ts';
import { resendStandIn } from './resend/resend.ts';
import { sendGridStandIn } from './sendgrid/sendgrid.ts';
import { sesStandIn } from './ses/ses.ts';
import type { StandIn, World } from './stand-in.ts';
import { stripeStandIn } from './stripe/stripe.ts';
import { telegramStandIn } from './telegram/telegram.ts';
import { viberStandIn } from './viber/viber.ts';
import { webPushStandIn } from './webpush/webpush.ts';
import { whatsappStandIn } from './whatsapp/whatsapp.ts';
import { zaloStandIn } from './zalo/zalo.ts';
import { zaloTokenStandIn } from './zalo/zalo-token.ts';

export const providers: readonly ((world: World) => StandIn)[] = [
  fcmStandIn,
  (world) => apnsStandIn(world),
  webPushStandIn,
  smtpStandIn,
  sesStandIn,
  sendGridStandIn,
  postmarkStandIn,
  mailgunStandIn,
  resendStandIn,
  brevoStandIn,
  smsStandIn,
  voiceStandIn,
  gatewayStandIn,
  whatsappStandIn,
  telegramStandIn,
  rcsStandIn,
  lineStandIn,
  zaloStandIn,
  viberStandIn,
  kakaoStandIn,
  googleTokenStandIn,
  zaloTokenStandIn,
  mailTokenStandIn,
  stripeStandIn,
];
