// Opens and seals an app's identity keys. Opening is the expensive part of a check, so it is cached
// by the sealed bytes: a new key is a new array, so nothing is ever stale.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../engine/actor/message.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { SealError } from '../../../storage/sealed.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { fault } from '../../faults.ts';
import { identityPlace, type Sealer } from '../../sealer.ts';
import { readPerson } from '../audience/find-person.ts';
import type { TokenReads } from '../audience/read-token.ts';
import type { IdentityKeys, IdentitySecret } from '../identity-keys.ts';
import { readClientToken } from './client-token.ts';
import type { IdentityEntry } from './protocol.ts';
import { isSessionOpen, proofGraceMs, type Session } from './sessions.ts';

/** A valid client token. */
export interface Bearer {
  readonly row: SubscriberRow;
  readonly session: Session;
  readonly isProven: boolean;
}

export class Keyring {
  readonly #sealer: Sealer;
  readonly #opened = new WeakMap<Uint8Array, Buffer>();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** The person of a client token. The fault does not show why a token is invalid. */
  readonly read = (
    app: TokenReads,
    token: string,
    context: Context,
  ): Bearer | { readonly fault: Fault } => {
    const { tokenKey } = app.identity;
    if (tokenKey === null) return { fault: invalidToken() };
    const key = this.#open(tokenKey, context.owner, 'token-key');
    if ('fault' in key) return key;
    const named = readClientToken(key.bytes, token);
    if (named === undefined) return { fault: invalidToken() };
    const { subscriberId: id, session } = named;
    const row = readPerson(app, { id }, context);
    // A merge ends the tokens of the person who was merged, so an alias is not enough.
    if (row?.id !== id || !isSessionOpen(app, row, session, context))
      return { fault: invalidToken() };
    return { row, session, isProven: session.proof > 0 };
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
    const previous = now === null ? null : { sealed: now.sealed, untilMs: nowMs + proofGraceMs };
    const number = now === null ? 1 : (now.number ?? 1) + 1;
    const next: IdentitySecret = { sealed, number, madeMs: nowMs, previous };
    return { kind: 'identity.secret_changed', owner, secret: next };
  }

  /**
   * The number of the secret under which `hash` proves `externalUserId`: the newest, or a valid
   * previous one. 0 if it proves nothing.
   */
  vouches(
    { secret }: IdentityKeys,
    externalUserId: string,
    hash: string,
    { owner, nowMs, ages }: Context,
  ): number | { readonly fault: Fault } {
    if (secret === null) return 0;
    const given = /^[0-9a-f]{64}$/i.test(hash) ? Buffer.from(hash, 'hex') : Buffer.alloc(32);
    const { previous } = secret;
    const sealed = [secret.sealed];
    const lastSetMs = ages.cutMs(nowMs, proofGraceMs);
    if (previous !== null && lastSetMs < previous.untilMs - proofGraceMs)
      sealed.push(previous.sealed);
    const newest = secret.number ?? 1;
    let proof = 0;
    for (const [age, one] of sealed.entries()) {
      const opened = this.#open(one, owner, 'secret');
      if ('fault' in opened) return opened;
      const right = createHmac('sha256', opened.bytes).update(externalUserId).digest();
      if (timingSafeEqual(right, given)) proof = Math.max(proof, newest - age);
    }
    return proof;
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
