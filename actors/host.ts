// A shard thread: the partitions it owns, opened, brought up to date and started, with a link to the front, one to
// every dispatcher, and a pool for long reads. A partition starts from its newest checkpoint and the log after it.

import { join } from 'node:path';
import type { Answer, Effect, Message } from '../engine/actor/message.ts';
import { Partition } from '../engine/actor/partition.ts';
import type { Scheduler } from '../engine/actor/partition-options.ts';
import { shardOf } from '../engine/actor/placement.ts';
import { newHashKey } from '../engine/base/hash.ts';
import { systemRng } from '../engine/base/rng.ts';
import { createLog, type Log } from '../engine/observe/log.ts';
import type { HostedStart } from '../engine/thread/host.ts';
import { Link } from '../engine/thread/link.ts';
import { Pool } from '../engine/thread/pool.ts';
import { SharedGate } from '../engine/thread/shared-word.ts';
import {
  type AnswerItem,
  type GrantItem,
  laneOf,
  type OutcomeItem,
  type RequestItem,
  threadItself,
} from '../engine/thread/wire.ts';
import { systemClock } from '../engine/time/clock.ts';
import { newestCheckpoint } from '../storage/checkpoint.ts';
import { DiskGuard } from '../storage/disk-guard.ts';
import { Documents } from '../storage/documents.ts';
import { type Environment, openPartition } from '../storage/environment.ts';
import { type Erasure, ErasureList, erasuresFolder } from '../storage/erasures.ts';
import { logBlocks } from '../storage/log.ts';
import { loadMasterKeys } from '../storage/secrets.ts';
import { type ExportHost, exportPage } from './audience/export.ts';
import type { ExportRead, ExportText } from './audience/export-page.ts';
import { type CheckpointedPartition, Checkpoints } from './checkpoints.ts';
import { allowedWhenFull } from './disk-reserve.ts';
import { erasedPeople } from './erased-people.ts';
import { type ErasureListed, erasureIn } from './erasure.ts';
import { noHistory } from './events/history/event-history.ts';
import {
  type EventsHost,
  type EventsRead,
  type EventsReply,
  listEvents,
  readLogPage,
} from './events/list.ts';
import { Product } from './machine.ts';
import type { CheckpointRequest, ShardData, ShardFigures } from './protocol.ts';
import { type Sealer, textSealer } from './sealer.ts';
import { answerFilter, asksFilter, type TimesHost } from './segments/counted.ts';
import type { CountedTimes } from './segments/protocol.ts';
import { readTimes, type TimesRead } from './segments/read-times.ts';
import type { PoolResult, PoolTask } from './tasks.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/** One thread for the checkpoint that may be under way, one for reads. */
const poolThreads = 2;
const replayLogMs = 1000;
const reportsWaitMs = 1000;

interface Running {
  readonly index: number;
  readonly store: Environment;
  readonly partition: Partition;
  readonly product: Product;
  readonly scheduler: ThreadScheduler;
  readonly erasures: ErasureList;
  /** Whether it must not grow, as of the last look at the disk. */
  diskLow: boolean;
}

interface ThreadScheduler extends Scheduler {
  /** No turn starts by itself any more. */
  end(): void;
}

