// Client tokens: the 128 bits of a subscriber id and their HMAC-SHA256 under a key of that app
// alone, 67 characters. Checked without a look-up; the records then say who that is now. So a token
// lives as long as its person and its key, and survives merges and restarts.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatId, parseId } from '../../../engine/base/id.ts';

const form = /^ct_[A-Za-z0-9_-]{64}$/;
const idBytes = 16;
/** Signed too, so that a signature for another purpose is never a valid token. */
const purpose = 'engage client token 1:';

/** Whether a text has the form of a client token, valid or not. */
export function isClientTokenForm(text: string): boolean {
  return form.test(text);
}

export function clientTokenOf(key: Uint8Array, subscriberId: string): string {
  const parts = parseId('sub', subscriberId);
  if (parts === undefined) throw new Error(`${subscriberId} is not a subscriber id`);
  const id = Buffer.alloc(idBytes);
  id.writeUInt32BE(parts.ordinal, 0);
  id.writeUIntBE(parts.atMs, 4, 6);
  id.writeUInt16BE(parts.high16, 10);
  id.writeUInt32BE(parts.low32, 12);
  return `ct_${Buffer.concat([id, signatureOf(key, id)]).toString('base64url')}`;
}

/** The subscriber id of a valid token, else `undefined`. Constant time once it has the form. */
export function subscriberOfToken(key: Uint8Array, token: string): string | undefined {
  if (!form.test(token)) return undefined;
  // 64 characters are exactly 48 bytes, so each token has one spelling.
  const bytes = Buffer.from(token.slice(3), 'base64url');
  const id = bytes.subarray(0, idBytes);
  if (!timingSafeEqual(bytes.subarray(idBytes), signatureOf(key, id))) return undefined;
  return formatId('sub', {
    ordinal: id.readUInt32BE(0),
    atMs: id.readUIntBE(4, 6),
    high16: id.readUInt16BE(10),
    low32: id.readUInt32BE(12),
  });
}

function signatureOf(key: Uint8Array, id: Uint8Array): Buffer {
  return createHmac('sha256', key).update(purpose).update(id).digest();
}
