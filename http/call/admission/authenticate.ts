// Authenticates an API key, a session, the operator's bootstrap token, or no credentials. A key or
// session is looked up at its org's owner and cached for a minute; the notice of a deletion drops
// it here before the deleting call is answered. A lookup that a drop overtakes is repeated: its
// answer may be older. The directory says which tokens are worth a look-up at all.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { fault } from '../../../actors/faults.ts';
import { credentialMark } from '../../../actors/tenants/accounts/credential-mark.ts';
import type { KeyGrant, SessionGrant } from '../../../actors/tenants/accounts/protocol.ts';
import { seenEveryMs } from '../../../actors/tenants/sessions/records.ts';
import type { Asker } from '../../../engine/actor/asker.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { type Fault, FaultError } from '../../../engine/base/fault.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import type { CredentialDirectory } from './credential-directory.ts';

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const tokenForm = /^e([ks])_([0-9a-hjkmnp-tv-z]{12})_([A-Za-z0-9_-]{43})$/;
const sessionMark = 'es_';
const keptMs = 60_000;
const unknownKeptMs = 1_000;
const keptMax = 20_000;
const unknownMax = 2_000;

interface Kept {
  readonly grant: KeyGrant;
  readonly keyId: string;
  readonly untilMs: number;
}

/** A new API key or session: its text, shown once, and what is stored. */
interface MadeKey {
  readonly text: string;
  readonly keyId: string;
  readonly secretHash: Uint8Array;
}

/** Bytes of chance in an API key: its id, then its secret. */
export const keyBytes = 38;

/** A new API key. Its id has 48 random bits and 12 of the org's slot, which names the org. */
export function makeKey(slot: number, bytes: Uint8Array = randomBytes(keyBytes)): MadeKey {
  return madeToken('ek_', slot, bytes);
}

/** A new session's token, for its cookie. */
export function makeSession(slot: number): MadeKey {
  return madeToken(sessionMark, slot, randomBytes(keyBytes));
}

function madeToken(mark: string, slot: number, bytes: Uint8Array): MadeKey {
  const random = Buffer.from(bytes.subarray(0, 6));
  let bits = (BigInt(slot) << 48n) | BigInt(`0x${random.toString('hex')}`);
  let keyId = '';
  for (let i = 0; i < 12; i++) {
    keyId = (digits[Number(bits & 31n)] as string) + keyId;
    bits >>= 5n;
  }
  const secret = Buffer.from(bytes.subarray(6, keyBytes)).toString('base64url');
  return { text: `${mark}${keyId}_${secret}`, keyId, secretHash: sha256(secret) };
}

export function slotOfKey(keyId: string): number {
  let bits = 0n;
  for (const letter of keyId) bits = (bits << 5n) | BigInt(digits.indexOf(letter));
  return Number((bits >> 48n) & 4095n);
}

export class Authenticator {
  readonly #router: () => Asker;
  readonly #clock: Clock;
  readonly #directory: CredentialDirectory;
  readonly #bootstrapHash: Uint8Array;
  /** By token, in the order of their lookups. */
  readonly #kept = new Map<string, Kept>();
  readonly #tokensOf = new Map<string, string>();
  /** By key id, while lookups are on their way: how many, and the drops since the first began. */
  readonly #looking = new Map<string, { lookups: number; drops: number }>();
  readonly #listeners: ((keyIds: readonly string[]) => void)[] = [];
  /** Invalid tokens and their expiry. Separate, so that wrong keys never displace valid ones. */
  readonly #unknown = new Map<string, number>();

  constructor(options: {
    readonly router: () => Asker;
    readonly clock: Clock;
    readonly directory: CredentialDirectory;
    readonly bootstrapToken: string;
  }) {
    this.#router = options.router;
    this.#directory = options.directory;
    this.#clock = options.clock;
    this.#bootstrapHash = sha256(options.bootstrapToken);
  }