/** Runs a shard behind its ports: `ports[i]` leads to dispatcher `i`. */
export async function hostShard({
  port,
  ports,
  data,
}: HostedStart<ShardData>): Promise<() => Promise<void>> {
  const log = createLog({ level: data.logLevel, thread: `shard-${data.index}` });
  const sealer = textSealer(
    loadMasterKeys({ env: { ENGAGE_MASTER_KEY: data.masterKey }, dataDir: data.dataDir }).value,
  );
  const guard = new DiskGuard(data.dataDir);
  const running = new Map<number, Running>();

  const front: Link<AnswerItem, RequestItem> = new Link(port, (item, bytes) =>
    receive(item, bytes),
  );
  let dispatchersEnded = 0;
  const dispatchers = ports.map(
    (dispatchPort) =>
      new Link<GrantItem, OutcomeItem>(dispatchPort, ([partition, to, message]) => {
        if (partition === threadItself) {
          dispatchersEnded++;
          return;
        }
        running.get(partition)?.partition.deliverAlways({
          to,
          lane: 'express',
          deadlineMs: Number.POSITIVE_INFINITY,
          message,
          bytes: undefined,
          answer: undefined,
        });
      }),
  );
  const emit = (effect: Effect, erasures: ErasureList) => {
    if (effect.port === 'front') front.send([0, effect.message]);
    else if (effect.port === 'host') erasures.add((effect.message as ErasureListed).erasure);
    else dispatchers[effect.port]?.send(effect.message);
  };
  const pool = new Pool<PoolTask, PoolResult>({
    entry: new URL(`./tasks.${extension}`, import.meta.url),
    maxThreads: poolThreads,
  });
  const checkpoints = new Checkpoints({
    dataDir: data.dataDir,
    pool,
    gate: new SharedGate(data.checkpointGate),
    clock: systemClock,
    log,
    disk: guard,
  });
  const erased = erasedPeople(erasuresDirOf(data), log);

  for (let index = 0; index < data.partitions; index++) {
    if (shardOf(index, data.shards) !== data.index) continue;
    const { opened, tail } = open(index, data, sealer, erased, log, emit);
    running.set(index, opened);
    checkpoints.add(tail);
  }
  watchDisk(guard, running.values(), log);
  for (const { partition } of running.values()) partition.start();
  const tick = setInterval(() => {
    watchDisk(guard, running.values(), log);
    for (const { erasures } of running.values()) erasures.flush();
    checkpoints.tick();
  }, 1000);

  function receive(item: RequestItem, bytes: Uint8Array | undefined): void {
    const [correlation, partition, to, lane, deadlineMs, message, weight] = item;
    const answer =
      correlation === 0 ? undefined : (value: Answer) => front.send([correlation, value]);
    if (partition === threadItself) {
      void answerForThread(message).then(
        (value) => answer?.({ ok: true, value }),
        (error: unknown) =>
          answer?.({ ok: false, fault: { code: 'internal', message: String(error) } }),
      );
      return;
    }
    const target = running.get(partition);
    if (target === undefined) {
      answer?.({
        ok: false,
        fault: { code: 'internal', message: `partition ${partition} is not here` },
      });
      return;
    }
    if (message.kind === 'events.list' && answer !== undefined) {
      const host: EventsHost = {
        partition: target.partition,
        read: (what) => readEvents(target, what),
        onFailed: (error) =>
          log.error(
            { evt: 'events.unreadable', partition, app: to, err: error },
            'a read of events failed',
          ),
      };
      listEvents(host, to, message as never, answer);
      return;
    }
    if (asksFilter(message) && answer !== undefined) {
      const host: TimesHost = {
        partition: target.partition,
        read: (what) => readTimesOf(target, what),
        onFailed: (error) =>
          log.error(
            { evt: 'events.unreadable', partition, app: to, err: error },
            'events that a filter counts could not be read',
          ),
      };
      answerFilter(host, to, message as never, answer);
      return;
    }
    if (message.kind === 'subscribers.export' && answer !== undefined) {
      const host: ExportHost = {
        partition: target.partition,
        read: (what) => readExport(partition, what),
        onFailed: (error) =>
          log.error(
            { evt: 'export.unreadable', partition, app: to, err: error },
            'a page of an export could not be read',
          ),
      };
      exportPage(host, to, message as never, answer);
      return;
    }
    target.partition.deliver({
      to,
      lane: laneOf(lane),
      deadlineMs,
      message,
      bytes,
      weight,
      answer,
    });
  }

  async function readEvents({ index, store }: Running, read: EventsRead): Promise<EventsReply> {
    if (checkpoints.isYoung(index)) return readLogPage(read, store);
    const task: PoolTask = { kind: 'events', dataDir: data.dataDir, partition: index, read };
    return (await pool.run(task)) as EventsReply;
  }

  async function readExport(partition: number, read: ExportRead): Promise<ExportText> {
    const task: PoolTask = { kind: 'export', dataDir: data.dataDir, partition, read };
    return (await pool.run(task)) as ExportText;
  }

  async function readTimesOf({ index, store }: Running, read: TimesRead): Promise<CountedTimes> {
    if (checkpoints.isYoung(index)) return readTimes(read, store, noHistory);
    const task: PoolTask = { kind: 'times', dataDir: data.dataDir, partition: index, read };
    return (await pool.run(task)) as CountedTimes;
  }

  async function answerForThread(message: Message): Promise<unknown> {
    if (message.kind === 'thread.figures') return figuresOf([...running.values()], checkpoints);
    if (message.kind === 'thread.quiesce') {
      await quiesce([...running.values()]);
      for (const link of dispatchers) link.flush();
      return null;
    }
    if (message.kind === 'thread.checkpoint') {
      const { partition, sweep } = message as CheckpointRequest;
      return checkpoints.now(partition, sweep);
    }
    return undefined;
  }

  return async () => {
    clearInterval(tick);
    // What the dispatchers reported before they ended is still on its way; without it, a send that was made would be
    // taken for one that nobody knows about, and made again.
    for (
      let waitedMs = 0;
      dispatchersEnded < ports.length && waitedMs < reportsWaitMs;
      waitedMs += 5
    ) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all([...running.values()].map(({ partition }) => partition.stop()));
    for (const { scheduler, erasures } of running.values()) {
      scheduler.end();
      erasures.flush();
    }
    front.flush();
    for (const link of dispatchers) link.flush();
    await checkpoints.stop();
    await pool.close();
    await Promise.all([...running.values()].map(({ store }) => store.close()));
  };
}

