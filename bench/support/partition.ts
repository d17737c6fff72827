// A real partition with the whole product, in this process and thread: LMDB on a data directory of
// its own, no HTTP and no thread crossing. For benches that measure what one shard does. It has no
// dispatcher, so nothing that it grants is sent, and nobody wakes it for a timer.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import { Product } from '../../actors/runtime/machine.ts';
import { textSealer } from '../../actors/sealer.ts';
import type { Effect, Message } from '../../engine/actor/message.ts';
import { Partition } from '../../engine/actor/partition.ts';
import { type HashKey, newHashKey } from '../../engine/base/hash.ts';
import { type Rng, systemRng } from '../../engine/base/rng.ts';
import { type Clock, systemClock } from '../../engine/time/clock.ts';
import { Documents } from '../../storage/documents.ts';
import { type Environment, openPartition } from '../../storage/environment.ts';
import { createSealer } from '../../storage/sealed.ts';

/** What a bench needs to know of an app. */
export interface BenchApp {
  readonly id: string;
  readonly ordinal: number;
}

/** A started partition and a way in. */
export interface BenchPartition {
  readonly partition: Partition;
  readonly store: Environment;
  /** The key of its string tables, which folding its log elsewhere needs too. */
  readonly tableKey: HashKey;
  /**
   * Sends a message as an operator would, in the bulk lane; resolves when its answer is durable,
   * rejects on a refusal.
   */
  ask(to: number, message: object, bytes?: Uint8Array): Promise<unknown>;
  /** An app in an org of its own. Once: the org's id is fixed. */
  makeApp(): Promise<BenchApp>;
  /** Stops, closes and removes the data. */
  close(): Promise<void>;
}

/** What a bench may have otherwise. */
interface BenchPartitionOptions {
  readonly rng?: Rng;
  /** Channels that there is something to send with; none unless told. */
  readonly available?: readonly ChannelId[];
  /** The system's unless told. */
  readonly clock?: Clock;
  /** Where grants go; nowhere unless told. */
  readonly emit?: (effect: Effect) => void;
}

/**
 * Opens partition 0 of 1 and starts it. A failure that would end a server ends the bench, and its
 * data is removed.
 */
export function benchPartition({
  rng = systemRng(),
  available = [],
  clock = systemClock,
  emit = () => undefined,
}: BenchPartitionOptions = {}): BenchPartition {
  const dataDir = mkdtempSync(join(tmpdir(), 'engage-bench-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', remove);
  const store = openPartition({
    dataDir,
    partition: 0,
    partitions: 1,
    nowMs: Date.now(),
    onFatal: fail,
  });
  const tableKey = newHashKey(rng);
  const machine = new Product({
    sealer: textSealer(createSealer([new Uint8Array(32).fill(1)])),
    allowHttpEndpoints: true,
    tableKey,
    plan: {
      partition: 0,
      dispatchers: 1,
      available: new Set(available),
      credentialsRequired: false,
      unsubscribeUrl: () => '',
    },
  });
  const partition = new Partition({
    index: 0,
    store,
    documents: new Documents(store),
    machine,
    clock,
    rng,
    scheduler: { soon: (task) => void setImmediate(task), wakeAt: () => undefined },
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
  return {
    partition,
    store,
    tableKey,
    ask,
    makeApp: () => makeApp(ask),
    async close() {
      await partition.stop();
      await store.close();
      process.removeListener('exit', remove);
      remove();
    },
  };
}

async function makeApp(ask: BenchPartition['ask']): Promise<BenchApp> {
  const { org } = (await ask(1, {
    kind: 'org.create',
    orgId: 'org_00000000000000000000000000',
    name: 'bench',
    parentOrgId: null,
    key: {
      id: 'key_00000000000000000000000000',
      keyId: '000000000000',
      secretHash: new Uint8Array(32),
    },
  })) as { readonly org: { readonly ordinal: number } };
  // A bench sends more in a day than the cap of a new org allows.
  await ask(org.ordinal, {
    kind: 'org.set_limits',
    orgId: 'org_00000000000000000000000000',
    dailySendCap: null,
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
