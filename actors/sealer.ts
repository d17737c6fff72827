// How actors close and open secrets: text in, text out, the nonce drawn from the context's
// randomness.

import type { Rng } from '../engine/base/rng.ts';
import {
  nonceBytes,
  type SealContext,
  type ByteSealer as StorageSealer,
} from '../storage/sealed.ts';

export interface Sealer {
  /** Seals text for one place; what is sealed opens nowhere else. */
  seal(text: string, place: SealContext, rng: Rng): Uint8Array;
  /**
   * Opens what was sealed for the same place; throws when it was not, or its key is not configured.
   */
  open(sealed: Uint8Array, place: SealContext): string;
  /** True when it was sealed with another key than new values are. */
  needsRewrap(sealed: Uint8Array): boolean;
  /** Keys for signing what leaves in the clear; the first signs, all verify. */
  keysFor(purpose: string): readonly Uint8Array[];
}

/** The actors' view of a storage sealer. */
export function textSealer(sealer: StorageSealer): Sealer {
  return {
    seal(text, place, rng) {
      const nonce = Buffer.allocUnsafe(nonceBytes);
      for (let at = 0; at < nonceBytes; at += 4) nonce.writeUInt32LE(rng.uint32(), at);
      return sealer.seal(text, place, nonce);
    },
    open: (sealed, place) => sealer.open(sealed, place).toString('utf8'),
    needsRewrap: (sealed) => sealer.needsRewrap(sealed),
    keysFor: (purpose) => sealer.keysFor(purpose),
  };
}

/** Where an app's credential for a channel is sealed. */
export function credentialPlace(owner: number, channel: string): SealContext {
  return { owner, type: 'credential', id: channel, version: 1 };
}

/** Where a secret setting of an app is sealed. */
export function settingPlace(owner: number, name: string): SealContext {
  return { owner, type: 'setting', id: name, version: 1 };
}

/**
 * Where a key that proves who a person is is sealed: an app's identity secret, and what signs its
 * client tokens.
 */
export function identityPlace(owner: number, name: 'secret' | 'token-key'): SealContext {
  return { owner, type: 'identity', id: name, version: 1 };
}

/** What keys sign that come back of mails: return paths, open pixels, tracked links. */
export const mailPurpose = 'mail';

/** What an unsubscribe link seals: an address of an app. */
export function unsubscribePlace(): SealContext {
  return { owner: 0, type: 'unsubscribe', id: 'link', version: 1 };
}
