// Secrets at rest: AES-256-GCM under a master key that is never in the store. Authenticates the
// secret's context, so a value moved to another tenant, record or version does not open. Never
// falls back to plain text. Layout: `[1][key id 4][nonce 12][ciphertext][tag 16]`.

import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { assert } from '../engine/base/assert.ts';
import type { Ordinal } from '../engine/base/brand.ts';

/** Fresh from a CSPRNG for every sealing: a reused nonce reveals both texts. */
export const nonceBytes = 12;

const layout = 1;
const keyIdBytes = 4;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes + nonceBytes;

export interface SealContext {
  readonly owner: Ordinal;
  /** Kind of record, such as `credential`; without `|`. */
  readonly type: string;
  /** The record's id within its owner and type. */
  readonly id: string;
  /** Of the record's layout. */
  readonly version: number;
}

/** The value does not open. Names the wanted key, never the content. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** Seals with the first key, opens with any. */
export interface ByteSealer {
  /** `nonce` is twelve fresh random bytes. */
  seal(plaintext: Uint8Array | string, context: SealContext, nonce: Uint8Array): Uint8Array;
  /** Throws `SealError` for an unknown key, another context or changed bytes. */
  open(sealed: Uint8Array, context: SealContext): Buffer;
  /** True if sealed with another key than new values: open and seal it again. */
  needsRewrap(sealed: Uint8Array): boolean;
  /**
   * One 32-byte signing key per master key, in order: the first signs, all verify. Purposes have
   * distinct keys, and none reveals its master key.
   */
  keysFor(purpose: string): readonly Uint8Array[];
  /** Hexadecimal key ids, the sealing one first; for the log and `engage stats`. */
  readonly keyIds: readonly string[];
}

/** One or more 32-byte keys with distinct ids; the first seals. */
export function createSealer(keys: readonly Uint8Array[]): ByteSealer {
  assert(keys.length > 0, 'there is at least one master key');
  const byId = new Map<string, Uint8Array>();
  for (const key of keys) {
    assert(key.length === 32, 'a master key has 32 bytes');
    const id = keyId(key);
    assert(!byId.has(id), `two master keys have the id ${id}: the same key appears twice`);
    byId.set(id, key);
  }
  const keyIds = [...byId.keys()];
  const current = keyIds[0] as string;
  return {
    keyIds,
    seal(plaintext, context, nonce) {
      assert(nonce.length === nonceBytes, 'a nonce has twelve bytes');
      const cipher = createCipheriv('aes-256-gcm', byId.get(current) as Uint8Array, nonce);
      cipher.setAAD(additionalData(context));
      const head = [Buffer.from([layout]), Buffer.from(current, 'hex'), nonce];
      return Buffer.concat([
        ...head,
        cipher.update(plaintext),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const what = `${context.type} ${context.id}`;
      if (bytes.length < headerBytes + tagBytes || bytes[0] !== layout)
        throw new SealError(`${what}: not a sealed value`);
      const id = sealedKeyId(bytes);
      const key = byId.get(id);
      if (key === undefined)
        throw new SealError(
          `${what}: sealed with master key ${id}, which is not among the configured ones`,
        );
      const nonce = bytes.subarray(1 + keyIdBytes, headerBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(additionalData(context));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([
          decipher.update(bytes.subarray(headerBytes, -tagBytes)),
          decipher.final(),
        ]);
      } catch {
        throw new SealError(`${what}: the sealed value was modified, or belongs to another record`);
      }
    },
    needsRewrap: (sealed) => sealedKeyId(sealed) !== current,
    keysFor: (purpose) =>
      [...byId.values()].map(
        (key) => new Uint8Array(hkdfSync('sha256', key, '', `engage ${purpose}`, 32)),
      ),
  };
}

/** First four bytes of the key's SHA-256 in hexadecimal; it reveals nothing of the key. */
export function keyId(key: Uint8Array): string {
  return createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, keyIdBytes * 2);
}

/** The id of the sealing key, in hexadecimal. */
export function sealedKeyId(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(1, 1 + keyIdBytes)).toString('hex');
}

// Unambiguous: a number follows `id`, and owner and type contain no bar.
function additionalData({ owner, type, id, version }: SealContext): Buffer {
  assert(!type.includes('|'), 'a sealed type has no bar in it');
  assert(Number.isInteger(version), 'a sealed version is an integer');
  return Buffer.from(`${owner}|${type}|${id}|${version}`);
}
