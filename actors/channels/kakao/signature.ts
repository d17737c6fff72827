// Signs a call to Solapi: an HMAC over time and salt, in one header. Pure. A signature is valid for
// one call, so the salt must differ even within a millisecond. It is not secret: a hash of what
// identifies the call. Source: Solapi, "API Key authentication".

import { createHash, createHmac } from 'node:crypto';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Attempt } from '../port/attempt.ts';

export function kakaoAuthorization(
  { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string },
  nowMs: Millis,
  salt: string,
): string {
  const date = new Date(nowMs).toISOString();
  const signature = createHmac('sha256', apiSecret).update(`${date}${salt}`).digest('hex');
  return `HMAC-SHA256 apiKey=${apiKey}, date=${date}, salt=${salt}, signature=${signature}`;
}

/** 32 characters (12 to 64 are allowed). `call` counts an adapter's calls. */
export function kakaoSalt({ sendId, deviceId, attempt }: Attempt, call: number): string {
  const what = `${sendId} ${deviceId} ${attempt} ${call}`;
  return createHash('sha256').update(what).digest('hex').slice(0, 32);
}
