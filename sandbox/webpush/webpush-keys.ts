// A web push browser: subscription keys and decryption (RFC 8188, RFC 8291). Keys derive from the
// id and a public seed, so subscriptions survive a restart. They protect nothing.

import { createDecipheriv, createECDH, type ECDH, hkdfSync } from 'node:crypto';

const seed = 'engage sandbox web push subscriptions';
const tagBytes = 16;
const keysHeldMax = 10_000;

/** From browser to site; `keys` are base64url. */
export interface Subscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

interface PrivateKeys {
  readonly ecdh: ECDH;
  readonly publicKey: Buffer;
  readonly authSecret: Buffer;
}

const held = new Map<string, PrivateKeys>();

/** Pure: needs no sandbox, so tests can make a million. Ids are 1 to 64 of `A-Z a-z 0-9 _ -`. */
export function sandboxSubscription(sandboxUrl: string, id: string): Subscription {
  const { publicKey, authSecret } = keysOf(id);
  return {
    endpoint: `${sandboxUrl}/webpush/s/${id}`,
    keys: { p256dh: publicKey.toString('base64url'), auth: authSecret.toString('base64url') },
  };
}

/** An aes128gcm body's plaintext; `undefined` if damaged or for another key. */
export function openForSubscription(id: string, body: Buffer): Buffer | undefined {
  try {
    return open(keysOf(id), body);
  } catch {
    return undefined; // a point off the curve, a tag that does not fit: not for this key
  }
}

function open(keys: PrivateKeys, body: Buffer): Buffer | undefined {
  // RFC 8188 header: salt (16), record size (4), id length (1), id: the sender's public key.
  if (body.length < 21) return undefined;
  const salt = body.subarray(0, 16);
  const recordBytes = body.readUInt32BE(16);
  const senderEnd = 21 + body.readUInt8(20);
  const sender = body.subarray(21, senderEnd);
  if (recordBytes <= tagBytes + 1 || body.length <= senderEnd) return undefined;

  const shared = keys.ecdh.computeSecret(sender);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), keys.publicKey, sender]);
  const input = Buffer.from(hkdfSync('sha256', shared, keys.authSecret, keyInfo, 32));
  const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12));

  const records: Buffer[] = [];
  for (let start = senderEnd, index = 0; start < body.length; start += recordBytes, index++) {
    const record = body.subarray(start, start + recordBytes);
    const isLast = start + recordBytes >= body.length;
    const plaintext = openRecord(key, nonceOf(nonce, index), record, isLast);
    if (plaintext === undefined) return undefined;
    records.push(plaintext);
  }
  return Buffer.concat(records);
}

function openRecord(
  key: Buffer,
  nonce: Buffer,
  record: Buffer,
  isLast: boolean,
): Buffer | undefined {
  if (record.length <= tagBytes) return undefined;
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-tagBytes));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -tagBytes)), decipher.final()]);
  // Padding is zeros after a delimiter: 2 in the last record, 1 in the others.
  let end = padded.length - 1;
  while (end >= 0 && padded[end] === 0) end--;
  return padded[end] === (isLast ? 2 : 1) ? padded.subarray(0, end) : undefined;
}

function nonceOf(base: Buffer, index: number): Buffer {
  if (index === 0) return base;
  const nonce = Buffer.from(base);
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ index) >>> 0, 8);
  return nonce;
}

function keysOf(id: string): PrivateKeys {
  let keys = held.get(id);
  if (keys) return keys;
  keys = deriveKeys(id);
  // cheaper than tracking use: deriving takes 0.1 ms
  if (held.size >= keysHeldMax) held.clear();
  held.set(id, keys);
  return keys;
}

function deriveKeys(id: string): PrivateKeys {
  const ecdh = createECDH('prime256v1');
  for (let attempt = 0; ; attempt++) {
    try {
      ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', seed, id, `ecdh ${attempt}`, 32)));
      break;
    } catch {
      // One in 2^32 is no valid private key; take the next.
    }
  }
  return {
    ecdh,
    publicKey: ecdh.getPublicKey(),
    authSecret: Buffer.from(hkdfSync('sha256', seed, id, 'auth', 16)),
  };
}
