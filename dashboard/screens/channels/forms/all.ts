// The form of each credential.

import { apns } from './apns.ts';
import { carrier } from './carrier.ts';
import { fcm } from './fcm.ts';
import type { CredentialForm, CredentialName } from './form.ts';
import { kakao } from './kakao.ts';
import { line } from './line.ts';
import { rcs } from './rcs.ts';
import { telegram } from './telegram.ts';
import { viber } from './viber.ts';
import { webpush } from './webpush.ts';
import { whatsapp } from './whatsapp.ts';
import { zalo } from './zalo.ts';

export const forms: Readonly<Record<CredentialName, CredentialForm>> = {
  fcm,
  apns,
  webpush,
  carrier,
  whatsapp,
  telegram,
  rcs,
  line,
  zalo,
  viber,
  kakao,
};
