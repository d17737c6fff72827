// Receivers of outbound webhooks: most take what comes, some fail or time out. A delivery has the
// same bytes at every attempt, and none leaves again once its receiver took it and the process
// lived to hear of it.

import type {
  WebhookAttempt,
  WebhookResult,
} from '../../actors/integrations/webhooks/call/attempt.ts';
import { WebhookCalls } from '../../actors/integrations/webhooks/calls.ts';
import { storedPayload } from '../../actors/integrations/webhooks/payload.ts';
import type { Message } from '../../engine/actor/message.ts';
import { fraction, type Rng } from '../../engine/base/rng.ts';
import { coin } from './chance.ts';
import type { Findings } from './invariants.ts';
import type { ThreadsWorld } from './process-world.ts';
import type { Timeline } from './timeline.ts';
import type { StrictOrder } from './webhook-order.ts';

interface ReceiversOptions {
  readonly timeline: Timeline;
  readonly rng: Rng;
  readonly findings: Findings;
  readonly note: (text: string) => void;
  readonly onPromise: () => void;
  /** Everybody takes everything. */
  readonly isHealed: () => boolean;
  readonly order: Pick<StrictOrder, 'began' | 'ended' | 'retriesOf'>;
}

export class Receivers {
  readonly #options: ReceiversOptions;
  /** By delivery: its bytes, and the life and the series in which the process heard of success. */
  readonly #bodies = new Map<string, Buffer>();
  readonly #taken = new Map<string, string>();

  constructor(options: ReceiversOptions) {
    this.#options = options;
  }

  /** `life`: of the process that calls; `isAlive`: whether it can still hear the answer. */
  deliver(
    { deliveryId, event, body, receiver }: WebhookAttempt,
    life: number,
    isAlive: () => boolean,
  ): Promise<WebhookResult> {
    const { timeline, rng, findings, note, onPromise, order } = this.#options;
    const before = this.#bodies.get(deliveryId) ?? body;
    this.#bodies.set(deliveryId, before);
    order.began(deliveryId, life);
    const series = `${life} ${order.retriesOf(deliveryId)}`;
    findings.expect(
      before.equals(body),
      'webhook_once',
      () => `delivery ${deliveryId} has other bytes than before`,
    );
    findings.expect(
      this.#taken.get(deliveryId) !== series,
      'webhook_once',
      () => `delivery ${deliveryId} was taken, and leaves again`,
    );
    const result = this.#answer(receiver.url);
    note(`webhook ${event} ${deliveryId} -> ${result.status ?? result.error}`);
    const tookMs = result.error === 'timeout' ? 10_000 : fraction(rng) * 50;
    return new Promise((resolve) => {
      timeline.after(tookMs, () => {
        if (!isAlive()) return;
        order.ended(deliveryId, life);
        if (result.status === 200) this.#taken.set(deliveryId, series);
        resolve(result);
        onPromise();
      });
    });
  }

  /** The bytes that a receiver got of a delivery. */
  bodyOf(deliveryId: string): Buffer | undefined {
    return this.#bodies.get(deliveryId);
  }

  /** One at `down` takes nothing, one at `gone` often says that it is no more. */
  #answer(url: string): WebhookResult {
    const { rng, isHealed } = this.#options;
    const drawn = fraction(rng);
    if (isHealed()) return taken;
    if (url.startsWith('https://down.') || drawn < 0.1) return notNow;
    if (drawn < 0.15)
      return { status: undefined, error: 'timeout', durationMs: 10_000, answer: '' };
    return url.startsWith('https://gone.') && coin(rng, 0.5) ? gone : taken;
  }
}

const taken: WebhookResult = { status: 200, error: undefined, durationMs: 2, answer: '' };
const notNow: WebhookResult = { status: 500, error: 'status', durationMs: 3, answer: 'not now' };
const gone: WebhookResult = { status: 410, error: 'status', durationMs: 3, answer: '' };

/** The calls of one dispatch thread of a process. */
export function simulatedCalls(
  world: ThreadsWorld,
  later: (delayMs: number, task: () => void) => void,
  report: (shard: number, partition: number, app: number, message: Message) => void,
): WebhookCalls {
  return new WebhookCalls({
    deliver: world.receiver(),
    bodyOf: (_type, event, id) => storedPayload(event, id),
    onBug: (error) => {
      throw error;
    },
    now: () => world.clock.now(),
    defer: (task) => later(0.1, task),
    report,
  });
}
