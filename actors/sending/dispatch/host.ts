// A dispatch thread: the adapters, the dispatcher, and a link to every shard.

import type { Message } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { systemRng } from '../../../engine/base/rng.ts';
import { createLog, type Log } from '../../../engine/observe/log.ts';
import type { HostedStart } from '../../../engine/thread/host.ts';
import { Link } from '../../../engine/thread/link.ts';
import { SharedInstant } from '../../../engine/thread/shared-word.ts';
import {
  type AnswerItem,
  type GrantItem,
  type OutcomeItem,
  type RequestItem,
  threadItself,
} from '../../../engine/thread/wire.ts';
import { systemClock } from '../../../engine/time/clock.ts';
import { loadMasterKeys } from '../../../storage/secrets.ts';
import type { Adapter } from '../../channels/adapter.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { unsubscribeUrl } from '../../channels/email/unsubscribe.ts';
import { adaptersOnDemand } from '../../channels/on-demand.ts';
import type { Outbound } from '../../channels/outbound/outbound-call.ts';
import type { RegisterWebhook, WebhookRegistration } from '../../channels/outcome.ts';
import { mailPurpose, textSealer } from '../../sealer.ts';
import type {
  ChargeOrder,
  ChargeReport,
  StripeQuestion,
} from '../../tenants/billing/stripe/port.ts';
import { StripeDoor } from '../../tenants/billing/stripe/stripe-door.ts';
import type { DispatchGrant } from '../transactional/protocol.ts';
import { Dispatcher } from './dispatcher.ts';
import type {
  DispatchAnswer,
  DispatchData,
  DispatchRecall,
  DispatchWave,
  PollResults,
} from './protocol.ts';
import { Rotations } from './rotations.ts';

type Received =
  | DispatchGrant
  | DispatchWave
  | DispatchRecall
  | DispatchAnswer
  | PollResults
  | ChargeOrder;

/** What a later house has called in a dispatch thread. */
interface MoreCalls {
  /** False if the message is none of its own. */
  take(shard: number, message: Message): boolean;
  recall(recall: DispatchRecall): void;
  /** Hands back what has not begun; resolves when nothing is in flight. */
  stop(): Promise<void>;
}

export type MakeMoreCalls = (thread: {
  readonly allowPrivateNetworks: boolean;
  readonly defer: (task: () => void) => void;
  readonly report: (shard: number, partition: number, app: Ordinal, report: Message) => void;
}) => MoreCalls;

