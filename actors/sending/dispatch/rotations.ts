// The way back of credentials: what a provider replaced of one goes to the shard that granted it,
// which commits it and says so. What a reader would get wrong: no answer in time is not a refusal.
// The shard may commit it a moment later, so the adapter keeps what it got, uses none of it, and
// asks again.

import type { Message } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { CredentialName } from '../../channels/channel-ids.ts';
import type { RotateCredential, Rotated } from '../../channels/rotation.ts';
import { limits } from '../../limits.ts';
import type { DispatchAnswer } from './protocol.ts';

export interface RotationsOptions {
  /**
   * Which shard and partition an app's credential came from; `undefined` when nothing of it is
   * under way.
   */
  grantedFrom(
    app: Ordinal,
    name: CredentialName,
  ): { readonly shard: number; readonly partition: number } | undefined;
  /** Asks an app's actor behind a shard; the answer comes to `answered`. */
  ask(shard: number, partition: number, app: Ordinal, message: Message, correlation: number): void;
  /** Runs a task after a time, once. */
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

  /** What the shard says. An app that is gone has no credential to keep. */
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
