// Client tokens: a subscriber id, a session, and their HMAC-SHA256 under a key of that app alone,
// 83 characters. Checked without a look-up; the person's record then says whether the session is
// valid (`sessions.ts`). Tokens from before there were sessions have 67 characters: session 0.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatId, parseId } from '../../../engine/base/id.ts';
import type { Session } from './sessions.ts';

/** What a valid token says. */
interface ClientToken {
  readonly subscriberId: string;
  readonly session: Session;
}

// Multiples of 3 bytes, so each token has one spelling.
const form = /^ct_(?:[A-Za-z0-9_-]{64}|[A-Za-z0-9_-]{80})$/;
const idBytes = 16;
const namedBytes = 28;
const signatureBytes = 32;
const oldSession: Session = { generation: 0, number: 0, proof: 0 };
/** Signed too, so that a signature for another purpose is never a valid token. */
const purpose = 'engage client token 2:';
const oldPurpose = 'engage client token 1:';

/** Whether a text has the form of a client token, valid or not. */
export function isClientTokenForm(text: string): boolean {
  return form.test(text);
}

export function clientTokenOf(key: Uint8Array, { subscriberId, session }: ClientToken): string {
  const parts = parseId('sub', subscriberId);
  if (parts === undefined) throw new Error(`${subscriberId} is not a subscriber id`);
  const named = Buffer.alloc(namedBytes);
  named.writeUInt32BE(parts.ordinal, 0);
  named.writeUIntBE(parts.atMs, 4, 6);
  named.writeUInt16BE(parts.high16, 10);
  named.writeUInt32BE(parts.low32, 12);
  named.writeUInt32BE(session.generation, 16);
  named.writeUInt32BE(session.number, 20);
  named.writeUInt32BE(session.proof, 24);
  return `ct_${Buffer.concat([named, signatureOf(key, purpose, named)]).toString('base64url')}`;
}

/** What a valid token says, else `undefined`. Constant time once it has the form. */
export function readClientToken(key: Uint8Array, token: string): ClientToken | undefined {
  if (!form.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(3), 'base64url');
  const named = bytes.subarray(0, bytes.length - signatureBytes);
  const isOld = named.length === idBytes;
  const signature = signatureOf(key, isOld ? oldPurpose : purpose, named);
  if (!timingSafeEqual(bytes.subarray(named.length), signature)) return undefined;
  const subscriberId = formatId('sub', {
    ordinal: named.readUInt32BE(0),
    atMs: named.readUIntBE(4, 6),
    high16: named.readUInt16BE(10),
    low32: named.readUInt32BE(12),
  });
  const session = isOld
    ? oldSession
    : {
        generation: named.readUInt32BE(16),
        number: named.readUInt32BE(20),
        proof: named.readUInt32BE(24),
      };
  return { subscriberId, session };
}

function signatureOf(key: Uint8Array, prefix: string, named: Uint8Array): Buffer {
  return createHmac('sha256', key).update(prefix).update(named).digest();
}
