// How a call to Solapi is signed: an HMAC over the time and a salt, in one header. Pure. Easily got
// wrong: a signature is good for one call, so the salt must be another each time, also for two
// calls of one millisecond. It is no secret, and so needs no chance: it is made of what tells two
// calls apart. Source: Solapi, "API Key authentication".

import { createHash, createHmac } from 'node:crypto';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Attempt } from '../attempt.ts';

/** The `Authorization` of one call. */
export function kakaoAuthorization(
  { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string },
  nowMs: Millis,
  salt: string,
): string {
  const date = new Date(nowMs).toISOString();
  const signature = createHmac('sha256', apiSecret).update(`${date}${salt}`).digest('hex');
  return `HMAC-SHA256 apiKey=${apiKey}, date=${date}, salt=${salt}, signature=${signature}`;
}

/** 32 characters, of the 12 to 64 that there may be. `call` counts those of one adapter. */
export function kakaoSalt({ sendId, deviceId, attempt }: Attempt, call: number): string {
  const what = `${sendId} ${deviceId} ${attempt} ${call}`;
  return createHash('sha256').update(what).digest('hex').slice(0, 32);
}
