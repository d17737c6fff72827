// A client token: the 128 bits of a subscriber id and an HMAC-SHA256 of them under a key of that
// app alone, 67 characters in all. It is checked without a look-up and states nothing but who;
// whether that person is still there, and who they are now, is asked of their records each time. So
// it lives as long as its person and its key, and survives merges and restarts.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatId, parseId } from '../../../engine/base/id.ts';

const form = /^ct_[A-Za-z0-9_-]{64}$/;
const idBytes = 16;
/**
 * Says what is signed, so that a key that ever signed something else could not be made to sign a
 * token.
 */
const purpose = 'engage client token 1:';

/** Whether a text could be a client token; it says nothing about whether it is one. */
export function isClientTokenForm(text: string): boolean {
  return form.test(text);
}

/** The token of the person with this id. */
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

/**
 * The subscriber id that a token of this key names; `undefined` for any other text. In constant
 * time once it has the form.
 */
export function subscriberOfToken(key: Uint8Array, token: string): string | undefined {
  if (!form.test(token)) return undefined;
  // 64 characters are 48 bytes and no bit more, so there is one spelling of each token.
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
