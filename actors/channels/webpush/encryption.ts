// Encrypts a web push message (RFC 8291 over RFC 8188, aes128gcm) and proves its sender (VAPID, RFC
// 8292). RFC 8291 requires a new sender key per message. Tokens are cached per push service,
// several times faster than the web-push library's token per message; tests compare the two.

import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import type { Millis } from '../../../engine/base/brand.ts';
import type { WebPushSubscription } from '../addresses/endpoint.ts';
import { dropOldest } from '../port/bounded-cache.ts';
import type { WebPushKeys } from './channel.ts';

/** What fits into every push service's 4,096 bytes beside header, padding mark and tag. */
export const webPushPlaintextBytesMax = 3993;

const infoWebPush = Buffer.from('WebPush: info\0');
const infoKey = Buffer.from('Content-Encoding: aes128gcm\0\x01');
const infoNonce = Buffer.from('Content-Encoding: nonce\0\x01');
const one = Buffer.of(1);
/** Marks the last record; no padding follows. */
const delimiter = Buffer.of(2);
const recordBytes = 4096;
const headerBytes = 16 + 4 + 1 + 65;

/** `undefined` for malformed keys. The plaintext has at most `webPushPlaintextBytesMax` bytes. */
export function encrypt(
  keys: WebPushSubscription['keys'],
  plaintext: Uint8Array,
): Buffer | undefined {
  const receiver = Buffer.from(keys.p256dh, 'base64url');
  const auth = Buffer.from(keys.auth, 'base64url');
  if (receiver.length !== 65 || auth.length !== 16) return undefined;
  const sender = createECDH('prime256v1');
  const senderPublic = sender.generateKeys();
  let shared: Buffer;
  try {
    shared = sender.computeSecret(receiver);
  } catch {
    return undefined; // not a point of the curve
  }
  const input = hmac(hmac(auth, shared), infoWebPush, receiver, senderPublic, one);
  const salt = randomBytes(16);
  const pseudoRandom = hmac(salt, input);
  const key = hmac(pseudoRandom, infoKey).subarray(0, 16);
  const nonce = hmac(pseudoRandom, infoNonce).subarray(0, 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);

  const header = Buffer.allocUnsafe(headerBytes);
  salt.copy(header, 0);
  header.writeUInt32BE(recordBytes, 16);
  header[20] = 65;
  senderPublic.copy(header, 21);
  return Buffer.concat([
    header,
    cipher.update(plaintext),
    cipher.update(delimiter),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function hmac(key: Buffer, ...parts: readonly Buffer[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

interface VapidTokens {
  /** `Authorization` for a push service's origin. Throws for keys that do not parse. */
  header(origin: string, keys: WebPushKeys, subject: string, nowMs: Millis): string;
}

const vapidLifeMs: Millis = 12 * 3_600_000;
const vapidTokensMax = 10_000;

/** Cached per origin, key pair and subject for half of their twelve hours. */
export function createVapidTokens(): VapidTokens {
  const tokens = new Map<string, { readonly header: string; readonly renewMs: Millis }>();
  return {
    header(origin, keys, subject, nowMs) {
      // Includes the private key: a newly uploaded pair must not use the old signature.
      const cacheKey = `${origin} ${keys.publicKey} ${keys.privateKey} ${subject}`;
      const cached = tokens.get(cacheKey);
      if (cached !== undefined && nowMs < cached.renewMs) return cached.header;
      dropOldest(tokens, vapidTokensMax);
      tokens.delete(cacheKey); // so that the renewed token is the newest
      const expires = Math.floor((nowMs + vapidLifeMs) / 1000);
      const unsigned = `${vapidHead}.${base64urlJson({ aud: origin, exp: expires, sub: subject })}`;
      const signature = sign('sha256', Buffer.from(unsigned), {
        key: signingKey(keys),
        dsaEncoding: 'ieee-p1363',
      });
      const header = `vapid t=${unsigned}.${signature.toString('base64url')}, k=${keys.publicKey}`;
      tokens.set(cacheKey, { header, renewMs: nowMs + vapidLifeMs / 2 });
      return header;
    },
  };
}

const vapidHead = base64urlJson({ typ: 'JWT', alg: 'ES256' });

function base64urlJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signingKey(keys: WebPushKeys): KeyObject {
  const point = Buffer.from(keys.publicKey, 'base64url');
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33, 65).toString('base64url'),
      d: Buffer.from(keys.privateKey, 'base64url').toString('base64url'),
    },
  });
}
