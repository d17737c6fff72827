// One partition with the whole product in it, in this thread: memory store, handed-in clock and
// randomness, no provider. Tests ask it messages and look at what it grants.

import type { BulkProtocol } from '../../actors/audiences/bulk/protocol.ts';
import type { ExportProtocol } from '../../actors/audiences/export/protocol.ts';
import type { FlagsProtocol } from '../../actors/audiences/flags/protocol.ts';
import type { InAppProtocol } from '../../actors/audiences/inapp/protocol.ts';
import type {
  MembershipProtocol,
  SearchProtocol,
  SegmentsProtocol,
} from '../../actors/audiences/segments/protocol.ts';
import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import type { AssetsProtocol } from '../../actors/content/assets/protocol.ts';
import type { FilesProtocol } from '../../actors/content/files/protocol.ts';
import type { MessagesProtocol } from '../../actors/content/messages/protocol.ts';
import type { TemplatesProtocol } from '../../actors/content/templates/protocol.ts';
import type { CdpProtocol } from '../../actors/events/cdp/protocol.ts';
import type { EventsProtocol } from '../../actors/events/protocol.ts';
import type { AuditInside, AuditProtocol } from '../../actors/insight/audit/protocol.ts';
import type { InsightsProtocol } from '../../actors/insight/insights/protocol.ts';
import type { TimelineProtocol } from '../../actors/insight/timeline/protocol.ts';
import type { WebhooksProtocol } from '../../actors/integrations/webhooks/protocol.ts';
import type { AudienceProtocol } from '../../actors/people/audience/protocol.ts';
import type { IdentityProtocol } from '../../actors/people/identity/protocol.ts';
import type { TopicsProtocol } from '../../actors/people/topics/protocol.ts';
import type { CampaignsProtocol } from '../../actors/programs/campaigns/protocol.ts';
import type { JourneysInside, JourneysProtocol } from '../../actors/programs/journeys/protocol.ts';
import { allowedWhenFull } from '../../actors/runtime/disk-reserve.ts';
import type { ErasureProtocol } from '../../actors/runtime/erasure-protocol.ts';
import type { HeldProtocol } from '../../actors/runtime/held.ts';
import { Product } from '../../actors/runtime/machine.ts';
import type { Restored } from '../../actors/runtime/restored.ts';
import type { SecretsProtocol } from '../../actors/runtime/rewrap.ts';
import { textSealer } from '../../actors/sealer.ts';
import type { CallbacksProtocol } from '../../actors/sending/callbacks/protocol.ts';
import type { MailboxLookup } from '../../actors/sending/dispatch/mailbox-lookup.ts';
import type { GateProtocol } from '../../actors/sending/gate/protocol.ts';
import type { LiveActivitiesProtocol } from '../../actors/sending/live-activities/protocol.ts';
import type { MailboxesProtocol } from '../../actors/sending/mailboxes/protocol.ts';
import type { OptInProtocol } from '../../actors/sending/opt-in/protocol.ts';
import type { DispatchGrant, OutboxProtocol } from '../../actors/sending/outbox/protocol.ts';
import type { DispatchThreads } from '../../actors/sending/outbox/wave-shares.ts';
import type { TransactionalProtocol } from '../../actors/sending/transactional/protocol.ts';
import type { WarmUpProtocol } from '../../actors/sending/warm-up/protocol.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import { type SenderRules, sandboxSenders } from '../../actors/tenants/accounts/sender.ts';
import type { BillingInside, BillingProtocol } from '../../actors/tenants/billing/protocol.ts';
import type { ClientsProtocol } from '../../actors/tenants/clients/protocol.ts';
import type { MembersProtocol } from '../../actors/tenants/members/protocol.ts';
import type { RelaysProtocol } from '../../actors/tenants/relays/protocol.ts';
import type { SessionsProtocol } from '../../actors/tenants/sessions/protocol.ts';
import type { UsageProtocol } from '../../actors/tenants/usage/protocol.ts';
import type { SnapshotPart } from '../../engine/actor/machine.ts';
import type { Answer, Effect, Message } from '../../engine/actor/message.ts';
import { Partition } from '../../engine/actor/partition.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { type Rng, seededRng } from '../../engine/base/rng.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { Documents } from '../../storage/documents.ts';
import { MemoryStore } from '../../storage/memory.ts';
import { createSealer } from '../../storage/sealed.ts';

