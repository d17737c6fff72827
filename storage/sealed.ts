// Secrets at rest: AES-256-GCM under a master key that is never in the store. What a secret belongs
// to is authenticated with it, so a sealed value moved to another tenant, record or version does
// not open. There is no plain fallback: what cannot be opened is an error. Layout: `[1][key id
// 4][nonce 12][ciphertext][tag 16]`.

import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { assert } from '../engine/base/assert.ts';
import type { Ordinal } from '../engine/base/brand.ts';

/**
 * Bytes of a nonce. Handed in, fresh from a CSPRNG for every sealing: one used twice gives both
 * texts away.
 */
export const nonceBytes = 12;

const layout = 1;
const keyIdBytes = 4;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes + nonceBytes;

/** What a secret belongs to. */
export interface SealContext {
  readonly owner: Ordinal;
  /** The kind of record, as `credential`; no `|` in it. */
  readonly type: string;
  /** The record's id within its owner and type. */
  readonly id: string;
  /** Of the record's layout. */
  readonly version: number;
}

/** Thrown when a sealed value does not open. Says which key was wanted, never what was inside. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** Seals with the first key, opens with any. */
export interface ByteSealer {
  /** `nonce` is twelve fresh random bytes. */
  seal(plaintext: Uint8Array | string, context: SealContext, nonce: Uint8Array): Uint8Array;
  /** Throws `SealError` for a key that is not configured, another context, or changed bytes. */
  open(sealed: Uint8Array, context: SealContext): Buffer;
  /**
   * True when the value was sealed with another key than new ones are: open it and seal it again.
   */
  needsRewrap(sealed: Uint8Array): boolean;
  /**
   * Keys of 32 bytes for signing what leaves in the clear, one of each master key, in their order:
   * the first signs, all verify. Of another purpose they are others, and none tells anything about
   * its master key.
   */
  keysFor(purpose: string): readonly Uint8Array[];
  /** Key ids in hexadecimal, the sealing one first; for the log and `engage stats`. */
  readonly keyIds: readonly string[];
}

/** A sealer over keys of 32 bytes each: the first seals. At least one; no two with the same id. */
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

/**
 * The id of a key: the first four bytes of its SHA-256, in hexadecimal. It tells nothing about the
 * key.
 */
export function keyId(key: Uint8Array): string {
  return createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, keyIdBytes * 2);
}

/** The id of the key that a value was sealed with, in hexadecimal. */
export function sealedKeyId(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(1, 1 + keyIdBytes)).toString('hex');
}

// `id` goes last but one before a number and may hold anything; owner and type cannot hold a bar,
// so no two contexts give the same text.
function additionalData({ owner, type, id, version }: SealContext): Buffer {
  assert(!type.includes('|'), 'a sealed type has no bar in it');
  assert(Number.isInteger(version), 'a sealed version is an integer');
  return Buffer.from(`${owner}|${type}|${id}|${version}`);
}
