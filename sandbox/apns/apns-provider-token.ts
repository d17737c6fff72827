// Checks a provider token: its form, its age, its signature if the team's public key is known, and
// how it fits the earlier tokens of the connection. A connection refuses tokens of a second team,
// and a new token of the same team that comes too soon.

import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Millis, Seconds } from '../../engine/base/brand.ts';
import { objectOrEmpty, parseJson } from '../json.ts';
import type { ApnsReason } from './apns-faults.ts';

/** Accepted instead of a provider token, so that an app needs no credential to start. */
const fixedProviderToken = 'sandbox';

const lifeSeconds: Seconds = 3_600;
const skewSeconds: Seconds = 60;
const updateEveryMsMin: Millis = 20 * 60_000;

/** The tokens that one connection has used. */
export interface ConnectionTokens {
  /** The newest token. */
  token?: string;
  readToken?: ReadToken;
}

interface ReadToken {
  readonly keyId: string;
  readonly teamId: string;
  readonly issuedSeconds: Seconds;
}

/** The public keys for signatures, by key id. Without a key only the form is checked. */
export class ProviderKeys {
  readonly #keys = new Map<string, KeyObject>();

  /** Throws if it is not a public key in PEM. */
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

  /**
   * Why this connection refuses a call with this header, or `undefined`; then it remembers the
   * token.
   */
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

  /** The claims of a token with the right form and signature. */
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
