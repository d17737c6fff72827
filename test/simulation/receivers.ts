// Receivers of outbound webhooks: most take what comes, some fail or time out. A delivery has the
// same bytes at every attempt, and none leaves again once its receiver took it and the process
// lived to hear of it.

import { hash } from 'node:crypto';
import type {
  WebhookAttempt,
  WebhookResult,
} from '../../actors/integrations/webhooks/call/attempt.ts';
import { WebhookCalls } from '../../actors/integrations/webhooks/calls.ts';
import { storedPayload } from '../../actors/integrations/webhooks/payload.ts';
import type { Message } from '../../engine/actor/message.ts';
import { fraction, type Rng } from '../../engine/base/rng.ts';
import type { Findings } from './invariants.ts';
import type { ProcessWorld } from './process-world.ts';
import type { Timeline } from './timeline.ts';

interface ReceiversOptions {
  readonly timeline: Timeline;
  readonly rng: Rng;
  readonly findings: Findings;
  readonly note: (text: string) => void;
  readonly onPromise: () => void;
}

export class Receivers {
  readonly #options: ReceiversOptions;
  /** By delivery: the hash of its bytes, and the life of the process that heard of its success. */
  readonly #bodies = new Map<string, string>();
  readonly #taken = new Map<string, number>();

  constructor(options: ReceiversOptions) {
    this.#options = options;
  }

  /** `life`: of the process that calls; `isAlive`: whether it can still hear the answer. */
  deliver(
    { deliveryId, event, body }: WebhookAttempt,
    life: number,
    isAlive: () => boolean,
  ): Promise<WebhookResult> {
    const { timeline, rng, findings, note, onPromise } = this.#options;
    const bytes = hash('sha256', body);
    const before = this.#bodies.get(deliveryId) ?? bytes;
    this.#bodies.set(deliveryId, before);
    findings.expect(
      before === bytes,
      'webhook_once',
      () => `delivery ${deliveryId} has other bytes than before`,
    );
    findings.expect(
      this.#taken.get(deliveryId) !== life,
      'webhook_once',
      () => `delivery ${deliveryId} was taken, and leaves again`,
    );
    const drawn = fraction(rng);
    const result: WebhookResult =
      drawn < 0.1
        ? { status: 500, error: 'status', durationMs: 3, answer: 'not now' }
        : drawn < 0.15
          ? { status: undefined, error: 'timeout', durationMs: 10_000, answer: '' }
          : { status: 200, error: undefined, durationMs: 2, answer: '' };
    note(`webhook ${event} ${deliveryId} -> ${result.status ?? result.error}`);
    const tookMs = result.error === 'timeout' ? 10_000 : fraction(rng) * 50;
    return new Promise((resolve) => {
      timeline.after(tookMs, () => {
        if (!isAlive()) return;
        if (result.status === 200) this.#taken.set(deliveryId, life);
        resolve(result);
        onPromise();
      });
    });
  }
}

/** The calls of one dispatch thread of a process. */
export function simulatedCalls(
  world: ProcessWorld,
  later: (delayMs: number, task: () => void) => void,
  report: (shard: number, partition: number, app: number, message: Message) => void,
): WebhookCalls {
  return new WebhookCalls({
    deliver: world.receiver(),
    bodyOf: (_type, event, id) => storedPayload(event, id),
    now: () => world.clock.now(),
    defer: (task) => later(0.1, task),
    report,
  });
}
