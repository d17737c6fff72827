// Stripe's calls of a dispatch thread: charges for shards, questions of the front. Holds nothing
// durable: a shard asks again about a charge that was not reported.

import type { Message } from '../../../engine/actor/message.ts';
import type { Log } from '../../../engine/observe/log.ts';
import { SharedInstant } from '../../../engine/thread/shared-word.ts';
import { systemClock } from '../../../engine/time/clock.ts';
import type { Outbound } from '../../channels/outbound/outbound-call.ts';
import type {
  ChargeOrder,
  ChargeReport,
  StripeAnswer,
  StripeQuestion,
} from '../../tenants/billing/stripe/port.ts';
import { StripeDoor } from '../../tenants/billing/stripe/stripe-door.ts';
import type { DispatchData } from './protocol.ts';

export class StripeCalls {
  readonly #door: StripeDoor;
  readonly #report: (shard: number, partition: number, org: number, report: ChargeReport) => void;
  #outbound: Promise<Outbound> | undefined;
  #isEnding = false;

  constructor(
    data: DispatchData,
    log: Log,
    report: (shard: number, partition: number, org: number, report: ChargeReport) => void,
  ) {
    this.#report = report;
    this.#door = new StripeDoor({
      settings: data.stripe,
      outbound: () => (this.#outbound ??= openOutbound(data)),
      onProblem: (what, reason) =>
        log.warn({ evt: 'stripe.problem', what, reason }, 'Stripe did not give a result'),
    });
  }

  /** False if the message is no charge. */
  take(shard: number, message: Message): boolean {
    if (message.kind !== 'stripe.charge') return false;
    void this.#charge(shard, message as ChargeOrder);
    return true;
  }

  /** `undefined` if the message is no question. */
  ask(message: Message): Promise<StripeAnswer> | undefined {
    return message.kind.startsWith('stripe.')
      ? this.#door.ask(message as StripeQuestion)
      : undefined;
  }

  /** What is in flight is not waited for: the next start asks what became of it. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    await (await this.#outbound)?.close(0);
  }

  async #charge(shard: number, order: ChargeOrder): Promise<void> {
    const result = await this.#door.charge(order);
    if (this.#isEnding) return;
    const { partition, org, invoiceId, attempt } = order;
    this.#report(shard, partition, org, {
      kind: 'billing.charged',
      by: -1,
      invoiceId,
      attempt,
      result,
    });
  }
}

async function openOutbound(data: DispatchData): Promise<Outbound> {
  const { createOutbound } = await import('../../channels/outbound/outbound.ts');
  const { withWitnesses } = await import('../../channels/outbound/clock-witness.ts');
  return withWitnesses(
    createOutbound({ allowPrivateNetworks: data.allowPrivateNetworks }),
    new SharedInstant(data.clockAgreed),
    () => systemClock.now(),
  );
}
