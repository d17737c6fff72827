// Opens a partition and brings its memory up to date from the newest checkpoint and the log. Throws
// one sentence if the files cannot be trusted. A commit that fails later ends the process: only a
// restart can read what is durable.

import { join } from 'node:path';
import type { Effect, Entry } from '../../engine/actor/message.ts';
import { Partition } from '../../engine/actor/partition.ts';
import type { PartitionOptions } from '../../engine/actor/partition-options.ts';
import type { PartitionStore } from '../../engine/actor/store.ts';
import { type Millis, minuteMs, type Seq } from '../../engine/base/brand.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { systemRng } from '../../engine/base/rng.ts';
import { commitFailedExitCode } from '../../engine/cluster/primary.ts';
import type { Log } from '../../engine/observe/log.ts';
import { CannotStart } from '../../engine/thread/host.ts';
import { type ThreadScheduler, threadScheduler } from '../../engine/thread/scheduler.ts';
import { SharedPaces } from '../../engine/thread/shared-paces.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { newestCheckpoint } from '../../storage/checkpoint.ts';
import { Documents } from '../../storage/documents.ts';
import { type Environment, openPartition } from '../../storage/environment.ts';
import { ErasureList, erasuresFolder } from '../../storage/erasures.ts';
import { CannotOpen } from '../../storage/kinds.ts';
import { lineOf } from '../../storage/listed-change.ts';
import { logBlocks } from '../../storage/log.ts';
import { availableChannels } from '../channels/catalog.ts';
import { unsubscribeUrl } from '../channels/email/unsubscribe.ts';
import type { Sealer } from '../sealer.ts';
import type { DispatchPlan } from '../sending/outbox/pump.ts';
import type { CheckpointedPartition } from './checkpoints.ts';
import { allowedWhenFull } from './disk-reserve.ts';
import { erasureIn } from './erasure.ts';
import { knownKinds } from './known-kinds.ts';
import { changeIn } from './listed-changes.ts';
import { Product } from './machine.ts';
import type { ShardData } from './protocol.ts';
import type { RestoreLists } from './restore-lists.ts';

const replayLogMs = 1000;

/** What outlives a partition's memory in this process. */
interface PartitionFiles {
  readonly index: number;
  readonly store: Environment;
  readonly erasures: ErasureList;
  readonly relayDays: Pick<DispatchPlan, 'relayCallsToday' | 'addRelayDays'>;
}

export interface RunningPartition extends Omit<PartitionFiles, 'relayDays'> {
  readonly partition: Partition;
  readonly product: Product;
  readonly scheduler: ThreadScheduler;
  /** As of the last look at the disk. */
  diskLow: boolean;
}

export interface PartitionOutput {
  emit(effect: Effect, erasures: ErasureList): void;
  /** See `PartitionOptions`. */
  onRead(bytes: Uint8Array): void;
  isDiskFull(store: Environment): boolean;
  /** See `EnvironmentOptions`. */
  onGrown(): void;
}

interface OpenOptions {
  readonly data: ShardData;
  readonly sealer: Sealer;
  readonly lists: RestoreLists;
  readonly log: Log;
  readonly output: PartitionOutput;
}

interface OpenPartition {
  readonly opened: RunningPartition;
  /** Its log since the checkpoint. */
  readonly tail: CheckpointedPartition;
}

/** Does not start the partition. */
export function openForShard(index: number, options: OpenOptions): OpenPartition {
  const files = openFiles(index, options);
  return openMemory(files, files.store, index, options);
}

export function openFiles(
  index: number,
  { data, log, output: { onGrown } }: Pick<OpenOptions, 'data' | 'log' | 'output'>,
): PartitionFiles {
  const store = openStore({
    dataDir: data.dataDir,
    partition: index,
    partitions: data.partitions,
    nowMs: systemClock.now(),
    known: knownKinds,
    onFatal: (error) => endThread(index, error, log, commitFailedExitCode),
    onGrown,
  });
  const erasures = erasureList(index, data, log);
  return { index, store, erasures, relayDays: relayDaysOf(data.paces) };
}

/**
 * Memory from files, not started. It writes to `over`: the files themselves, or a log that servers
 * share. A server that loses a partition throws its memory away and opens another; `address` is
 * where reports of what it grants go, so that those for the memory of before reach nobody.
 */
