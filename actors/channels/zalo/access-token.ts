// Access tokens of Zalo Official Accounts. A refresh token works once and returns the next one, so
// all sends share a refresh, and its result is durable before use. A send's credential may be older
// than a later refresh; only a never-seen one is an upload. If the process dies between Zalo's
// response and the commit, the token is lost, and the outcome asks the tenant to upload another.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import type { Outbound } from '../outbound/outbound-call.ts';
import { failure, meantFailure, retryAfterMs, unreached } from '../port/answers.ts';
import { fingerprints } from '../port/fingerprint.ts';
import { parseObject } from '../port/json.ts';
import type { Failure } from '../port/outcome.ts';
import type { RotateCredential } from '../port/rotation.ts';
import type { ZaloApp } from './channel.ts';

/** As uploaded, with the newest refresh token and its access token. */
export interface ZaloCredential extends ZaloApp {
  readonly access?: {
    readonly token: string;
    /** When to renew, some time before this one expires. */
    readonly renewMs: Millis;
  };
}

interface ZaloTokens {
  /** The app's access token, stored or new and now stored; or why there is none. */
  get(appId: string, credential: ZaloCredential): Promise<string | Failure>;
  /** Zalo refused this token. Returns whether `get` may return another; a new token is kept. */
  refuse(appId: string, token: string): boolean;
}

interface ZaloTokensConfig {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly rotate: RotateCredential;
  /** Default: Zalo's own. */
  readonly tokenUrl?: string | undefined;
}

interface Account {
  current: ZaloCredential;
  /** Fingerprints of the credentials that led to `current`, its own last. */
  readonly known: string[];
  /** From Zalo but maybe not durable: do not use it, and do not lose it. */
  unkept: Made | undefined;
  flight: Promise<string | Failure> | undefined;
  refused: string | undefined;
  madeMs: Millis;
  /** When another stored credential was found; earlier sends do not use `current`. */
  supersededMs: Millis;
}

type Made = ZaloCredential & Required<Pick<ZaloCredential, 'access'>>;

const superseded: Failure = { outcome: 'retry', reason: 'credential_superseded' };
const defaultTokenUrl = 'https://oauth.zaloapp.com/v4/oa/access_token';
const renewEarlyMs: Millis = 5 * 60_000;
const lifeMsDefault: Millis = 3_600_000;
const youngMs: Millis = 60_000;
const accountsMax = 4_096;
/** One is added per day; older ones belong to no send in flight. */
const knownMax = 8;

/** A dispatch thread's tokens. An app's sends share one thread, so nothing else refreshes them. */
export function createZaloTokens(config: ZaloTokensConfig): ZaloTokens {
  const accounts = new Map<string, Account>();
  const fingerprintOf = fingerprints();

  function accountOf(appId: string, credential: ZaloCredential): Account {
    const fingerprint = fingerprintOf(credential);
    const known = accounts.get(appId);
    if (known?.known.includes(fingerprint) && !isOver(known)) return known;
    const account = newAccount(credential, fingerprint);
    if (known === undefined && accounts.size >= accountsMax) forgetOldest(accounts);
    accounts.set(appId, account);
    return account;
  }

  function isOver({ supersededMs }: Account): boolean {
    return config.clock.monotonic() - supersededMs >= youngMs;
  }

  async function renew(appId: string, account: Account): Promise<string | Failure> {
    const made = account.unkept ?? (await refresh(config, account.current));
    if ('outcome' in made) return made;
    account.unkept = made;
    const replaces = account.known.at(-1) ?? '';
    const rotated = await config.rotate(appId, 'zalo', { credential: { ...made }, replaces });
    switch (rotated) {
      case 'kept':
        account.unkept = undefined;
        account.refused = undefined;
        account.current = made;
        account.madeMs = config.clock.monotonic();
        account.known.push(fingerprintOf(made));
        if (account.known.length > knownMax) account.known.shift();
        return made.access.token;
      case 'superseded':
        account.supersededMs = config.clock.monotonic();
        return superseded;
      case 'unavailable':
        return failure('retry', 'credential_not_kept', 'the new refresh token is not stored yet');
    }
  }

  return {
    get(appId, credential) {
      const account = accountOf(appId, credential);
      if (account.supersededMs !== Number.POSITIVE_INFINITY) return Promise.resolve(superseded);
      const { access } = account.current;
      const isGood =
        access !== undefined &&
        access.token !== account.refused &&
        config.clock.now() < access.renewMs;
      if (isGood) return Promise.resolve(access.token);
      account.flight ??= renew(appId, account).finally(() => {
        account.flight = undefined;
      });
      return account.flight;
    },
    refuse(appId, token) {
      const account = accounts.get(appId);
      // Another send reported it: there is, or will be, a newer one.
      if (account?.current.access?.token !== token) return true;
      if (config.clock.monotonic() - account.madeMs < youngMs) return false;
      account.refused = token;
      return true;
    },
  };
}

