// A shard thread: the partitions it owns, opened, brought up to date and started, with a link to the front and one to
// every dispatcher.

import { Link } from '../engine/thread/link.ts';
import type { HostedStart } from '../engine/thread/host.ts';
import { type AnswerItem, type GrantItem, laneOf, type OutcomeItem, type RequestItem, threadItself } from '../engine/thread/wire.ts';
import type { Answer, Effect, Message } from '../engine/actor/message.ts';
import { Partition, type Scheduler } from '../engine/actor/partition.ts';
import { shardOf } from '../engine/actor/placement.ts';
import { newHashKey } from '../engine/base/hash.ts';
import { systemRng } from '../engine/base/rng.ts';
import { createLog, type Log } from '../engine/observe/log.ts';
import { systemClock } from '../engine/time/clock.ts';
import { DiskGuard } from '../storage/disk-guard.ts';
import { Documents } from '../storage/documents.ts';
import { type Environment, openPartition } from '../storage/environment.ts';
import { loadMasterKeys } from '../storage/secrets.ts';
import { allowedWhenFull } from './disk-reserve.ts';
import { listEvents } from './events/list.ts';
import { Product } from './machine.ts';
import type { ShardData, ShardFigures } from './protocol.ts';
import { type Sealer, textSealer } from './sealer.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

const blocksPerRead = 1024;

interface Running {
  readonly index: number;
  readonly store: Environment;
  readonly partition: Partition;
  readonly product: Product;
}

/** Runs a shard behind its ports: `ports[i]` leads to dispatcher `i`. */
export async function hostShard({ port, ports, data }: HostedStart<ShardData>): Promise<() => Promise<void>> {
  const log = createLog({ level: data.logLevel, thread: `shard-${data.index}` });
  const sealer = textSealer(
    loadMasterKeys({ env: { ENGAGE_MASTER_KEY: data.masterKey }, dataDir: data.dataDir }).value,
  );
  const guard = new DiskGuard(data.dataDir);
  const running = new Map<number, Running>();

  const front: Link<AnswerItem, RequestItem> = new Link(port, (item, bytes) => receive(item, bytes));
  const dispatchers = ports.map(
    (dispatchPort) =>
      new Link<GrantItem, OutcomeItem>(dispatchPort, ([partition, to, message]) => {
        running.get(partition)?.partition.deliver({
          to,
          lane: 'express',
          deadlineMs: Number.POSITIVE_INFINITY,
          message,
          bytes: undefined,
          answer: undefined,
        });
      }),
  );
  const emit = (effect: Effect) => {
    if (effect.port === 'front') front.send([0, effect.message]);
    else dispatchers[effect.port]?.send(effect.message);
  };
  const diskTimer = setInterval(() => watchDisk(guard, log), 1000);
  watchDisk(guard, log);

  for (let index = 0; index < data.partitions; index++) {
    if (shardOf(index, data.shards) !== data.index) continue;
    running.set(index, open(index, data, sealer, guard, log, emit));
  }
  for (const { partition } of running.values()) partition.start();

  function receive(item: RequestItem, bytes: Uint8Array | undefined): void {
    const [correlation, partition, to, lane, deadlineMs, message] = item;
    const answer =
      correlation === 0 ? undefined : (value: Answer) => front.send([correlation, value]);
    if (partition === threadItself) {
      answer?.({ ok: true, value: answerForThread(message) });
      return;
    }
    const target = running.get(partition);
    if (target === undefined) {
      answer?.({ ok: false, fault: { code: 'internal', message: `partition ${partition} is not here` } });
      return;
    }
    if (message.kind === 'events.list' && answer !== undefined) {
      listEvents(target, to, message as never, answer);
      return;
    }
    target.partition.deliver({ to, lane: laneOf(lane), deadlineMs, message, bytes, answer });
  }

  function answerForThread(message: Message): unknown {
    if (message.kind === 'thread.figures') return figuresOf([...running.values()]);
    return undefined;
  }

  return async () => {
    clearInterval(diskTimer);
    await Promise.all([...running.values()].map(({ partition }) => partition.stop()));
    front.flush();
    for (const link of dispatchers) link.flush();
    await Promise.all([...running.values()].map(({ store }) => store.close()));
  };
}