export function openMemory(
  { index, store, erasures, relayDays }: PartitionFiles,
  over: PartitionStore,
  address: number,
  { data, sealer, lists, log, output }: OpenOptions,
): OpenPartition {
  const { emit, onRead, isDiskFull } = output;
  const product = openProduct(address, data, store, relayDays, sealer, lists, log);
  const scheduler = threadScheduler();
  const partition = new Partition({
    index,
    store: over,
    documents: new Documents(over),
    machine: product,
    clock: systemClock,
    rng: systemRng(),
    scheduler,
    emit: (effect) => emit(effect, erasures),
    onRead,
    diskLow: () => opened.diskLow,
    diskFull: () => isDiskFull(store),
    allowedWhenFull,
    onDeadLetter: (letter, error) =>
      log.error(
        { evt: 'message.dead_letter', partition: index, message: letter.message, err: error },
        'a message handler threw',
      ),
    ...clockLines(index, log),
    onFatal: (error) => endThread(index, error, log, 70),
  });
  const tail = orCannotStart(store.path, () => catchUp(partition, store, erasures, log));
  const opened: RunningPartition = {
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

/**
 * What a standby folds the owner's turns into. The owner's effects put erasures and changes on its
 * own lists for restores; each copy keeps them from the entries.
 */
export function foldOf({ partition, erasures }: Pick<RunningPartition, 'partition' | 'erasures'>) {
  return {
    replay(seq: Seq, bytes: Uint8Array): void {
      const { entries, atMs } = partition.replay(seq, bytes);
      for (const entry of entries) list(entry, atMs, erasures);
    },
    start: () => partition.start(),
    fenced: () => partition.fenced(),
  };
}

function openStore(options: Parameters<typeof openPartition>[0]): Environment {
  try {
    return openPartition(options);
  } catch (error) {
    if (error instanceof CannotOpen) throw new CannotStart(error.message);
    throw error;
  }
}

/** What is stored reads the same at the next start. */
function orCannotStart<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const where = problem.startsWith(path) ? problem : `${path}: ${problem}`;
    throw new CannotStart(
      `${where.replace(/\.$/, '')}; this data cannot be served: run \`engage check\` to see what is damaged, and restore the newest backup with \`engage restore\`.`,
    );
  }
}

type ClockCallbacks = Pick<
  PartitionOptions,
  'onClockJump' | 'onClockDoubted' | 'onClockConfirmed' | 'onClockBehind'
>;

function clockLines(index: number, log: Log): ClockCallbacks {
  return {
    onClockJump: (aheadMs) =>
      log.warn(
        { evt: 'clock.jumped', partition: index, durMs: Math.round(aheadMs) },
        'the wall clock jumped ahead; timers catch up at five minutes per second',
      ),
    onClockDoubted: (byMs) =>
      log.warn(
        { evt: 'clock.unconfirmed', partition: index, durMs: byMs },
        'the wall clock is ahead of the newest data: either the server was off, or the clock is wrong; nothing expires until the clock is confirmed',
      ),
    onClockConfirmed: (by) =>
      log.info({ evt: 'clock.confirmed', partition: index, reason: by }, 'the clock is confirmed'),
    onClockBehind: (behindMs) => {
      if (behindMs < minuteMs) {
        log.info(
          { evt: 'clock.agrees', partition: index },
          'the clock has caught up with the data',
        );
        return;
      }
      log.error(
        { evt: 'clock.behind', partition: index, durMs: behindMs },
        'the wall clock is behind the newest data: it is wrong now, or it was wrong before; delays continue, and schedules wait for the clock',
      );
    },
  };
}

function endThread(partition: number, error: unknown, log: Log, code: number): never {
  log.fatal(
    { evt: 'partition.fatal', partition, err: error },
    'this process cannot continue; it restarts and recovers from the log',
  );
  // Ends this thread, and with it the main thread's wait. The whole process must end: the primary
  // starts it again.
  process.exit(code);
}

