// Opens and seals an app's identity keys. Opening is the expensive part of a check, so it is cached
// by the sealed bytes: a new key is a new array, so nothing is ever stale.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../engine/actor/message.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { SealError } from '../../../storage/sealed.ts';
import { fault } from '../../faults.ts';
import { identityPlace, type Sealer } from '../../sealer.ts';
import { readPerson } from '../audience/find-person.ts';
import type { ReadToken } from '../audience/read-token.ts';
import type { IdentityKeys, IdentitySecret } from '../identity-keys.ts';
import { subscriberOfToken } from './client-token.ts';
import type { IdentityEntry } from './protocol.ts';

/** Source: contract, section 3. */
const previousSecretMs: Millis = dayMs;

export class Keyring {
  readonly #sealer: Sealer;
  readonly #opened = new WeakMap<Uint8Array, Buffer>();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** The current person of a client token. The fault does not show why a token is invalid. */
  readonly read: ReadToken = (app, token, context) => {
    const { tokenKey } = app.identity;
    if (tokenKey === null) return { fault: invalidToken() };
    const key = this.#open(tokenKey, context.owner, 'token-key');
    if ('fault' in key) return key;
    const id = subscriberOfToken(key.bytes, token);
    const row = id === undefined ? undefined : readPerson(app, { id }, context);
    return row === undefined ? { fault: invalidToken() } : { row };
  };

  /** The key that signs an app's tokens: its own, or a new one with its entry. */
  tokenKey(
    { tokenKey }: IdentityKeys,
    fresh: Uint8Array,
    context: Context,
  ):
    | { readonly bytes: Uint8Array; readonly entries: readonly IdentityEntry[] }
    | { readonly fault: Fault } {
    if (tokenKey === null) return { bytes: fresh, entries: [this.newTokenKey(fresh, context)] };
    const opened = this.#open(tokenKey, context.owner, 'token-key');
    return 'fault' in opened ? opened : { ...opened, entries: [] };
  }

  /** Makes 32 random bytes the key of an app's tokens. */
  newTokenKey(fresh: Uint8Array, { owner, rng }: Context): IdentityEntry {
    const text = Buffer.from(fresh).toString('base64url');
    const sealed = this.#sealer.seal(text, identityPlace(owner, 'token-key'), rng);
    return { kind: 'identity.token_key_changed', owner, sealed };
  }

  /** Sets the app's identity secret, and keeps the previous one for a day. */
  newSecret(now: IdentitySecret | null, secret: string, context: Context): IdentityEntry {
    const { owner, rng, nowMs } = context;
    const text = Buffer.from(secret).toString('base64url');
    const sealed = this.#sealer.seal(text, identityPlace(owner, 'secret'), rng);
    const previous =
      now === null ? null : { sealed: now.sealed, untilMs: nowMs + previousSecretMs };
    return { kind: 'identity.secret_changed', owner, secret: { sealed, previous } };
  }

  /** Whether `hash` proves `externalUserId` under the secret, or under a valid previous one. */
  vouches(
    { secret }: IdentityKeys,
    externalUserId: string,
    hash: string,
    { owner, nowMs, ages }: Context,
  ): boolean | { readonly fault: Fault } {
    if (secret === null) return false;
    const given = /^[0-9a-f]{64}$/i.test(hash) ? Buffer.from(hash, 'hex') : Buffer.alloc(32);
    const { previous } = secret;
    const sealed = [secret.sealed];
    const lastSetMs = ages.cutMs(nowMs, previousSecretMs);
    if (previous !== null && lastSetMs < previous.untilMs - previousSecretMs)
      sealed.push(previous.sealed);
    let vouched = false;
    for (const one of sealed) {
      const opened = this.#open(one, owner, 'secret');
      if ('fault' in opened) return opened;
      const right = createHmac('sha256', opened.bytes).update(externalUserId).digest();
      if (timingSafeEqual(right, given)) vouched = true;
    }
    return vouched;
  }

  #open(
    sealed: Uint8Array,
    owner: number,
    name: 'secret' | 'token-key',
  ): { readonly bytes: Buffer } | { readonly fault: Fault } {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return { bytes: known };
    try {
      const text = this.#sealer.open(sealed, identityPlace(owner, name));
      const bytes = Buffer.from(text, 'base64url');
      this.#opened.set(sealed, bytes);
      return { bytes };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      return {
        fault: fault('not_configured', "this app's identity keys cannot be decrypted", {
          detail: error.message,
        }),
      };
    }
  }
}

function invalidToken(): Fault {
  return fault(
    'invalid_client_token',
    'clientToken: is not valid; call POST /v1/sdk/subscriber for a new one',
    { field: 'clientToken' },
  );
}
