// Checks a call's signature at Solapi: a known key, a quarter of an hour, an unused HMAC of time
// and salt. For an unknown key, only its form.

import { createHmac } from 'node:crypto';
import type { Millis } from '../../engine/base/brand.ts';
import { TakenKeys } from '../taken-keys.ts';

const skewMsMax: Millis = 15 * 60_000;
const keysMax = 1_000;
const form =
  /^HMAC-SHA256 apiKey=([\w-]+), ?date=([^,\s]+), ?salt=([^,\s]{12,64}), ?signature=([0-9a-f]{64})$/i;

/** In Solapi's terms. */
interface SignatureProblem {
  readonly errorCode: string;
  readonly errorMessage: string;
}

export class KakaoSignatures {
  /** The adapter's key if a tenant has none. */
  readonly #secrets = new Map([['SANDBOXKEY', 'sandbox-api-secret']]);
  readonly #used = new TakenKeys<true>(2 * skewMsMax);

  /** Its later signatures are verified. */
  learn(apiKey: string, apiSecret: string): void {
    if (this.#secrets.size >= keysMax) this.#secrets.clear();
    this.#secrets.set(apiKey, apiSecret);
  }

  /** The problem, or the key. Uses up a valid header. */
  check(header: string | undefined, nowMs: Millis): { readonly apiKey: string } | SignatureProblem {
    const [, apiKey = '', date = '', salt = '', signature = ''] = form.exec(header ?? '') ?? [];
    if (apiKey === '')
      return problem('Unauthorized', 'The Authorization header is missing or malformed');
    if (apiKey.startsWith('revoked')) return problem('InvalidAPIKey', 'The API key is not valid');
    const skewMs = Math.abs(Date.parse(date) - nowMs);
    if (!(skewMs <= skewMsMax)) {
      return problem('RequestTimeTooSkewed', 'The time of the request is 15 minutes off or more');
    }
    const secret = this.#secrets.get(apiKey);
    const wanted =
      secret === undefined
        ? signature.toLowerCase()
        : createHmac('sha256', secret).update(`${date}${salt}`).digest('hex');
    if (wanted !== signature.toLowerCase()) {
      return problem('SignatureDoesNotMatch', 'The signature does not match');
    }
    if (this.#used.find(wanted, nowMs)) {
      return problem('DuplicatedSignature', 'The signature was used before');
    }
    this.#used.take(wanted, true, nowMs);
    return { apiKey };
  }
}

function problem(errorCode: string, errorMessage: string): SignatureProblem {
  return { errorCode, errorMessage };
}
