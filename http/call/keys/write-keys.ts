// Write keys on the front: makes them, since actors make no secrets, and caches confirmed ones for
// a minute, so that a wrong key is refused before its body is read. A key deleted meanwhile does no
// harm: the app's actor checks it again with the calls.

import { createHash, randomBytes } from 'node:crypto';
import { fault } from '../../../actors/faults.ts';
import type { Asker } from '../../../engine/actor/asker.ts';
import { minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import { type Fault, FaultError } from '../../../engine/base/fault.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import type { CallEdge } from '../call-edge.ts';

const keptMs = minuteMs;
const keptMax = 20_000;

/** Its text, shown once, and what is stored. */
interface MadeWriteKey {
  readonly text: string;
  readonly secretHash: Uint8Array;
}

/** 256 random bits. It needs no id: the address that a platform calls names the app. */
export function makeWriteKey(): MadeWriteKey {
  const text = `wk_${randomBytes(32).toString('base64url')}`;
  return { text, secretHash: hashOf(text) };
}

/** The key that a platform sends, and the app it calls. */
export interface PresentedKey {
  readonly app: { readonly ordinal: Ordinal; readonly id: string };
  readonly secretHash: Uint8Array;
}

/** The hash of an `Authorization: Basic …` header's user name; `undefined` if there is none. */
export function presentedHash(authorization: string): Uint8Array | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization.trim())?.[1];
  if (encoded === undefined) return undefined;
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  return user === '' ? undefined : hashOf(user);
}

/** The hash of a key that a body names; `undefined` if it names none. */
export function namedHash(writeKey: unknown): Uint8Array | undefined {
  return typeof writeKey === 'string' && writeKey !== '' ? hashOf(writeKey) : undefined;
}

export class WriteKeyMemory {
  readonly #router: Pick<Asker, 'ask'>;
  readonly #clock: Clock;
  readonly #credentials: CallEdge['credentials'];
  /** By app and hash: until when it counts as known. In the order they were found. */
  readonly #kept = new Map<string, number>();

  constructor({ router, clock, credentials }: Pick<CallEdge, 'router' | 'clock' | 'credentials'>) {
    this.#router = router;
    this.#clock = clock;
    this.#credentials = credentials;
  }

  isKnown(key: PresentedKey): boolean {
    return (this.#kept.get(nameOf(key)) ?? 0) > this.#clock.now();
  }

  /** Asks the app. An unknown app has no keys. Throws a fault. */
  async look(key: PresentedKey): Promise<boolean> {
    const { app, secretHash } = key;
    const message = { kind: 'cdp.verify', by: -1, namedApp: app.id, secretHash };
    const answer = await this.#router.ask(app.ordinal, message);
    if (!answer.ok && answer.fault.code !== 'not_found') throw new FaultError(answer.fault);
    const isRight = answer.ok && answer.value === true;
    this.forget(key);
    if (isRight) this.#keep(nameOf(key));
    else this.#credentials.remove(app.id, secretHash);
    return isRight;
  }

  forget(key: PresentedKey): void {
    this.#kept.delete(nameOf(key));
  }

  #keep(name: string): void {
    if (this.#kept.size >= keptMax) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    this.#kept.set(name, this.#clock.now() + keptMs);
  }
}

/** The same words whatever was wrong with the key. */
export function noWriteKey(): Fault {
  return fault(
    'unauthorized',
    'missing or invalid write key: send it as the username of HTTP Basic authentication, with an empty password, or as writeKey of the body',
  );
}

function hashOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function nameOf({ app, secretHash }: PresentedKey): string {
  return `${app.id} ${Buffer.from(secretHash).toString('base64')}`;
}
