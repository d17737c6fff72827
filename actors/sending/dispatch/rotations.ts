// Sends rotated credentials back: the shard that granted a credential commits its new value and
// confirms it. No answer in time is not a refusal. The shard may still commit it, so the adapter
// keeps the new value, does not use it, and asks again.

import type { Message } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { CredentialName } from '../../channels/channel-ids.ts';
import type { RotateCredential, Rotated } from '../../channels/port/rotation.ts';
import { limits } from '../../limits.ts';
import type { DispatchAnswer } from './protocol.ts';

interface RotationsOptions {
  /**
   * The shard and partition that granted an app's credential; `undefined` when no send of it is in
   * flight.
   */
  grantedFrom(
    app: Ordinal,
    name: CredentialName,
  ): { readonly shard: number; readonly partition: number } | undefined;
  /** Asks an app's actor on a shard; the answer arrives at `answered`. */
  ask(shard: number, partition: number, app: Ordinal, message: Message, correlation: number): void;
  /** Runs a task once after a time. */
  readonly after: (ms: Millis, task: () => void) => void;
}

/** One dispatch thread's questions about rotated credentials. */
export class Rotations {
  readonly #options: RotationsOptions;
  readonly #waiting = new Map<number, (rotated: Rotated) => void>();
  #correlation = 0;

  constructor(options: RotationsOptions) {
    this.#options = options;
  }

  readonly rotate: RotateCredential = (appId, name, rotation) => {
    const app = parseId('app', appId)?.ordinal;
    const from = app === undefined ? undefined : this.#options.grantedFrom(app, name);
    if (app === undefined || from === undefined || this.#waiting.size >= limits.rotationsWaitingMax)
      return Promise.resolve('unavailable');
    const correlation = ++this.#correlation;
    return new Promise((resolve) => {
      this.#waiting.set(correlation, resolve);
      this.#options.after(limits.rotationWaitMs, () => this.#settle(correlation, 'unavailable'));
      const message = { kind: 'credential.rotate', by: -1, channel: name, ...rotation };
      this.#options.ask(from.shard, from.partition, app, message, correlation);
    });
  };

  /** The shard's answer. A deleted app has no credential to store. */
  answered({ correlation, answer }: DispatchAnswer): void {
    if (answer.ok) this.#settle(correlation, answer.value as Rotated);
    else
      this.#settle(correlation, answer.fault.code === 'not_found' ? 'superseded' : 'unavailable');
  }

  #settle(correlation: number, rotated: Rotated): void {
    this.#waiting.get(correlation)?.(rotated);
    this.#waiting.delete(correlation);
  }
}
