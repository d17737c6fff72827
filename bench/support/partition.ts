// A real partition of the whole product in this process and thread: LMDB on its own data directory,
// no HTTP, no thread crossing. For benches of one shard. It has no dispatcher, so grants are not
// sent, and unless `isWoken` nobody wakes it for a timer.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import { Product } from '../../actors/runtime/machine.ts';
import { textSealer } from '../../actors/sealer.ts';
import type { DispatchThreads } from '../../actors/sending/outbox/wave-shares.ts';
import { sandboxSenders } from '../../actors/tenants/accounts/sender.ts';
import type { Effect, Message } from '../../engine/actor/message.ts';
import { Partition } from '../../engine/actor/partition.ts';
import { type HashKey, newHashKey } from '../../engine/base/hash.ts';
import { type Rng, systemRng } from '../../engine/base/rng.ts';
import { threadScheduler } from '../../engine/thread/scheduler.ts';
import { type Clock, systemClock } from '../../engine/time/clock.ts';
import { Documents } from '../../storage/documents.ts';
import { type Environment, openPartition } from '../../storage/environment.ts';
import { createSealer } from '../../storage/sealed.ts';

export interface BenchApp {
  readonly id: string;
  readonly ordinal: number;
}

export interface BenchPartition {
  readonly partition: Partition;
  readonly store: Environment;
  /** The key of its string tables, also needed to fold its log elsewhere. */
  readonly tableKey: HashKey;
  /** Asks as an operator, in the bulk lane. Resolves when durable; rejects on a refusal. */
  ask(to: number, message: object, bytes?: Uint8Array): Promise<unknown>;
  /** An app in its own org. */
  makeApp(): Promise<BenchApp>;
  close(): Promise<void>;
}

interface BenchPartitionOptions {
  readonly rng?: Rng;
  /** Channels that can send; default none. */
  readonly available?: readonly ChannelId[];
  readonly clock?: Clock;
  /** Receives grants; default: dropped. */
  readonly emit?: (effect: Effect) => void;
  /** Default: one. */
  readonly threads?: DispatchThreads;
  /** A timer wakes it, as in a shard thread. */
  readonly isWoken?: boolean;
}

/** Opens and starts partition 0 of 1. A fail-stop ends the bench, and its data is removed. */
export function benchPartition({
  rng = systemRng(),
  available = [],
  clock = systemClock,
  emit = () => undefined,
  threads = { dispatchers: 1 },
  isWoken = false,
}: BenchPartitionOptions = {}): BenchPartition {
  const dataDir = mkdtempSync(join(tmpdir(), 'engage-bench-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', remove);
  const store = openPartition({
    dataDir,
    ...{ partition: 0, partitions: 1 },
    nowMs: Date.now(),
    onFatal: fail,
  });
  const tableKey = newHashKey(rng);
  const scheduler = threadScheduler();
  const machine = new Product({
    sealer: textSealer(createSealer([new Uint8Array(32).fill(1)])),
    allowHttpEndpoints: true,
    tableKey,
    plan: {
      partition: 0,
      ...threads,
      available: new Set(available),
      credentialsRequired: false,
      senders: sandboxSenders,
      ...{ publicUrl: '', unsubscribeUrl: () => '' },
    },
  });
  const partition = new Partition({
    index: 0,
    store,
    documents: new Documents(store),
    machine,
    clock,
    rng,
    scheduler: isWoken ? scheduler : { soon: scheduler.soon, wakeAt: () => undefined },
    emit,
    onFatal: fail,
  });
  partition.start();
  const ask: BenchPartition['ask'] = (to, message, bytes) =>
    new Promise((resolve, reject) =>
      partition.deliver({
        to,
        lane: 'bulk',
        deadlineMs: Number.POSITIVE_INFINITY,
        message: { by: -1, ...message } as unknown as Message,
        bytes,
        answer: (answer) =>
          answer.ok ? resolve(answer.value) : reject(new Error(answer.fault.message)),
      }),
    );
  let orgs = 0;
  return {
    partition,
    store,
    tableKey,
    ask,
    makeApp: () => makeApp(ask, orgs++),
    async close() {
      scheduler.end();
      await partition.stop();
      await store.close();
      process.removeListener('exit', remove);
      remove();
    },
  };
}

async function makeApp(ask: BenchPartition['ask'], number: number): Promise<BenchApp> {
  const digits = String(number);
  const orgId = `org_${digits.padStart(26, '0')}`;
  const { org } = (await ask(1, {
    kind: 'org.create',
    orgId,
    name: 'bench',
    parentOrgId: null,
    key: {
      id: `key_${digits.padStart(26, '0')}`,
      keyId: digits.padStart(12, '0'),
      secretHash: new Uint8Array(32),
    },
  })) as { readonly org: { readonly ordinal: number } };
  // A bench exceeds a new org's daily cap and its emails of a month.
  await ask(org.ordinal, {
    kind: 'org.set_limits',
    dailySendCap: null,
    emailAllowance: null,
  });
  const made = await ask(org.ordinal, {
    kind: 'app.create',
    name: 'bench',
    timezone: 'UTC',
    vapid: { publicKey: 'p', privateKey: 'p' },
  });
  return made as BenchApp;
}

function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}