export interface TestClock extends Clock {
  nowMs: number;
}

/** A clock that stands still until it is moved. */
export function testClock(nowMs = Date.UTC(2026, 0, 1)): TestClock {
  return {
    nowMs,
    now() {
      return this.nowMs;
    },
    monotonic() {
      return this.nowMs;
    },
  };
}

type All = AccountsProtocol &
  RelaysProtocol &
  SecretsProtocol &
  HeldProtocol &
  AudienceProtocol &
  TopicsProtocol &
  AuditInside &
  AuditProtocol &
  ExportProtocol &
  ErasureProtocol &
  MessagesProtocol &
  TemplatesProtocol &
  AssetsProtocol &
  FilesProtocol &
  FlagsProtocol &
  GateProtocol &
  InAppProtocol &
  CampaignsProtocol &
  JourneysProtocol &
  JourneysInside &
  OptInProtocol &
  MailboxesProtocol &
  OutboxProtocol &
  TransactionalProtocol &
  TimelineProtocol &
  EventsProtocol &
  LiveActivitiesProtocol &
  IdentityProtocol &
  CdpProtocol &
  SegmentsProtocol &
  SearchProtocol &
  BulkProtocol &
  MembershipProtocol &
  UsageProtocol &
  ClientsProtocol &
  MembersProtocol &
  RelaysProtocol &
  SessionsProtocol &
  BillingProtocol &
  BillingInside &
  CallbacksProtocol &
  InsightsProtocol &
  WarmUpProtocol &
  WebhooksProtocol;

export interface TestPartitionOptions {
  readonly store?: MemoryStore;
  readonly clock?: TestClock;
  readonly rng?: Rng;
  readonly available?: readonly ChannelId[];
  readonly credentialsRequired?: boolean;
  readonly senders?: SenderRules;
  /** Dispatch tells the mailbox provider of each email, and so who sent it; true: others. */
  readonly mailbox?: true | MailboxLookup['of'];
  /** One dispatch thread unless told. */
  readonly threads?: DispatchThreads;
  /** Whether a key of the payment provider is set. */
  readonly charges?: boolean;
  /** Of 32 bytes each, the sealing one first; one of sevens unless told. */
  readonly masterKeys?: readonly Uint8Array[];
  /** What the store says of a restore. */
  readonly restored?: Restored;
  /** Whether the disk is nearly full. */
  readonly diskLow?: () => boolean;
  /** Memory at a durable turn, from which it goes on with the log. */
  readonly checkpoint?: { readonly seq: number; readonly memory: readonly SnapshotPart[] };
}

/** A running partition under test. */
export class TestPartition {
  readonly store: MemoryStore;
  readonly clock: TestClock;
  readonly partition: Partition;
  readonly product: Product;
  readonly effects: Effect[] = [];
  readonly #tasks: (() => void)[] = [];
  #wake: { atMs: number; task: () => void } | undefined;

  constructor(options: TestPartitionOptions = {}) {
    this.store = options.store ?? new MemoryStore();
    this.clock = options.clock ?? testClock();
    const rng = options.rng ?? seededRng(1);
    this.product = new Product({
      sealer: textSealer(createSealer(options.masterKeys ?? [new Uint8Array(32).fill(7)])),
      ...(options.restored === undefined ? {} : { restored: options.restored }),
      allowHttpEndpoints: true,
      tableKey: newHashKey(rng),
      plan: {
        partition: 0,
        ...(options.threads ?? { dispatchers: 1 }),
        charges: options.charges ?? false,
        available: new Set(options.available ?? ['fcm', 'webpush', 'email']),
        credentialsRequired: options.credentialsRequired ?? false,
        senders: options.senders ?? sandboxSenders,
        publicUrl: 'http://engage.test',
        unsubscribeUrl: (app, address) => `http://engage.test/u/${app}-${address}`,
      },
    });
    this.partition = new Partition({
      index: 0,
      store: this.store,
      documents: new Documents(this.store, { strict: true }),
      machine: this.product,
      clock: this.clock,
      rng,
      scheduler: {
        soon: (task) => this.#tasks.push(task),
        wakeAt: (atMs, task) => {
          this.#wake = { atMs, task };
        },
      },
      emit: (effect) => this.effects.push(effect),
      ...(options.diskLow === undefined ? {} : { diskLow: options.diskLow, allowedWhenFull }),
      onDeadLetter: (_letter, error) => {
        throw error;
      },
      onFatal: (error) => {
        throw error;
      },
    });
    const { checkpoint } = options;
    if (checkpoint !== undefined)
      this.partition.restore(structuredClone(checkpoint.memory), checkpoint.seq);
    const first = checkpoint === undefined ? this.store.oldestSeq : checkpoint.seq + 1;
    for (let from = first; from <= this.store.durableSeq; from++) {
      for (const { seq, block } of this.store.blocks(from, 1)) this.partition.replay(seq, block);
    }
    this.partition.start();
  }