function open(
  index: number,
  data: ShardData,
  sealer: Sealer,
  erased: () => readonly Erasure[],
  log: Log,
  emit: (effect: Effect, erasures: ErasureList) => void,
): { readonly opened: Running; readonly tail: CheckpointedPartition } {
  const fatal = (error: unknown) => {
    log.fatal(
      { evt: 'partition.fatal', partition: index, err: error },
      'this process cannot go on; a restart reads the truth',
    );
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
  const erasures = new ErasureList({
    directory: erasuresDirOf(data),
    partition: index,
    keptDays: data.backupDays,
    onFailed: (error) =>
      log.error(
        { evt: 'erasures.unwritten', partition: index, err: error },
        'the list of erased people cannot be written; it is tried again every second, and until then no checkpoint is made',
      ),
    onRecovered: (count) =>
      log.info(
        { evt: 'erasures.written', partition: index, count },
        'the list of erased people is complete again',
      ),
  });
  const product = new Product({
    sealer,
    allowHttpEndpoints: data.allowHttpEndpoints,
    tableKey: newHashKey(systemRng()),
    ...(store.resend === undefined
      ? {}
      : { restored: { epoch: store.epoch, resend: store.resend, erased } }),
    plan: {
      partition: index,
      dispatchers: data.dispatchers,
      available: new Set(data.available),
      credentialsRequired: data.credentialsRequired,
      onUnreadable: (app, error) =>
        log.error(
          { evt: 'send.unreadable', partition: index, app, err: error },
          'a send cannot leave: its credential or a record cannot be read',
        ),
      unsubscribeUrl: (app, address, rng) =>
        unsubscribeUrl(data.publicUrl, sealer, app, address, rng),
    },
  });
  const scheduler = threadScheduler();
  const partition = new Partition({
    index,
    store,
    documents: new Documents(store),
    machine: product,
    clock: systemClock,
    rng: systemRng(),
    scheduler,
    emit: (effect) => emit(effect, erasures),
    diskLow: () => opened.diskLow,
    allowedWhenFull,
    onDeadLetter: (letter, error) =>
      log.error(
        { evt: 'message.dead_letter', partition: index, message: letter.message, err: error },
        'a message could not be decided',
      ),
    onClockJump: (aheadMs) =>
      log.warn(
        { evt: 'clock.jumped', partition: index, durMs: Math.round(aheadMs) },
        'the wall clock jumped ahead; timers follow at five minutes a second',
      ),
    onFatal: fatal,
  });
  const tail = catchUp(partition, store, erasures, log);
  const opened: Running = {
    index,
    store,
    partition,
    product,
    scheduler,
    erasures,
    diskLow: false,
  };
  return { opened, tail };
}

/** Brings memory up to date: the newest checkpoint, then the log after it. */
function catchUp(
  partition: Partition,
  store: Environment,
  erasures: ErasureList,
  log: Log,
): CheckpointedPartition {
  const { index } = partition;
  const startedMs = systemClock.monotonic();
  const checkpoint = newestCheckpoint(store.path, (name, problem) =>
    log.error(
      { evt: 'checkpoint.damaged', partition: index, path: name, reason: problem },
      'the checkpoint before it is used',
    ),
  );
  const seq = checkpoint?.manifest.seq ?? 0;
  if (seq > store.durableSeq)
    throw new Error(`${store.path}: its checkpoint is newer than its log; files were mixed.`);
  if (seq + 1 < store.oldestSeq)
    throw new Error(
      `${store.path}: the log begins at ${store.oldestSeq} and no checkpoint covers what came before.`,
    );
  if (checkpoint !== undefined) partition.restore(checkpoint.parts(), seq);
  let tailEntries = 0;
  let tailBytes = 0;
  let saidMs = startedMs;
  for (const { seq: at, block } of logBlocks(store, seq + 1, store.durableSeq)) {
    const { entries } = partition.replay(at, block);
    tailEntries += entries.length;
    for (const entry of entries) {
      const erasure = erasureIn(entry); // its effect may have been lost with the process
      if (erasure !== undefined) erasures.add(erasure);
    }
    tailBytes += block.length;
    const nowMs = systemClock.monotonic();
    if (nowMs - saidMs < replayLogMs) continue;
    saidMs = nowMs;
    const percent = Math.floor((100 * (at - seq)) / (store.durableSeq - seq));
    log.info(
      { evt: 'partition.replaying', partition: index, seq: at },
      `reading the log: ${percent} %`,
    );
  }
  const durMs = Math.round(systemClock.monotonic() - startedMs);
  log.debug({
    evt: 'partition.ready',
    partition: index,
    seq: partition.seq,
    count: partition.seq - seq,
    entries: tailEntries,
    durMs,
  });
  const { figures } = partition;
  return {
    index,
    store,
    figures,
    seq,
    madeMs: checkpoint?.manifest.atMs ?? systemClock.now(),
    checkpointBytes: (checkpoint?.manifest.files ?? []).reduce((sum, { bytes }) => sum + bytes, 0),
    tailEntries,
    tailBytes,
    heldBy: () =>
      erasures.waiting === 0
        ? undefined
        : `partition ${index}: ${erasures.waiting} erased people are not on the list yet, and only the log tells of them`,
  };
}

function erasuresDirOf({ dataDir, erasuresDir }: ShardData): string {
  return erasuresDir ?? join(dataDir, erasuresFolder);
}

/** Starts nothing any more, and waits until what was started is durable and so granted: a grant must find its dispatcher. */
async function quiesce(running: readonly Running[]): Promise<void> {
  for (const { product } of running) product.quiesce();
  const turns = running.map(({ partition, store }) => ({ store, seq: partition.seq }));
  while (turns.some(({ store, seq }) => store.durableSeq < seq)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Turns run in the check phase, after what has arrived was delivered; one timer wakes the partition. */
function threadScheduler(): ThreadScheduler {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  return {
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
    soon: (task) => void setImmediate(task),
    wakeAt: (atMs, task) => {
      clearTimeout(timer);
      if (ended) return;
      // Never further than a minute: a wall clock that jumps ahead is noticed, and a long timeout cannot overflow.
      timer = setTimeout(task, Math.min(60_000, Math.max(0, atMs - systemClock.now())));
    },
  };
}

function watchDisk(guard: DiskGuard, running: Iterable<Running>, log: Log): void {
  const before = guard.low;
  const { low, freeBytes } = guard.check();
  if (low && !before)
    log.error(
      { evt: 'disk.low', bytes: freeBytes },
      'the disk is nearly full: writes are refused, but where a data file has old pages to use again',
    );
  if (!low && before)
    log.info({ evt: 'disk.recovered', bytes: freeBytes }, 'the disk has room again');
  for (const one of running) one.diskLow = guard.isLowFor(() => one.store.reusableBytes);
}

function figuresOf(running: readonly Running[], checkpoints: Checkpoints): ShardFigures {
  return {
    partitions: running.map(({ index, partition, product }) => {
      let outbox = 0;
      for (const app of product.state.apps.values()) outbox += app.outbox.jobs.size;
      return {
        partition: index,
        seq: partition.seq,
        checkpointSeq: checkpoints.seqOf(index),
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
