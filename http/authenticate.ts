// Who is calling: an API key, the operator's bootstrap token, or nobody. Keys are looked up at their org's owner and
// kept for a minute; a deleted key is dropped by a notice that reaches this thread before the deleter's answer.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyGrant } from '../actors/accounts/protocol.ts';
import { fault } from '../actors/faults.ts';
import type { Router } from '../engine/actor/router.ts';
import { FaultError } from '../engine/base/fault.ts';
import type { Clock } from '../engine/time/clock.ts';

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const keyForm = /^ek_([0-9a-hjkmnp-tv-z]{12})_([A-Za-z0-9_-]{43})$/;
const keptMs = 60_000;
const unknownKeptMs = 1_000;
const keptMax = 20_000;

interface Kept {
  readonly grant: KeyGrant | null;
  readonly keyId: string;
  readonly untilMs: number;
}

/** A new API key: its text for the caller, shown once, and what is stored. */
export interface MadeKey {
  readonly text: string;
  readonly keyId: string;
  readonly secretHash: Uint8Array;
}

/** Makes an API key whose id leads to the org's slot without a look-up: 12 bits of slot and 48 random ones. */
export function makeKey(slot: number): MadeKey {
  const random = randomBytes(6);
  let bits = (BigInt(slot) << 48n) | BigInt(`0x${random.toString('hex')}`);
  let keyId = '';
  for (let i = 0; i < 12; i++) {
    keyId = (digits[Number(bits & 31n)] as string) + keyId;
    bits >>= 5n;
  }
  const secret = randomBytes(32).toString('base64url');
  return { text: `ek_${keyId}_${secret}`, keyId, secretHash: sha256(secret) };
}

/** The slot that a key id carries. */
export function slotOfKey(keyId: string): number {
  let bits = 0n;
  for (const letter of keyId) bits = (bits << 5n) | BigInt(digits.indexOf(letter));
  return Number((bits >> 48n) & 4095n);
}

/** Compares two secrets in constant time, whatever their lengths. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

/** The front's knowledge of keys. */
export class Authenticator {
  readonly #router: () => Router;
  readonly #clock: Clock;
  readonly #bootstrapToken: string;
  readonly #kept = new Map<string, Kept>();
  readonly #tokensOf = new Map<string, Set<string>>();

  constructor(options: {
    readonly router: () => Router;
    readonly clock: Clock;
    readonly bootstrapToken: string;
  }) {
    this.#router = options.router;
    this.#clock = options.clock;
    this.#bootstrapToken = options.bootstrapToken;
  }

  /** The grant of a Bearer token if it is known already; `undefined` means: ask with `look`. */
  known(token: string): KeyGrant | null | undefined {
    const kept = this.#kept.get(token);
    if (kept === undefined) return undefined;
    if (kept.untilMs < this.#clock.now()) {
      this.#forget(token, kept);
      return undefined;
    }
    return kept.grant;
  }

  /** Looks a key up at its owner; `null` for one that does not exist or whose secret is wrong. */
  async look(token: string): Promise<KeyGrant | null> {
    const match = keyForm.exec(token);
    if (match === null) return null;
    const [, keyId, secret] = match as unknown as [string, string, string];
    const answer = await this.#router().ask(slotOfKey(keyId), {
      kind: 'key.find',
      by: -1,
      keyId,
    } as never);
    if (!answer.ok) throw new FaultError(answer.fault);
    const found = answer.value as KeyGrant | null;
    const hash = sha256(secret);
    // An unknown id is compared too, so that it takes as long as a wrong secret.
    const matches = timingSafeEqual(hash, found?.secretHash ?? new Uint8Array(32));
    const grant = found !== null && matches ? found : null;
    this.#keep(token, keyId, grant);
    return grant;
  }

  isBootstrap(token: string): boolean {
    return sameSecret(token, this.#bootstrapToken);
  }

  /** Forgets keys that changed. */
  drop(keyIds: readonly string[]): void {
    for (const keyId of keyIds) {
      for (const token of this.#tokensOf.get(keyId) ?? []) this.#kept.delete(token);
      this.#tokensOf.delete(keyId);
    }
  }

  #keep(token: string, keyId: string, grant: KeyGrant | null): void {
    if (this.#kept.size >= keptMax) {
      this.#kept.clear();
      this.#tokensOf.clear();
    }
    const untilMs = this.#clock.now() + (grant === null ? unknownKeptMs : keptMs);
    this.#kept.set(token, { grant, keyId, untilMs });
    const tokens = this.#tokensOf.get(keyId) ?? new Set();
    tokens.add(token);
    this.#tokensOf.set(keyId, tokens);
  }

  #forget(token: string, kept: Kept): void {
    this.#kept.delete(token);
    const tokens = this.#tokensOf.get(kept.keyId);
    tokens?.delete(token);
    if (tokens?.size === 0) this.#tokensOf.delete(kept.keyId);
  }
}

/** The token of an `Authorization: Bearer …` header, or an empty string. */
export function bearer(header: string): string {
  return header.startsWith('Bearer ') || header.startsWith('bearer ') ? header.slice(7).trim() : '';
}

/** The refusal of a call without a valid key: the same words whatever was wrong with it. */
export function unauthorized(): FaultError {
  return new FaultError(
    fault('unauthorized', 'no valid API key: send it as `Authorization: Bearer <API_KEY>`'),
  );
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
