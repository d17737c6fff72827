// One partition in one life of the process: the real partition, product and documents over a store
// whose commits take virtual time. What a start reads back is held against what memory was when the
// life before it ended, and against what a checkpoint and the log's tail make of it.

import { isDeepStrictEqual } from 'node:util';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { allowedWhenFull } from '../../actors/runtime/disk-reserve.ts';
import { Product } from '../../actors/runtime/machine.ts';
import type { DispatchPlan } from '../../actors/sending/outbox/pump.ts';
import { sandboxSenders } from '../../actors/tenants/accounts/sender.ts';
import { decodeBlock } from '../../engine/actor/block.ts';
import type { SnapshotPart } from '../../engine/actor/machine.ts';
import type { Effect } from '../../engine/actor/message.ts';
import { Partition } from '../../engine/actor/partition.ts';
import type { Scheduler } from '../../engine/actor/partition-options.ts';
import type { PartitionStore } from '../../engine/actor/store.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { fraction, type Rng } from '../../engine/base/rng.ts';
import { SharedPaces } from '../../engine/thread/shared-paces.ts';
import { Documents } from '../../storage/documents.ts';
import type { MemoryStore } from '../../storage/memory.ts';
import type { ProcessWorld } from './process-world.ts';
import { SegmentTruth } from './segment-truth.ts';
import { SimStore } from './sim-store.ts';

/** Memory at a durable turn, as plain data. */
export interface Checkpoint {
  readonly seq: number;
  readonly memory: readonly SnapshotPart[];
}

/**
 * A partition's memory for comparing. The instant of its newest turn is left out: a turn that only
 * read has moved it on and is in no log, and a restart takes the clock anew.
 */
export function memoryOf(partition: Partition): unknown {
  return structuredClone(partition.snapshot()).map(({ name, value }) =>
    name === 'runtime' ? { name, value: { ...(value as object), atMs: 0 } } : { name, value },
  );
}

/** What a restart starts from. */
export interface Disk {
  readonly store: MemoryStore;
  readonly checkpoint: Checkpoint | undefined;
  /** Memory when the process died, where all of it was durable. */
  readonly memory: unknown;
}

/** A partition's memory over a store. */
export interface OpenMemory {
  readonly product: Product;
  readonly partition: Partition;
}

/** A partition that runs. */
export interface Running extends OpenMemory {
  readonly store: PartitionStore;
}

/** One that has its disk for itself. */
export interface RunningAlone extends Running {
  readonly store: SimStore;
}

/** The life of the process that partitions are opened in. */
export interface PartitionLife {
  readonly world: ProcessWorld;
  readonly rng: Rng;
  readonly dispatchers: number;
  /** What relays take a day, which dispatchers count. */
  readonly paces: SharedArrayBuffer;
  /** Runs a task after a time, unless the process has died by then. */
  later(delayMs: number, task: () => void): void;
  emit(partition: number, effect: Effect): void;
}

/** Opens a partition from its disk, and compares every way of making its memory. */
export function openPartition(life: PartitionLife, index: number, disk: Disk): RunningAlone {
  const { findings, sabotage } = life.world;
  const replayed = build(life, index, disk.store, undefined);
  if (disk.memory !== undefined) {
    findings.expect(
      isDeepStrictEqual(memoryOf(replayed.partition), disk.memory),
      'memory_is_a_fold',
      () => `partition ${index} differs at seq ${replayed.partition.seq} after replaying its log`,
    );
  }
  const { checkpoint } = disk;
  if (checkpoint === undefined || checkpoint.seq > disk.store.durableSeq) return replayed;
  const resumed = build(life, index, disk.store, checkpoint);
  sabotage.onRestore?.(resumed.product);
  expectSame(life, index, resumed.partition, replayed.partition, checkpoint.seq);
  return resumed;
}

/** A checkpoint and the log's tail make the memory that the whole log makes. */
export function expectSame(
  { world: { findings } }: PartitionLife,
  index: number,
  resumed: Partition,
  replayed: Partition,
  checkpointSeq: number,
): void {
  findings.expect(
    isDeepStrictEqual(memoryOf(resumed), memoryOf(replayed)),
    'memory_is_a_fold',
    () =>
      `partition ${index} differs at seq ${resumed.seq} from checkpoint ${checkpointSeq} and tail`,
  );
}

