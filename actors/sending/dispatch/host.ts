// A dispatch thread: the adapters, the dispatcher, and a link to every shard.

import { Resolver } from 'node:dns/promises';
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
import type { ChannelId } from '../../channels/channel-ids.ts';
import { unsubscribeUrl } from '../../channels/email/unsubscribe.ts';
import { adaptersOnDemand } from '../../channels/on-demand.ts';
import type { Adapter } from '../../channels/port/adapter.ts';
import { credentialFails } from '../../channels/port/credential-check.ts';
import type { OpenRelay } from '../../channels/port/open-relay.ts';
import type {
  CheckCredential,
  CredentialCheck,
  RegisterWebhook,
  TrialResult,
  TryRelay,
  WebhookRegistration,
} from '../../channels/port/outcome.ts';
import { preferencesUrl } from '../../people/preferences-link.ts';
import { mailPurpose, type Sealer, textSealer } from '../../sealer.ts';
import type { DispatchGrant } from '../outbox/protocol.ts';
import { Dispatcher } from './dispatcher.ts';
import { MailboxLookup, type ResolveExchangers } from './mailbox-lookup.ts';
import { type MayCall, mayCallOf } from './may-call.ts';
import type {
  DispatchAnswer,
  DispatchData,
  DispatchDisowned,
  DispatchRecall,
  DispatchWave,
  PollResults,
} from './protocol.ts';
import { Rotations } from './rotations.ts';
import { StripeCalls } from './stripe-calls.ts';
import { receivedGrant } from './wave-crossing.ts';

type Received =
  | DispatchGrant
  | DispatchWave
  | DispatchRecall
  | DispatchDisowned
  | DispatchAnswer
  | PollResults;

/** What a later house has called in a dispatch thread. */
interface MoreCalls<More> {
  /** False if the message is none of its own. */
  take(shard: number, message: Message): boolean;
  recall(recall: DispatchRecall): void;
  /** See `DispatchDisowned`. */
  disown(partition: number): void;
  /** Shown with the dispatcher's. */
  readonly figures: More;
  /** Hands back what has not begun; resolves when nothing is in flight. */
  stop(): Promise<void>;
}

export type MakeMoreCalls<More> = (thread: {
  readonly allowPrivateNetworks: boolean;
  readonly mayCall?: MayCall | undefined;
  readonly onBug: (error: unknown) => void;
  readonly defer: (task: () => void) => void;
  readonly report: (shard: number, partition: number, app: Ordinal, report: Message) => void;
}) => MoreCalls<More>;

/** Runs a dispatcher behind its ports: `ports[i]` leads to shard `i`. */
export async function hostDispatcher<More>(
  { port, ports, data }: HostedStart<DispatchData>,
  makeMore: MakeMoreCalls<More>,
): Promise<() => Promise<void>> {
  const log = createLog({ level: data.logLevel, thread: `dispatch-${data.index}` });
  const { adapters, close } = adaptersOf(
    data,
    (...rotation) => rotations.rotate(...rotation),
    () => sealer.keysFor(mailPurpose),
  );
  const sealer = sealerOf(data);
  const rng = systemRng();
  const shards: Link<OutcomeItem, GrantItem>[] = [];
  const rotations = new Rotations({
    grantedFrom: (app, name) => dispatcher.grantedFrom(app, name),
    ask: (shard, ...question) => shards[shard]?.send(question),
    after,
  });
  const mailboxes = new MailboxLookup(exchangersBy(data.dnsServers), () => systemClock.now());
  const onRead = (shard: number, records: Uint8Array) => shards[shard]?.giveBack(records);
  const dispatcher = new Dispatcher({
    adapters,
    clock: systemClock,
    defer: setImmediate,
    after,
    onBug: (error, channel) =>
      log.error({ evt: 'dispatch.adapter_bug', channel, err: error }, 'an adapter threw'),
    report: (shard, ...report) => shards[shard]?.send(report),
    ...{ recalls: data.recalls, holds: data.holds, paces: data.paces, onRead, mailboxes },
    mayCall: mayCallOf(data.leases),
    unsubscribeUrl: (app, address, about) =>
      unsubscribeUrl(data.publicUrl, sealer, app, address, true, rng, about),
    preferencesUrl: (link) => preferencesUrl(data.publicUrl, sealer, link, rng),
  });
  const more = makeMore({
    allowPrivateNetworks: data.allowPrivateNetworks,
    mayCall: mayCallOf(data.leases),
    onBug: (error) => log.error({ evt: 'dispatch.webhook_bug', err: error }, 'a webhook threw'),
    defer: setImmediate,
    report: (shard, ...report) => shards[shard]?.send(report),
  });
  const stripe = new StripeCalls(data, log, (shard, ...report) => shards[shard]?.send(report));
  for (const [index, shardPort] of ports.entries())
    shards.push(
      new Link<OutcomeItem, GrantItem>(shardPort, (item, bytes) => {
        const received = receivedGrant(item, bytes) as Received;
        if (received.kind === 'dispatch.answer') rotations.answered(received);
        else if (received.kind === 'dispatch.recall') {
          dispatcher.recall(index, received);
          more.recall(received);
        } else if (received.kind === 'dispatch.disowned') {
          dispatcher.disown(received.partition);
          more.disown(received.partition);
        } else if (!stripe.take(index, received) && !more.take(index, received))
          dispatcher.grant(index, received);
      }),
    );
  const front = new Link<AnswerItem, RequestItem>(port, ([correlation, , , , , message]) => {
    const answer = (value: unknown) => front.send([correlation, { ok: true, value }]);
    if (message.kind === 'thread.figures') answer({ ...dispatcher.figures, more: more.figures });
    void stripe.ask(message)?.then(answer);
    void askAdapter(adapters, message, log)?.then(answer);
  });
  return async () => {
    await Promise.all([dispatcher.stop(), more.stop(), stripe.stop()]);
    sayEnded(shards);
    await Promise.all([...adapters.values()].map((adapter) => adapter.close()));
    await close();
  };
}