function newAccount(credential: ZaloCredential, fingerprint: string): Account {
  return {
    current: credential,
    known: [fingerprint],
    unkept: undefined,
    flight: undefined,
    refused: undefined,
    madeMs: Number.NEGATIVE_INFINITY,
    supersededMs: Number.POSITIVE_INFINITY,
  };
}

async function refresh(
  config: ZaloTokensConfig,
  credential: ZaloCredential,
): Promise<Made | Failure> {
  const { appId, appSecret, refreshToken } = credential;
  const result = await config.outbound.call({
    method: 'POST',
    url: config.tokenUrl ?? defaultTokenUrl,
    destination: 'trusted',
    headers: { 'content-type': 'application/x-www-form-urlencoded', secret_key: appSecret },
    body: new URLSearchParams({
      refresh_token: refreshToken,
      app_id: appId,
      grant_type: 'refresh_token',
    }).toString(),
  });
  // No message was sent yet, so asking again is safe; if this call used the token up, the next
  // response says so.
  if (result.kind !== 'answered')
    return { outcome: 'retry', reason: `zalo_token_${unreached(result).reason}` };
  const nowMs = config.clock.now();
  const answer = parseObject(result.body);
  const { access_token: token, refresh_token: next = refreshToken, expires_in: seconds } = answer;
  if (result.status === 200 && isToken(token) && isToken(next))
    return {
      ...credential,
      refreshToken: next,
      access: { token, renewMs: nowMs + usableMs(seconds) },
    };
  const { error, error_name: name, error_description: description } = answer;
  const said = [name, description].filter((part) => typeof part === 'string').join(', ');
  const words = error === undefined ? `HTTP ${result.status}` : `error ${error}: ${said}`;
  const secrets = [refreshToken, appSecret, appId];
  const delayMs = retryAfterMs(result.headers['retry-after'], nowMs);
  if (result.status === 429)
    return meantFailure(['rate', 'zalo_token_throttled', youngMs], words, secrets, delayMs);
  if (result.status >= 500)
    return failure('retry', 'zalo_token_unavailable', words, secrets, delayMs);
  if (result.status === 200 && error === undefined)
    return failure('retry', 'zalo_token_unreadable', words, secrets);
  return failure('config', 'refresh_token_refused', `${uploadAnother}: ${words}`, secrets);
}

const uploadAnother = 'Zalo no longer accepts this refresh token; get a new one and upload it';

/** How long to use a token: until shortly before its end; a short-lived one half its life. */
function usableMs(seconds: unknown): Millis {
  const said = Number(seconds) * 1000;
  const lifeMs = said > 0 ? said : lifeMsDefault;
  return lifeMs > 2 * renewEarlyMs ? lifeMs - renewEarlyMs : lifeMs / 2;
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,8192}$/.test(value);
}

/** Drops an account without pending state: its next send brings the stored credential. */
function forgetOldest(accounts: Map<string, Account>): void {
  for (const [appId, { unkept, flight }] of accounts)
    if (unkept === undefined && flight === undefined) {
      accounts.delete(appId);
      return;
    }
}