function build(
  life: PartitionLife,
  index: number,
  inner: MemoryStore,
  checkpoint: Checkpoint | undefined,
): RunningAlone {
  const { world } = life;
  const store = new SimStore({
    inner,
    findings: world.findings,
    clock: world.clock,
    onDurable: (turn) => world.onDurable(index, turn),
    plan: (planned) => planCommit(life, planned),
    hasty: world.sabotage.hastyCommits === true,
  });
  return { store, ...openMemory(life, index, index, store, checkpoint) };
}

/**
 * A partition's memory from a checkpoint and the blocks of its store, not started. `address`: where
 * reports of what it grants go.
 */
export function openMemory(
  life: PartitionLife,
  index: number,
  address: number,
  store: PartitionStore,
  checkpoint: Checkpoint | undefined,
): OpenMemory {
  const { world, rng } = life;
  const product = new Product({
    sealer: world.sealer,
    allowHttpEndpoints: true,
    tableKey: newHashKey(rng),
    plan: {
      partition: address,
      dispatchers: life.dispatchers,
      campaignDispatchers: world.faults().campaignDispatchers,
      available: new Set(channelIds),
      credentialsRequired: world.faults().credentialsRequired,
      senders: sandboxSenders,
      publicUrl: 'http://engage.test',
      ...relayDays(new SharedPaces(life.paces)),
      unsubscribeUrl: (app, address) => `http://engage.test/u/${app}-${address}`,
    },
  });
  const truth = new SegmentTruth(world.findings, () => world.onJudged());
  const machine = truth.watch(world.sabotage.machine?.(product) ?? product, product);
  const partition = new Partition({
    index,
    store,
    documents: new Documents(store, { strict: rng.uint32() % 8 === 0 }),
    machine,
    clock: world.clock,
    rng: rng,
    limits: world.faults().limits,
    scheduler: schedulerOf(life),
    emit: (effect) => life.emit(index, effect),
    diskLow: () => world.diskLow(),
    diskFull: () => world.diskFull(),
    allowedWhenFull,
    onDeadLetter: (letter, error) =>
      world.findings.add(
        'no_throw',
        `${letter.message}: ${error instanceof Error ? error.stack : error}`,
      ),
    onFatal: (error) =>
      world.findings.add('no_throw', `fold: ${error instanceof Error ? error.stack : error}`),
  });
  if (checkpoint !== undefined) {
    partition.restore(structuredClone(checkpoint.memory), checkpoint.seq);
    for (const { block } of store.blocks(1, checkpoint.seq))
      for (const entry of decodeBlock(block).entries) truth.take(entry);
  }
  for (const { seq, block } of store.blocks(partition.seq + 1, Number.POSITIVE_INFINITY))
    partition.replay(seq, block);
  return { product, partition };
}

/** As a partition of a server asks what relays have left of a day, and adds what its log has. */
function relayDays(paces: SharedPaces): Pick<DispatchPlan, 'relayCallsToday' | 'addRelayDays'> {
  let isAdded = false;
  return {
    relayCallsToday: (relayId, nowMs) => paces.ofDay(relayId, nowMs),
    addRelayDays: (days) => {
      if (isAdded) return;
      isAdded = true;
      for (const [relayId, { day, calls }] of days) paces.addOfDay(relayId, day, calls);
    },
  };
}

/** A commit takes half a millisecond to five, or much longer where the world says so; some fail. */
export function planCommit(life: PartitionLife, store: SimStore): void {
  const { commitStalls, commitFailures } = life.world.faults();
  const stalls = commitStalls && fraction(life.rng) < 0.01;
  const fails = commitFailures && fraction(life.rng) < 0.002;
  life.later(0.5 + fraction(life.rng) * (stalls ? 9_000 : 5), () => {
    if (!fails) store.settleNext();
    else {
      store.failNext(fraction(life.rng) < 0.5);
      life.world.onFatal('a commit failed');
    }
  });
}

function schedulerOf(life: PartitionLife): Scheduler {
  let planned = 0;
  return {
    soon: (task: () => void) => life.later(fraction(life.rng) * 0.5, task),
    wakeAt: (atMs: number, task: () => void) => {
      const mine = ++planned;
      // As in a shard thread: never further than a minute, so that a wall clock that jumps ahead is
      // noticed.
      const waitMs = Math.max(0, atMs - life.world.clock.now());
      const longestMs = life.world.faults().clockJumps ? 60_000 : 3_600_000;
      life.later(Math.min(longestMs, waitMs), () => {
        if (mine === planned) task();
      });
    },
  };
}