/** Runs a dispatcher behind its ports: `ports[i]` leads to shard `i`. */
export async function hostDispatcher(
  { port, ports, data }: HostedStart<DispatchData>,
  makeMore: MakeMoreCalls,
): Promise<() => Promise<void>> {
  const log = createLog({ level: data.logLevel, thread: `dispatch-${data.index}` });
  let opened: Promise<Outbound> | undefined;
  const outbound = () => (opened ??= openOutbound(data));
  const { adapters, close } = adaptersOf(
    data,
    outbound,
    (...rotation) => rotations.rotate(...rotation),
    () => sealer.keysFor(mailPurpose),
  );
  const stripe = new StripeDoor({
    settings: data.stripe,
    outbound,
    onProblem: (what, reason) =>
      log.warn({ evt: 'stripe.problem', what, reason }, 'Stripe did not give a result'),
  });
  const sealer = textSealer(
    loadMasterKeys({ env: { ENGAGE_MASTER_KEY: data.masterKey }, dataDir: data.dataDir }).value,
  );
  const rng = systemRng();
  const shards: Link<OutcomeItem, GrantItem>[] = [];
  const after = (ms: number, task: () => void) => void setTimeout(task, ms).unref();
  const rotations = new Rotations({
    grantedFrom: (app, name) => dispatcher.grantedFrom(app, name),
    ask: (shard, ...question) => shards[shard]?.send(question),
    after,
  });
  const dispatcher = new Dispatcher({
    adapters,
    clock: systemClock,
    defer: setImmediate,
    after,
    onBug: (error, channel) =>
      log.error({ evt: 'dispatch.adapter_bug', channel, err: error }, 'an adapter threw'),
    report: (shard, partition, app, report) => {
      shards[shard]?.send([partition, app, report]);
    },
    recalls: data.recalls,
    unsubscribeUrl: (app, address) =>
      unsubscribeUrl(data.publicUrl, sealer, app, address, true, rng),
  });
  const more = makeMore({
    allowPrivateNetworks: data.allowPrivateNetworks,
    defer: setImmediate,
    report: (shard, partition, app, report) => shards[shard]?.send([partition, app, report]),
  });
  for (const [index, shardPort] of ports.entries()) {
    shards.push(
      new Link<OutcomeItem, GrantItem>(shardPort, (item) => {
        const received = item as Received;
        if (received.kind === 'stripe.charge') void charge(index, received);
        else if (received.kind === 'dispatch.answer') rotations.answered(received);
        else if (received.kind === 'dispatch.recall') {
          dispatcher.recall(index, received);
          more.recall(received);
        } else if (!more.take(index, received)) dispatcher.grant(index, received);
      }),
    );
  }
  let isEnding = false;
  const charge = async (shard: number, order: ChargeOrder) => {
    const result = await stripe.charge(order);
    if (isEnding) return; // the next start asks again
    const { partition, org, invoiceId, attempt } = order;
    const report: ChargeReport = { kind: 'billing.charged', by: -1, invoiceId, attempt, result };
    shards[shard]?.send([partition, org, report]);
  };
  const front = new Link<AnswerItem, RequestItem>(port, ([correlation, , , , , message]) => {
    if (message.kind === 'thread.figures')
      front.send([correlation, { ok: true, value: dispatcher.figures }]);
    if (message.kind.startsWith('stripe.'))
      void stripe
        .ask(message as StripeQuestion)
        .then((value) => front.send([correlation, { ok: true, value }]));
    if (message.kind === 'webhook.register')
      void register(adapters, message as RegisterWebhook, log).then((value) =>
        front.send([correlation, { ok: true, value }]),
      );
  });
  return async () => {
    await Promise.all([dispatcher.stop(), more.stop()]);
    isEnding = true;
    for (const link of shards) {
      link.send([threadItself, 0, { kind: 'dispatch.ended' }]);
      link.flush();
    }
    await Promise.all([...adapters.values()].map((adapter) => adapter.close()));
    await close();
    await (await opened)?.close();
  };
}

/** The real adapters, loaded with the first call. */
function adaptersOf(
  data: DispatchData,
  outbound: () => Promise<Outbound>,
  rotate: Rotations['rotate'],
  mailKeys: () => readonly Uint8Array[],
): ReturnType<typeof adaptersOnDemand> {
  return adaptersOnDemand(async () => {
    const { createAdapters } = await import('../../channels/registry.ts');
    const made = createAdapters(data.providers, await outbound(), systemClock, rotate, mailKeys());
    return { adapters: await made, close: async () => undefined };
  });
}

/** The HTTP client of all adapters, and of Stripe. */
async function openOutbound({
  allowPrivateNetworks,
  clockAgreed,
}: DispatchData): Promise<Outbound> {
  const { createOutbound } = await import('../../channels/outbound/outbound.ts');
  const { withWitnesses } = await import('../../channels/outbound/clock-witness.ts');
  return withWitnesses(
    createOutbound({ allowPrivateNetworks }),
    new SharedInstant(clockAgreed),
    () => systemClock.now(),
  );
}

async function register(
  adapters: ReadonlyMap<ChannelId, Adapter>,
  { channel, url, credentials }: RegisterWebhook,
  log: Log,
): Promise<WebhookRegistration> {
  try {
    const done = await adapters.get(channel)?.registerWebhook?.(url, credentials);
    return done ?? { registered: false, reason: 'not_supported' };
  } catch (error) {
    log.error({ evt: 'dispatch.adapter_bug', channel, err: error }, 'an adapter threw');
    return { registered: false, reason: 'internal' };
  }
}
