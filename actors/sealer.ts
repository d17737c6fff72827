// Seals and opens secrets for actors: text in, text out, with nonces from the context's `rng`.

import type { Rng } from '../engine/base/rng.ts';
import {
  nonceBytes,
  type SealContext,
  type ByteSealer as StorageSealer,
} from '../storage/sealed.ts';

export interface Sealer {
  /** Seals text for one place; it opens nowhere else. */
  seal(text: string, place: SealContext, rng: Rng): Uint8Array;
  /** Throws if it was sealed for another place, or its key is not configured. */
  open(sealed: Uint8Array, place: SealContext): string;
  /** True if it is not sealed with the key for new values. */
  needsRewrap(sealed: Uint8Array): boolean;
  /** Keys that sign what leaves unencrypted; the first signs, all verify. */
  keysFor(purpose: string): readonly Uint8Array[];
}

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

/** Where the DKIM key of an app's sender domain is sealed. */
export function emailDomainPlace(owner: number, selector: string): SealContext {
  return { owner, type: 'email-domain', id: selector, version: 1 };
}

/** Where the configuration of a relay of an app or org is sealed. */
export function relayPlace(owner: number, relayId: string): SealContext {
  return { owner, type: 'relay', id: relayId, version: 1 };
}

/** Where a secret setting of an app is sealed. */
export function settingPlace(owner: number, name: string): SealContext {
  return { owner, type: 'setting', id: name, version: 1 };
}

/** Where an app's identity secret and the key of its client tokens are sealed. */
export function identityPlace(owner: number, name: 'secret' | 'token-key'): SealContext {
  return { owner, type: 'identity', id: name, version: 1 };
}

/** Where what an app's destination of webhooks is called with is sealed. */
export function webhookPlace(owner: number, destination: number): SealContext {
  return { owner, type: 'webhook', id: `${destination}`, version: 1 };
}

/** Signs what emails bring back: return paths, open pixels, tracked links. */
export const mailPurpose = 'mail';

/** Derives first keys of client workspaces from idempotency keys. */
export const clientKeyPurpose = 'client keys';

/** Where an unsubscribe link's address is sealed. */
export function unsubscribePlace(): SealContext {
  return { owner: 0, type: 'unsubscribe', id: 'link', version: 1 };
}

/** Where the person of a link to their preferences is sealed. */
export function preferencesPlace(): SealContext {
  return { owner: 0, type: 'preferences', id: 'link', version: 1 };
}

/** Where what a link confirms is sealed. */
export function confirmPlace(): SealContext {
  return { owner: 0, type: 'confirm', id: 'link', version: 1 };
}

/** Where the address in a link that stops mails of the platform is sealed. */
export function mailStopPlace(): SealContext {
  return { owner: 0, type: 'mail-stop', id: 'link', version: 1 };
}
