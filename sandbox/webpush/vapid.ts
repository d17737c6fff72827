// Checks a web push sender (RFC 8292): `Authorization: vapid t=<ES256 JWT>, k=<public key>`. Keeps
// valid tokens until they expire: senders reuse them, and a signature check takes 70 µs.

import { decodeJwt, importJWK, jwtVerify } from 'jose';
import type { Millis } from '../../engine/base/brand.ts';

const tokenSecondsMax = 24 * 60 * 60;
const tokensHeldMax = 1_000;
const credentials = /^vapid\s+(?=.*\bt=([\w.-]+))(?=.*\bk=([\w-]+=*))/i;

/** Status and reason in a push service's form. */
type VapidProblem = { readonly status: 401 | 403; readonly message: string } | undefined;

export class VapidChecks {
  readonly #passed = new Map<string, { readonly audience: string; readonly expiresMs: Millis }>();

  /** `audiences`: the sandbox's and the endpoint's origin. 401: missing or unusable; 403: wrong. */
  async check(
    authorization: string | undefined,
    audiences: readonly string[],
    nowMs: Millis,
  ): Promise<VapidProblem> {
    if (authorization === undefined)
      return { status: 401, message: 'Request did not validate: missing Authorization header' };
    const known = this.#passed.get(authorization);
    if (known && known.expiresMs > nowMs && audiences.includes(known.audience)) return undefined;
    const [, token, publicKey] = credentials.exec(authorization) ?? [];
    if (token === undefined || publicKey === undefined) {
      return {
        status: 401,
        message: 'Request did not validate: Authorization is not "vapid t=…, k=…"',
      };
    }
    const point = Buffer.from(publicKey, 'base64url');
    if (point.length !== 65 || point[0] !== 4) {
      return {
        status: 401,
        message: 'Request did not validate: k is not an uncompressed P-256 point',
      };
    }
    try {
      await jwtVerify(token, await importPoint(point), {
        algorithms: ['ES256'],
        audience: [...audiences],
        currentDate: new Date(nowMs),
        requiredClaims: ['aud', 'exp'],
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unreadable';
      return { status: 403, message: `BadJwtToken: ${reason}` };
    }
    return this.#judgeClaims(authorization, token, nowMs);
  }

  #judgeClaims(authorization: string, token: string, nowMs: Millis): VapidProblem {
    const { aud, exp = 0, sub } = decodeJwt(token);
    if (exp > nowMs / 1000 + tokenSecondsMax)
      return { status: 403, message: 'BadJwtToken: exp is more than 24 hours away' };
    if (sub === undefined || !/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/.test(sub)) {
      return { status: 403, message: 'BadJwtToken: sub must be a mailto: or https: URL' };
    }
    if (typeof aud === 'string') {
      if (this.#passed.size >= tokensHeldMax) this.#passed.clear();
      this.#passed.set(authorization, { audience: aud, expiresMs: exp * 1000 });
    }
    return undefined;
  }
}

function importPoint(point: Buffer) {
  return importJWK(
    {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    'ES256',
  );
}
