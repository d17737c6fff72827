// APNs provider tokens: one ES256 JWT per (team, key), reused for fifty minutes. Apple refuses
// tokens over an hour old and new ones within twenty minutes: a refused young token is not
// replaced.

import { createPrivateKey, sign } from 'node:crypto';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { failure } from '../port/answers.ts';
import { dropOldest } from '../port/bounded-cache.ts';
import { fingerprintOf } from '../port/fingerprint.ts';
import type { Failure } from '../port/outcome.ts';
import type { ApnsCredential } from './channel.ts';

export interface ProviderTokens {
  accountOf(credential: ApnsCredential): string;
  /** The current token, signed if missing or fifty minutes old; or why there is none. */
  get(credential: ApnsCredential): string | Failure;
  /** Replaces an expired token; `undefined` while it is under twenty minutes old. */
  renew(credential: ApnsCredential, refused: string): string | undefined;
  /** Returns to the previous token, if still valid, after Apple refused the new one as too many. */
  fallBack(credential: ApnsCredential, refused: string): void;
}

interface Signed {
  readonly token: string;
  readonly signedMs: Millis;
}

interface Held extends Signed {
  readonly renewMs: Millis;
  /** When this key last signed; later than `signedMs` after `fallBack`. */
  readonly lastSignedMs: Millis;
  readonly before?: Signed;
}

const useMs: Millis = 50 * 60_000;
const signEveryMsMin: Millis = 20 * 60_000;
const lifeMs: Millis = 59 * 60_000;
const tokensMax = 4096;

export function createProviderTokens(clock: Clock): ProviderTokens {
  const held = new Map<string, Held>();
  const accounts = new WeakMap<ApnsCredential, string>();

  function accountOf(credential: ApnsCredential): string {
    let account = accounts.get(credential);
    if (account === undefined) {
      const { teamId, keyId, p8 } = credential;
      // Includes the key: another tenant's team and key id must not give access to its token.
      accounts.set(credential, (account = fingerprintOf({ teamId, keyId, p8 })));
    }
    return account;
  }

  function signNew(credential: ApnsCredential, before: Held | undefined): string | Failure {
    const account = accountOf(credential);
    let token: string;
    try {
      token = signed(credential, clock.now());
    } catch {
      return failure('config', 'private_key_unusable');
    }
    if (!held.has(account)) dropOldest(held, tokensMax);
    const nowMs = clock.monotonic();
    held.set(account, {
      token,
      signedMs: nowMs,
      renewMs: nowMs + useMs,
      lastSignedMs: nowMs,
      ...(before && { before: { token: before.token, signedMs: before.signedMs } }),
    });
    return token;
  }

  const maySign = ({ lastSignedMs }: Held) => clock.monotonic() - lastSignedMs >= signEveryMsMin;

  return {
    accountOf,
    get(credential) {
      const known = held.get(accountOf(credential));
      if (known !== undefined && (clock.monotonic() < known.renewMs || !maySign(known))) {
        return known.token;
      }
      return signNew(credential, known);
    },
    renew(credential, refused) {
      const known = held.get(accountOf(credential));
      if (known !== undefined && known.token !== refused) return known.token;
      if (known !== undefined && !maySign(known)) return undefined;
      const token = signNew(credential, undefined);
      return typeof token === 'string' ? token : undefined;
    },
    fallBack(credential, refused) {
      const account = accountOf(credential);
      const known = held.get(account);
      if (known?.token !== refused || known.before === undefined) return;
      const endMs = known.before.signedMs + lifeMs;
      if (endMs <= clock.monotonic()) return;
      const { lastSignedMs } = known;
      held.set(account, { ...known.before, renewMs: endMs, lastSignedMs });
    },
  };
}

/** RFC 7518 3.4 (raw, not DER); Apple, "Establishing a token-based connection to APNs". */
function signed({ teamId, keyId, p8 }: ApnsCredential, nowMs: Millis): string {
  const head = encoded({ alg: 'ES256', kid: keyId });
  const claims = encoded({ iss: teamId, iat: Math.floor(nowMs / 1000) });
  const key = createPrivateKey(p8);
  const signature = sign('sha256', Buffer.from(`${head}.${claims}`), {
    key,
    dsaEncoding: 'ieee-p1363',
  });
  return `${head}.${claims}.${signature.toString('base64url')}`;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