  /** Lets everything run that can run at this instant. */
  async settle(): Promise<void> {
    for (let round = 0; round < 1_000_000; round++) {
      if (this.#wake !== undefined && this.#wake.atMs <= this.clock.nowMs) {
        const { task } = this.#wake;
        this.#wake = undefined;
        this.#tasks.push(task);
      }
      const task = this.#tasks.shift();
      task?.();
      await Promise.resolve();
      await Promise.resolve();
      if (this.#tasks.length === 0 && this.store.inFlight === 0) return;
    }
    throw new Error('the partition does not come to rest');
  }

  /** Moves time and lets due timers fire. */
  async advance(ms: number): Promise<void> {
    this.clock.nowMs += ms;
    await this.settle();
  }

  /** Asks and waits for the durable answer. */
  async ask<K extends keyof All & string>(
    to: number,
    kind: K,
    body: Omit<All[K]['body'], 'by'>,
    options: { readonly by?: number; readonly bytes?: Uint8Array } = {},
  ): Promise<Answer> {
    let answer: Answer | undefined;
    this.partition.deliver({
      to,
      lane: 'express',
      deadlineMs: Number.POSITIVE_INFINITY,
      message: { ...body, kind, by: options.by ?? -1 } as unknown as Message,
      bytes: options.bytes,
      answer: (value) => {
        answer = value;
      },
    });
    await this.settle();
    if (answer === undefined) throw new Error(`${kind} was not answered`);
    return answer;
  }

  /** The value of an ask that must be accepted. */
  async value<K extends keyof All & string>(
    to: number,
    kind: K,
    body: Omit<All[K]['body'], 'by'>,
    options: { readonly by?: number; readonly bytes?: Uint8Array } = {},
  ): Promise<All[K]['reply']> {
    const answer = await this.ask(to, kind, body, options);
    if (!answer.ok) throw new Error(`${kind} was refused: ${answer.fault.message}`);
    return answer.value as All[K]['reply'];
  }

  /** Grants made so far, taken away. */
  takeGrants(): DispatchGrant[] {
    const grants = this.effects
      .filter(({ port }) => typeof port === 'number')
      .map(({ message }) => message as DispatchGrant);
    this.effects.length = 0;
    return grants;
  }
}

/** A partition with an org and one app in it. */
export async function partitionWithApp(options?: TestPartitionOptions) {
  const one = new TestPartition(options);
  return { one, ...(await anApp(one)) };
}

/** An org with one app; returns their ordinals. `slot`: of the org; two orgs need two. */
export async function anApp(
  one: TestPartition,
  { slot = 5 }: { readonly slot?: number } = {},
): Promise<{ org: number; app: number }> {
  const name = String(slot - 5);
  const { org } = await one.value(slot, 'org.create', {
    orgId: `org_${name.padStart(26, '0')}`,
    name: 'Acme',
    parentOrgId: null,
    key: {
      id: `key_${name.padStart(26, '0')}`,
      keyId: name.padStart(12, '0'),
      secretHash: new Uint8Array(32),
    },
  });
  const app = await one.value(org.ordinal, 'app.create', {
    name: 'Shop',
    timezone: 'UTC',
    vapid: { publicKey: 'public', privateKey: 'private' },
  });
  return { org: org.ordinal, app: app.ordinal };
}