function erasureList(partition: number, data: ShardData, log: Log): ErasureList {
  return new ErasureList({
    directory: erasuresDirOf(data),
    partition,
    keptDays: data.backupDays,
    onFailed: (error) =>
      log.error(
        { evt: 'erasures.unwritten', partition, err: error },
        'the lists for restores (erased people, deleted keys, secrets, opt-outs) cannot be written; retrying every second, and no checkpoint is made until it works',
      ),
    onRecovered: (count) =>
      log.info(
        { evt: 'erasures.written', partition, count },
        'the lists for restores are up to date again',
      ),
  });
}

function openProduct(
  partition: number,
  data: ShardData,
  { epoch, resend }: Environment,
  relayDays: PartitionFiles['relayDays'],
  sealer: Sealer,
  lists: RestoreLists,
  log: Log,
): Product {
  return new Product({
    sealer,
    allowHttpEndpoints: data.allowHttpEndpoints,
    ...(data.newOrgQuotaBytes === undefined ? {} : { newOrgQuotaBytes: data.newOrgQuotaBytes }),
    ...(data.clientsShare === undefined ? {} : { clientsShare: data.clientsShare }),
    tableKey: newHashKey(systemRng()),
    ...(resend === undefined ? {} : { restored: { epoch, resend, ...lists } }),
    plan: {
      partition,
      ...relayDays,
      publicUrl: data.publicUrl,
      dispatchers: data.dispatchers,
      ...(data.campaignDispatchers === undefined
        ? {}
        : { campaignDispatchers: data.campaignDispatchers }),
      charges: data.charges,
      available: new Set(availableChannels(data.hasRelay)),
      credentialsRequired: data.credentialsRequired,
      senders: data.senders,
      onUnreadable: (app, error) =>
        log.error(
          { evt: 'send.unreadable', partition, app, err: error },
          'a send is blocked: its credential or a record cannot be read',
        ),
      unsubscribeUrl: (app, address, isMarketing, rng, about) =>
        unsubscribeUrl(data.publicUrl, sealer, app, address, isMarketing, rng, about),
    },
  });
}

/**
 * Calls of relays are counted by dispatchers; those of an earlier process once, by each partition.
 */
function relayDaysOf(
  buffer: SharedArrayBuffer | undefined,
): Pick<DispatchPlan, 'relayCallsToday' | 'addRelayDays'> {
  if (buffer === undefined) return {};
  const paces = new SharedPaces(buffer);
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
      'the previous checkpoint is used',
    ),
  );
  const seq = checkpoint?.manifest.seq ?? 0;
  if (seq > store.durableSeq)
    throw new Error(
      `${store.path}: its checkpoint is newer than its log; files of different backups were mixed.`,
    );
  if (seq + 1 < store.oldestSeq)
    throw new Error(
      `${store.path}: the log starts at ${store.oldestSeq} and no checkpoint covers what came before.`,
    );
  if (checkpoint !== undefined) partition.restore(checkpoint.parts(), seq);
  let tailEntries = 0;
  let tailBytes = 0;
  let loggedMs = startedMs;
  for (const { seq: at, block } of logBlocks(store, seq + 1, store.durableSeq)) {
    const { entries, atMs } = partition.replay(at, block);
    tailEntries += entries.length;
    for (const entry of entries) list(entry, atMs, erasures);
    tailBytes += block.length;
    const nowMs = systemClock.monotonic();
    if (nowMs - loggedMs < replayLogMs) continue;
    loggedMs = nowMs;
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
    madeMs: Math.min(checkpoint?.manifest.atMs ?? Number.POSITIVE_INFINITY, systemClock.now()),
    checkpointBytes: (checkpoint?.manifest.files ?? []).reduce((sum, { bytes }) => sum + bytes, 0),
    tailEntries,
    tailBytes,
    heldBy: () =>
      erasures.waiting === 0
        ? undefined
        : `partition ${index}: ${erasures.waiting} erased people or changed keys, secrets and opt-outs are not on the lists for restores yet and are only in the log`,
  };
}

/** The crash may have lost the effect that lists it. */
function list(entry: Entry, atMs: Millis, lists: ErasureList): void {
  const erasure = erasureIn(entry);
  if (erasure !== undefined) lists.add(erasure);
  const change = changeIn(entry, atMs);
  if (change !== undefined) lists.addAgain(lineOf(change));
}

export function erasuresDirOf({ dataDir, erasuresDir }: ShardData): string {
  return erasuresDir ?? join(dataDir, erasuresFolder);
}