function open(
  index: number,
  data: ShardData,
  sealer: Sealer,
  guard: DiskGuard,
  log: Log,
  emit: (effect: Effect) => void,
): Running {
  const fatal = (error: unknown) => {
    log.fatal({ evt: 'partition.fatal', partition: index, err: error }, 'this process cannot go on; a restart reads the truth');
    // The whole process must end: the primary starts it again. An exit of this thread ends the main thread's wait.
    process.exit(70);
  };
  const store = openPartition({
    dataDir: data.dataDir,
    partition: index,
    partitions: data.partitions,
    nowMs: systemClock.now(),
    onFatal: fatal,
  });
  const product = new Product({
    sealer,
    allowHttpEndpoints: data.allowHttpEndpoints,
    tableKey: newHashKey(systemRng()),
    plan: {
      partition: index,
      dispatchers: data.dispatchers,
      available: new Set(data.available),
      credentialsRequired: data.credentialsRequired,
      unsubscribeUrl: (app, address, rng) => unsubscribeUrl(data.publicUrl, sealer, app, address, rng),
    },
  });
  const partition = new Partition({
    index,
    store,
    documents: new Documents(store),
    machine: product,
    clock: systemClock,
    rng: systemRng(),
    scheduler: threadScheduler(),
    emit,
    diskLow: () => guard.low,
    allowedWhenFull,
    onDeadLetter: (letter, error) =>
      log.error({ evt: 'message.dead_letter', partition: index, message: letter.message, err: error }, 'a message could not be decided'),
    onFatal: fatal,
  });
  const startedMs = systemClock.monotonic();
  let count = 0;
  for (let from = store.oldestSeq; ; ) {
    const blocks = store.blocks(from, blocksPerRead);
    for (const { seq, block } of blocks) partition.replay(seq, block);
    count += blocks.length;
    const last = blocks[blocks.length - 1];
    if (last === undefined) break;
    from = last.seq + 1;
  }
  log.debug({ evt: 'partition.ready', partition: index, seq: partition.seq, count, durMs: systemClock.monotonic() - startedMs });
  return { index, store, partition, product };
}

/** Turns run in the check phase, after what has arrived was delivered; one timer wakes the partition. */
function threadScheduler(): Scheduler {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon: (task) => void setImmediate(task),
    wakeAt: (atMs, task) => {
      clearTimeout(timer);
      // Never further than a minute: a wall clock that jumps ahead is noticed, and a long timeout cannot overflow.
      timer = setTimeout(task, Math.min(60_000, Math.max(0, atMs - systemClock.now())));
    },
  };
}

function watchDisk(guard: DiskGuard, log: Log): void {
  const before = guard.low;
  const { low, freeBytes } = guard.check();
  if (low && !before) log.error({ evt: 'disk.low', bytes: freeBytes }, 'the disk is nearly full: writes are refused');
  if (!low && before) log.info({ evt: 'disk.recovered', bytes: freeBytes }, 'the disk has room again');
}

function figuresOf(running: readonly Running[]): ShardFigures {
  return {
    partitions: running.map(({ index, partition, product }) => {
      let outbox = 0;
      for (const app of product.state.apps.values()) outbox += app.outbox.jobs.size;
      return {
        partition: index,
        seq: partition.seq,
        mailbox: partition.mailboxSize,
        timers: partition.timersPending,
        apps: product.state.apps.size,
        outbox,
        ready: product.state.ready.size,
        eventIdHours: product.state.eventIds.effectiveWindowHours(),
        figures: partition.figures,
      };
    }),
  };
}