/**
 * With c-ares, which uses no thread. One resolver for each look-up notices a changed resolv.conf.
 */
function exchangersBy(servers: readonly string[] | undefined): ResolveExchangers {
  return async (domain) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const found = await resolver.resolveMx(domain);
    return found.map(({ exchange }) => exchange);
  };
}

function sealerOf({ masterKey, dataDir }: DispatchData): Sealer {
  return textSealer(loadMasterKeys({ env: { ENGAGE_MASTER_KEY: masterKey }, dataDir }).value);
}

function after(ms: number, task: () => void): void {
  setTimeout(task, ms).unref();
}

/** Behind the last reports. */
function sayEnded(shards: readonly Link<OutcomeItem, GrantItem>[]): void {
  for (const link of shards) {
    link.send([threadItself, 0, { kind: 'dispatch.ended' }]);
    link.flush();
  }
}

/** The real adapters, loaded with the first call. */
function adaptersOf(
  data: DispatchData,
  rotate: Rotations['rotate'],
  mailKeys: () => readonly Uint8Array[],
): ReturnType<typeof adaptersOnDemand> {
  return adaptersOnDemand(async () => {
    const { createOutbound } = await import('../../channels/outbound/outbound.ts');
    const { withWitnesses } = await import('../../channels/outbound/clock-witness.ts');
    const { createAdapters } = await import('../../channels/registry.ts');
    const outbound = withWitnesses(
      createOutbound({ allowPrivateNetworks: data.allowPrivateNetworks }),
      new SharedInstant(data.clockAgreed),
      () => systemClock.now(),
    );
    return {
      adapters: await createAdapters(data.providers, outbound, systemClock, rotate, mailKeys()),
      close: () => outbound.close(),
    };
  });
}

/** `undefined` for what is no question to an adapter. */
function askAdapter(
  adapters: ReadonlyMap<ChannelId, Adapter>,
  message: Message,
  log: Log,
): Promise<unknown> | undefined {
  switch (message.kind) {
    case 'webhook.register':
      return register(adapters, message as RegisterWebhook, log);
    case 'credential.check':
      return check(adapters, message as CheckCredential, log);
    case 'relay.try':
      return tryOut(adapters, message as TryRelay, log);
  }
  return undefined;
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

async function tryOut(
  adapters: ReadonlyMap<ChannelId, Adapter>,
  { channel, relay, ...trial }: TryRelay,
  log: Log,
): Promise<TrialResult> {
  try {
    const done = await adapters.get(channel)?.tryOut?.(trial, relay as OpenRelay);
    return done ?? { outcome: { outcome: 'config', reason: 'not_supported' } };
  } catch (error) {
    log.error({ evt: 'dispatch.adapter_bug', channel, err: error }, 'an adapter threw');
    return { outcome: { outcome: 'config', reason: 'internal' } };
  }
}

async function check(
  adapters: ReadonlyMap<ChannelId, Adapter>,
  { channel, credentials, relay }: CheckCredential,
  log: Log,
): Promise<CredentialCheck> {
  try {
    const done = await adapters.get(channel)?.check?.(credentials, relay as OpenRelay | undefined);
    return done ?? credentialFails({ reason: 'not_supported' });
  } catch (error) {
    log.error({ evt: 'dispatch.adapter_bug', channel, err: error }, 'an adapter threw');
    return credentialFails({ reason: 'internal' });
  }
}
