// Signatures of a delivery: HMAC-SHA256 of the body, of `<timestamp>.<body>`, and as Standard
// Webhooks says. Ours are keyed with the secret's characters as they are shown; Standard Webhooks
// with the decoded bytes of a `whsec_` secret, or the characters of any other. No I/O.

import { HmacSha256, hmacRoomBytes } from '../../../../engine/base/hmac.ts';
import type { WebhookReceiver } from './attempt.ts';

/** Starts a secret in the form of Standard Webhooks; base64 follows. */
const secretPrefix = 'whsec_';
/** Between the room of an HMAC and the body: a delivery's id, an instant, and two dots. */
const startBytesMax = 128;
const bodyAt = hmacRoomBytes + startBytesMax;

interface Keys {
  readonly own: HmacSha256;
  /** The current one first. */
  readonly standard: readonly HmacSha256[];
}

const keysOf = new WeakMap<WebhookReceiver, Keys>();
/** Room for a body and what is signed before it; every call of a thread writes it anew. */
let room = Buffer.allocUnsafe(8_192);

/** Signs one body for a receiver with at least one secret, before another body is signed. */
export class Signing {
  readonly #keys: Keys;
  readonly #end: number;

  constructor(receiver: WebhookReceiver, body: Buffer) {
    this.#keys = rememberedKeys(receiver);
    this.#end = bodyAt + body.length;
    if (this.#end > room.length) room = Buffer.allocUnsafe(2 * this.#end);
    room.set(body, bodyAt);
  }

  /** Of the body alone: `x-engage-signature`. Lower-case hex. */
  ofBody(): string {
    return this.#keys.own.sign(this.#signed(''), 'hex');
  }

  /** Of `<timestamp>.<body>`: `x-engage-signature-v2`. Lower-case hex. */
  timed(timestamp: string): string {
    return this.#keys.own.sign(this.#signed(`${timestamp}.`), 'hex');
  }

  /** `webhook-signature`: `v1,` and base64 for each secret, with a space between. */
  standard(deliveryId: string, timestamp: string): string {
    const start = `${deliveryId}.${timestamp}.`;
    const { standard } = this.#keys;
    return standard.map((key) => `v1,${key.sign(this.#signed(start), 'base64')}`).join(' ');
  }

  /** Free room, the start, and the body. */
  #signed(start: string): Buffer {
    const at = bodyAt - start.length;
    room.write(start, at, 'latin1');
    return room.subarray(at - hmacRoomBytes, this.#end);
  }
}

function rememberedKeys(receiver: WebhookReceiver): Keys {
  let keys = keysOf.get(receiver);
  if (keys === undefined) {
    const { secrets } = receiver;
    const [current = ''] = secrets;
    keys = {
      own: new HmacSha256(Buffer.from(current)),
      standard: secrets.map((secret) => new HmacSha256(standardKey(secret))),
    };
    keysOf.set(receiver, keys);
  }
  return keys;
}

function standardKey(secret: string): Buffer {
  return secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret);
}
