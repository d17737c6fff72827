// OAuth access tokens of a mailbox: by client credentials (RFC 6749 4.4) or a refresh token (6).
// Renewed five minutes early and once after the mail server refused one, requested once however
// many connections wait. A new refresh token that comes along is used until the account closes.

import type { Millis } from '../../../../engine/base/brand.ts';
import type { Clock } from '../../../../engine/time/clock.ts';
import type { AccessTokens } from '../../email/smtp-socket.ts';
import type { Outbound } from '../../outbound/outbound-call.ts';
import { failure, retryAfterMs, unreached } from '../../port/answers.ts';
import { parseObject, textOf } from '../../port/json.ts';
import type { Failure } from '../../port/outcome.ts';
import type { SmtpOauth } from './kind.ts';

const renewEarlyMs: Millis = 5 * 60_000;
/** Where the answer names none, as RFC 6749 5.1 allows. */
const lifeMsDefault: Millis = 30 * 60_000;

interface AccessTokensConfig {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly oauth: SmtpOauth;
  /** The operator's address, which replaces the tenant's. */
  readonly trustedUrl?: string | undefined;
}

interface Kept {
  readonly token: string;
  readonly renewMs: Millis;
}

/** The tokens of one account. */
export function createAccessTokens(config: AccessTokensConfig): AccessTokens {
  const { clock, oauth } = config;
  let kept: Kept | undefined;
  let flight: Promise<Kept | Failure> | undefined;
  let refreshToken = oauth.refreshToken;

  async function renew(): Promise<Kept | Failure> {
    const grant = await exchange(config, refreshToken);
    if ('outcome' in grant) return grant;
    refreshToken = grant.refreshToken ?? refreshToken;
    const { lifeMs } = grant;
    // A token shorter than the margin is used for half its life, not renewed at every login.
    const usableMs = lifeMs > 2 * renewEarlyMs ? lifeMs - renewEarlyMs : lifeMs / 2;
    kept = { token: grant.token, renewMs: clock.monotonic() + usableMs };
    return kept;
  }

  return {
    async get() {
      if (kept !== undefined && clock.monotonic() < kept.renewMs)
        return { token: kept.token, isKept: true };
      flight ??= renew().finally(() => {
        flight = undefined;
      });
      const got = await flight;
      return 'outcome' in got ? got : { token: got.token, isKept: false };
    },
    forget(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}

interface Grant {
  readonly token: string;
  readonly lifeMs: Millis;
  readonly refreshToken?: string;
}

async function exchange(
  { outbound, clock, oauth, trustedUrl }: AccessTokensConfig,
  refreshToken: string | undefined,
): Promise<Grant | Failure> {
  const { clientId, clientSecret, scope } = oauth;
  const secrets = [clientSecret, ...(refreshToken === undefined ? [] : [refreshToken])];
  const result = await outbound.call({
    method: 'POST',
    url: trustedUrl ?? oauth.tokenUrl,
    destination: trustedUrl === undefined ? 'guarded' : 'trusted',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({
      ...(refreshToken === undefined
        ? { grant_type: 'client_credentials' }
        : { grant_type: 'refresh_token', refresh_token: refreshToken }),
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    }).toString(),
  });
  if (result.kind === 'refused') return failure('config', result.reason);
  // No mail was sent yet, so even an unanswered exchange is safe to repeat.
  if (result.kind !== 'answered')
    return failure('retry', 'oauth_unreachable', unreached(result).reason);
  const said = parseObject(result.body);
  if (result.status === 200)
    return readGrant(said) ?? failure('retry', 'oauth_unreachable', 'unreadable');
  const words = `${result.status} ${[said['error'], said['error_description']].map(textOf).join(': ')}`;
  const delayMs = retryAfterMs(result.headers['retry-after'], clock.now());
  if (result.status === 429) return failure('rate', 'throttled', words, secrets, delayMs);
  if (result.status >= 500) return failure('retry', 'oauth_unreachable', words, secrets, delayMs);
  return failure('config', 'oauth_refused', words, secrets);
}

function readGrant(said: Readonly<Record<string, unknown>>): Grant | undefined {
  const token = said['access_token'];
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(token)) return undefined;
  const seconds = Number(said['expires_in']);
  const next = textOf(said['refresh_token']);
  return {
    token,
    lifeMs: seconds > 0 ? seconds * 1000 : lifeMsDefault,
    ...(/^[\x21-\x7e]{1,4096}$/.test(next) && { refreshToken: next }),
  };
}