  /** A token's grant; `null` if missing or invalid, `undefined` if uncached: call `look`. */
  known(token: string): KeyGrant | null | undefined {
    if (token === '') return null;
    const nowMs = this.#clock.now();
    const kept = this.#kept.get(token);
    if (kept !== undefined) return nowMs <= kept.untilMs ? kept.grant : undefined;
    const until = this.#unknown.get(token);
    if (until === undefined) return tokenForm.test(token) ? undefined : null;
    if (nowMs <= until) return null;
    this.#unknown.delete(token);
    return undefined;
  }

  /** Whether somebody may have a token: if not, a look-up is wasted. */
  isListed(token: string): boolean {
    const match = tokenForm.exec(token);
    if (match === null) return false;
    const [, , keyId = '', secret = ''] = match;
    return this.#directory.has(keyId, sha256(secret));
  }

  /** Whether a key or session ended or changed since it was last looked up. */
  isDropped(keyId: string): boolean {
    const kept = this.#kept.get(this.#tokensOf.get(keyId) ?? '');
    return kept?.untilMs === Number.NEGATIVE_INFINITY;
  }

  /** Looks a key up at its owner. `null` if unknown or its secret is wrong. */
  async look(token: string): Promise<KeyGrant | null> {
    const match = tokenForm.exec(token);
    if (match === null) return null;
    const [, mark, keyId, secret] = match as unknown as [string, string, string, string];
    const find = mark === 's' ? 'session.find' : 'key.find';
    const looking = this.#looking.get(keyId) ?? { lookups: 0, drops: 0 };
    this.#looking.set(keyId, looking);
    looking.lookups++;
    const hash = sha256(secret);
    const isListed = this.#directory.has(keyId, hash);
    try {
      for (;;) {
        const { drops } = looking;
        const grant = await this.#find(find, keyId, hash);
        if (looking.drops !== drops) continue;
        if (grant === null) {
          this.#keepUnknown(token);
          if (isListed) this.#directory.remove(keyId, hash); // one made meanwhile stays
        } else {
          this.#keep(token, keyId, grant);
          if (!isListed) this.#directory.add({ marks: [credentialMark(keyId, hash)] });
        }
        return grant;
      }
    } finally {
      if (--looking.lookups === 0) this.#looking.delete(keyId);
    }
  }

