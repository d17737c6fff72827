// Every stand-in there is, one line each, in the order of the inbox page's channel filter.

import { apnsStandIn } from './apns.ts';
import { fcmStandIn } from './fcm.ts';
import { googleTokenStandIn } from './google-token.ts';
import { smtpStandIn } from './smtp.ts';
import type { StandIn, World } from './stand-in.ts';
import { webPushStandIn } from './webpush.ts';

/** Makes the stand-ins of one sandbox. */
export const providers: readonly ((world: World) => StandIn)[] = [
  fcmStandIn,
  (world) => apnsStandIn(world),
  webPushStandIn,
  smtpStandIn,
  googleTokenStandIn,
];
