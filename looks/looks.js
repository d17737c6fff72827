// Draws a delivered message as its recipient sees it: one module per channel. README.md has the
// members of a message. Pure functions from a message to elements; nothing is fetched.

import { apnsLook } from './apns.js';
import { bubble, chat } from './chat.js';
import { emailLook } from './email.js';
import { fcmLook } from './fcm.js';
import { kakaoLook } from './kakao.js';
import { lineLook } from './line.js';
import { rcsLook } from './rcs.js';
import { smsLook } from './sms.js';
import { telegramLook } from './telegram.js';
import { viberLook } from './viber.js';
import { voiceLook } from './voice.js';
import { webpushLook } from './webpush.js';
import { whatsappLook } from './whatsapp.js';
import { zaloLook } from './zalo.js';

const looks = {
  fcm: fcmLook,
  apns: apnsLook,
  webpush: webpushLook,
  email: emailLook,
  sms: smsLook,
  voice: voiceLook,
  whatsapp: whatsappLook,
  telegram: telegramLook,
  rcs: rcsLook,
  line: lineLook,
  zalo: zaloLook,
  viber: viberLook,
  kakao: kakaoLook,
};

/** A channel without a look of its own is drawn as a chat. */
export function drawLook(message) {
  const draw = Object.hasOwn(looks, message.channel) ? looks[message.channel] : plainLook;
  return draw(message);
}

function plainLook(message) {
  const name = message.sender ?? message.channel;
  return chat('plain', 'android', message, { name, feed: [bubble(message)] });
}