  async #find(
    kind: 'key.find' | 'session.find',
    keyId: string,
    hash: Uint8Array,
  ): Promise<KeyGrant | null> {
    const answer = await this.#router().ask(slotOfKey(keyId), {
      kind,
      by: -1,
      keyId,
    } as never);
    if (!answer.ok) throw new FaultError(answer.fault);
    const found = answer.value as KeyGrant | null;
    // An unknown id is compared too, so that it takes as long as a wrong secret.
    const matches = timingSafeEqual(hash, found?.secretHash ?? new Uint8Array(32));
    if (found === null || !matches) return null;
    if (found.session !== undefined) this.#touch(found.session);
    return { ...found, keyId };
  }

  /** Notes that a session is in use; look-ups are once a minute, so this is rare. */
  #touch({ keyId, seenMs }: SessionGrant): void {
    if (this.#clock.now() - seenMs < seenEveryMs) return;
    const message = { kind: 'session.touch', by: -1, keyId } as Message;
    this.#router().askThen(slotOfKey(keyId), message, { lane: 'bulk' }, () => undefined);
  }

  /** Whether a token is the operator's. Takes constant time. */
  isBootstrap(token: string): boolean {
    return timingSafeEqual(sha256(token), this.#bootstrapHash);
  }

  /** `listener` hears of keys and sessions that ended or changed. */
  whenDropped(listener: (keyIds: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Expires cached grants. */
  drop(keyIds: readonly string[]): void {
    for (const keyId of keyIds) {
      const looking = this.#looking.get(keyId);
      if (looking !== undefined) looking.drops++;
      const token = this.#tokensOf.get(keyId);
      const kept = token === undefined ? undefined : this.#kept.get(token);
      if (token !== undefined && kept !== undefined)
        this.#kept.set(token, { ...kept, untilMs: Number.NEGATIVE_INFINITY });
    }
    for (const listener of this.#listeners) listener(keyIds);
  }

  /** Expires the cached grants of orgs in these slots: another server hears of their changes. */
  dropOf(isOver: (slot: number) => boolean): void {
    this.drop([...this.#tokensOf.keys()].filter((keyId) => isOver(slotOfKey(keyId))));
  }

  #keep(token: string, keyId: string, grant: KeyGrant): void {
    this.#kept.delete(token);
    if (this.#kept.size >= keptMax) {
      const [oldest] = this.#kept;
      if (oldest !== undefined) this.#forget(oldest[0], oldest[1].keyId);
    }
    const endMs = grant.session?.expiresMs ?? Number.POSITIVE_INFINITY;
    const untilMs = Math.min(this.#clock.now() + keptMs, endMs);
    this.#kept.set(token, { grant, keyId, untilMs });
    this.#tokensOf.set(keyId, token);
  }

  #keepUnknown(token: string): void {
    const kept = this.#kept.get(token);
    if (kept !== undefined) this.#forget(token, kept.keyId);
    if (this.#unknown.size >= unknownMax) this.#unknown.clear();
    this.#unknown.set(token, this.#clock.now() + unknownKeptMs);
  }

  #forget(token: string, keyId: string): void {
    this.#kept.delete(token);
    this.#tokensOf.delete(keyId);
  }
}

/** The token of an `Authorization: Bearer …` header, or an empty string. No session's. */
export function bearer(header: string): string {
  const isBearer = header.startsWith('Bearer ') || header.startsWith('bearer ');
  const token = isBearer ? header.slice(7).trim() : '';
  return token.startsWith(sessionMark) ? '' : token;
}

/**
 * The key as libraries of other services show it: `Bearer key`, `Key key`, `Basic key`, and Basic
 * with a name and the key as its password, or with the key as its name.
 */
export function keyOfScheme(header: string): string {
  const [, scheme = '', shown = ''] = /^(bearer|key|basic)\s+(\S+)\s*$/i.exec(header) ?? [];
  const { name, password } = basicOf(header);
  const isBasic = scheme.toLowerCase() === 'basic' && !shown.startsWith('ek_');
  const token = isBasic ? password || name : shown;
  return token.startsWith(sessionMark) ? '' : token;
}

/** Name and password of `Basic`; empty ones for another scheme. */
export function basicOf(header: string): { readonly name: string; readonly password: string } {
  const encoded = /^basic\s+([A-Za-z0-9+/_-]+=*)\s*$/i.exec(header)?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  return at < 0
    ? { name: text, password: '' }
    : { name: text.slice(0, at), password: text.slice(at + 1) };
}

/** Whether it may be an API key or a session. */
export function isTokenForm(token: string): boolean {
  return tokenForm.test(token);
}

/** Whether it is a session's, or looks so. */
export function isSessionToken(token: string): boolean {
  return token.startsWith(sessionMark);
}

/** The id in a key's token, which is no secret; empty for what is no key. */
export function keyIdOf(token: string): string {
  return tokenForm.exec(token)?.[2] ?? '';
}

/** The same words whatever is wrong with a key; others where none was sent. */
export function unauthorized(isSent = true): Fault {
  return fault(
    'unauthorized',
    isSent
      ? 'invalid API key: it is misspelled, or was deleted'
      : 'missing API key: send it as `Authorization: Bearer <API_KEY>`',
  );
}

export function notOperator(): Fault {
  return fault(
    'unauthorized',
    'this route needs the bootstrap token, not an API key: send it as `Authorization: Bearer <TOKEN>`; it is the value of `ENGAGE_BOOTSTRAP_TOKEN`, or of the file `<data dir>/bootstrap-token`',
  );
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
