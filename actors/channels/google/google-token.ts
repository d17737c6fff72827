// Google access tokens from a tenant's service account: cached per credential, renewed five minutes
// early, requested once however many sends wait. Uploaded `token_uri`s are ignored: a tenant could
// make us post signed assertions to any address.

import { createPrivateKey } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import type { Outbound } from '../outbound/outbound-call.ts';
import { failure, retryAfterMs, unreached } from '../port/answers.ts';
import { dropOldest } from '../port/bounded-cache.ts';
import { parseObject } from '../port/json.ts';
import type { Failure } from '../port/outcome.ts';
import type { ServiceAccount } from './google-account.ts';

interface GoogleTokens {
  /** The credential's current token, cached or new; or why there is none. */
  get(account: ServiceAccount, fingerprint: string): Promise<string | Failure>;
  /** Drops a token that the provider refused, unless a newer one replaced it. */
  forget(fingerprint: string, token: string): void;
}

interface GoogleTokensConfig {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly scope: string;
  readonly tokenUrl: string;
}

interface Cached {
  readonly token: string;
  readonly renewMs: Millis;
}

interface Grant {
  readonly token: string;
  readonly expiresInSeconds: number;
}

const renewEarlyMs: Millis = 5 * 60_000;
const tokensMax = 4096;

export function createGoogleTokens(config: GoogleTokensConfig): GoogleTokens {
  const cache = new Map<string, Cached>();
  const flights = new Map<string, Promise<string | Failure>>();

  async function renew(account: ServiceAccount, fingerprint: string): Promise<string | Failure> {
    const grant = await exchange(config, account);
    if (!('token' in grant)) return grant;
    dropOldest(cache, tokensMax);
    const lifeMs = grant.expiresInSeconds * 1000;
    // A token shorter than the margin is used for half its life, not renewed for every send.
    const usableMs = lifeMs > 2 * renewEarlyMs ? lifeMs - renewEarlyMs : lifeMs / 2;
    cache.set(fingerprint, { token: grant.token, renewMs: config.clock.monotonic() + usableMs });
    return grant.token;
  }

  return {
    get(account, fingerprint) {
      const cached = cache.get(fingerprint);
      if (cached !== undefined && config.clock.monotonic() < cached.renewMs) {
        return Promise.resolve(cached.token);
      }
      let flight = flights.get(fingerprint);
      if (flight === undefined) {
        flight = renew(account, fingerprint).finally(() => flights.delete(fingerprint));
        flights.set(fingerprint, flight);
      }
      return flight;
    },
    forget(fingerprint, token) {
      if (cache.get(fingerprint)?.token === token) cache.delete(fingerprint);
    },
  };
}

/** The exchange of RFC 7523: a signed assertion for an access token. */
async function exchange(
  config: GoogleTokensConfig,
  account: ServiceAccount,
): Promise<Grant | Failure> {
  const nowSeconds = Math.floor(config.clock.now() / 1000);
  let assertion: string;
  try {
    assertion = await new SignJWT({ scope: config.scope })
      .setProtectedHeader({
        alg: 'RS256',
        typ: 'JWT',
        ...(account.private_key_id !== undefined && { kid: account.private_key_id }),
      })
      .setIssuer(account.client_email)
      .setAudience(config.tokenUrl)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + 3600)
      .sign(await importPKCS8(pkcs8(account.private_key), 'RS256'));
  } catch {
    return { outcome: 'config', reason: 'private_key_unusable' };
  }
  const result = await config.outbound.call({
    method: 'POST',
    url: config.tokenUrl,
    destination: 'trusted',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    }).toString(),
  });
  if (result.kind !== 'answered') {
    // No message was sent yet, so even an unanswered exchange is safe to repeat.
    const { reason } = unreached(result);
    return { outcome: 'retry', reason: `google_token_${reason}` };
  }
  if (result.status === 200) {
    const grant = readGrant(result.body);
    return grant ?? failure('retry', 'google_token_unreadable');
  }
  const words = `${result.status} ${readError(result.body)}`;
  const delayMs = retryAfterMs(result.headers['retry-after'], config.clock.now());
  if (result.status === 429) return failure('rate', 'google_token_throttled', words, [], delayMs);
  if (result.status >= 500) return failure('retry', 'google_token_unavailable', words, [], delayMs);
  return failure('config', 'google_token_refused', words, [account.client_email]);
}

/** Google's key files hold PKCS #8; a converted key may be PKCS #1, which jose does not read. */
function pkcs8(pem: string): string {
  if (pem.includes('BEGIN PRIVATE KEY')) return pem;
  return createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString();
}

function readGrant(body: string): Grant | undefined {
  const grant = parseObject(body);
  const { access_token: token, expires_in: seconds } = grant;
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(token)) return undefined;
  return { token, expiresInSeconds: typeof seconds === 'number' && seconds > 0 ? seconds : 3600 };
}

function readError(body: string): string {
  const { error, error_description: description } = parseObject(body);
  return [error, description].filter((part) => typeof part === 'string').join(': ');
}
