// Checks a provider token: form, age, signature if the team's key is known, and the connection's
// earlier tokens. A connection refuses a second team, and a new token of its team too soon.

import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Millis, Seconds } from '../../engine/base/brand.ts';
import { objectOrEmpty, parseJson } from '../json.ts';
import type { ApnsReason } from './apns-faults.ts';

/** Accepted as provider token, so that an app can start without credentials. */
const fixedProviderToken = 'sandbox';

const lifeSeconds: Seconds = 3_600;
const skewSeconds: Seconds = 60;
const updateEveryMsMin: Millis = 20 * 60_000;

export interface ConnectionTokens {
  token?: string;
  readToken?: ReadToken;
}

interface ReadToken {
  readonly keyId: string;
  readonly teamId: string;
  readonly issuedSeconds: Seconds;
}

/** Public keys by key id. Without a key only the form is checked. */
export class ProviderKeys {
  readonly #keys = new Map<string, KeyObject>();

  /** Throws for anything but a PEM public key. */
  set(keyId: string, publicKeyPem: string): void {
    if (this.#keys.size >= 1_000) this.#keys.clear();
    this.#keys.set(keyId, createPublicKey(publicKeyPem));
  }

  get size(): number {
    return this.#keys.size;
  }

  clear(): void {
    this.#keys.clear();
  }

  /** Why this connection refuses the header, or `undefined`; then it keeps the token. */
  problemOf(
    authorization: string | undefined,
    connection: ConnectionTokens,
    nowMs: Millis,
  ): ApnsReason | undefined {
    if (authorization === undefined) return 'MissingProviderToken';
    const token = /^bearer (\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return 'InvalidProviderToken';
    if (token === fixedProviderToken) return undefined;
    const known = connection.token === token ? connection.readToken : undefined;
    const read = known ?? this.#read(token);
    if (read === undefined) return 'InvalidProviderToken';
    const nowSeconds = nowMs / 1000;
    if (read.issuedSeconds > nowSeconds + skewSeconds) return 'InvalidProviderToken';
    if (read.issuedSeconds < nowSeconds - lifeSeconds) return 'ExpiredProviderToken';
    const before = connection.readToken;
    if (known === undefined && before !== undefined) {
      if (before.teamId !== read.teamId) return 'InvalidProviderToken';
      if (before.keyId !== read.keyId) return 'UnrelatedKeyIdInToken';
      const apartMs = (read.issuedSeconds - before.issuedSeconds) * 1000;
      // An older token may be used again.
      if (apartMs >= 0 && apartMs < updateEveryMsMin) return 'TooManyProviderTokenUpdates';
    }
    connection.token = token;
    connection.readToken = read;
    return undefined;
  }

  /** The claims, if form and signature are right. */
  #read(token: string): ReadToken | undefined {
    const [head = '', claims = '', signature = '', ...more] = token.split('.');
    const { alg, kid } = objectOrEmpty(parseJson(Buffer.from(head, 'base64url').toString()));
    const { iss, iat, exp } = objectOrEmpty(parseJson(Buffer.from(claims, 'base64url').toString()));
    const rawSignature = Buffer.from(signature, 'base64url');
    if (more.length > 0 || alg !== 'ES256' || rawSignature.length !== 64) return undefined;
    if (typeof kid !== 'string' || !/^[A-Z0-9]{10}$/.test(kid)) return undefined;
    if (typeof iss !== 'string' || !/^[A-Z0-9]{10}$/.test(iss)) return undefined;
    if (typeof iat !== 'number' || !Number.isInteger(iat) || exp !== undefined) return undefined;
    const key = this.#keys.get(kid);
    if (
      key !== undefined &&
      !verify(
        'sha256',
        Buffer.from(`${head}.${claims}`),
        { key, dsaEncoding: 'ieee-p1363' },
        rawSignature,
      )
    ) {
      return undefined;
    }
    return { keyId: kid, teamId: iss, issuedSeconds: iat };
  }
}
