// A shard thread: its partitions, links to the front and every dispatcher, and a pool for long
// reads. Answers here what needs more than one actor or turn.

import type { Answer, Message } from '../../engine/actor/message.ts';
import type { Partition } from '../../engine/actor/partition.ts';
import { shardOf } from '../../engine/actor/placement.ts';
import { type Millis, minuteMs, type Ordinal } from '../../engine/base/brand.ts';
import { createLog } from '../../engine/observe/log.ts';
import type { HostedStart } from '../../engine/thread/host.ts';
import { Link } from '../../engine/thread/link.ts';
import { Pool } from '../../engine/thread/pool.ts';
import { SharedCounts, SharedGate, SharedInstant } from '../../engine/thread/shared-word.ts';
import {
  type AnswerItem,
  type GrantItem,
  laneOf,
  type OutcomeItem,
  type RequestItem,
  threadItself,
} from '../../engine/thread/wire.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { loadMasterKeys } from '../../storage/secrets.ts';
import { CountedNames } from '../audiences/segments/counted-names.ts';
import { timesRead } from '../audiences/segments/pool-read.ts';
import { previewRead } from '../content/messages/pool-read.ts';
import { InsightQueue } from '../insight-queue.ts';
import type { PoolRead, ReadingHost } from '../pool-question.ts';
import { ReadLine } from '../read-line.ts';
import { textSealer } from '../sealer.ts';
import type { DispatchAnswer, DispatchRecall } from '../sending/dispatch/protocol.ts';
import { slowedChannels } from '../sending/transactional/channel-states.ts';
import { unpaidFigures } from '../tenants/billing/unpaid.ts';
import { Checkpoints } from './checkpoints.ts';
import { ClockWatch } from './clock-watch.ts';
import { DiskWatch } from './disk-watch.ts';
import type { ErasureListed } from './erasure.ts';
import { ExhaustedCounter, type SendsExhausted } from './exhausted.ts';
import { HeldInvoices } from './held-invoices.ts';
import { isKernelSynchronized } from './kernel-clock.ts';
import {
  erasuresDirOf,
  openForShard,
  type PartitionOutput,
  type RunningPartition,
} from './open-partition.ts';
import { poolQuestion } from './pool-questions.ts';
import type {
  CheckpointRequest,
  ClockFigures,
  ClockRequest,
  ShardData,
  ShardFigures,
} from './protocol.ts';
import { runRead } from './reads.ts';
import { type ChangeListed, listChange } from './restore-changes.ts';
import { restoreLists } from './restore-lists.ts';
import type { PoolResult, PoolTask } from './tasks.ts';
import { UnvouchedAlarm } from './unvouched-alarm.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/** One for an insight, one for short reads. */
const readThreads = 2;
/**
 * A reader keeps what it cached of files and log; without that a page takes ten times as long, so
 * it outlasts the pauses of somebody who works. It holds 20 MB after one page, 50 after a hundred.
 */
const readIdleMs = 5 * minuteMs;
const reportsWaitMs = 1000;
/** Seconds between two looks for what an operator must know. */
const lookTicks = 10;

type HostMessage = ErasureListed | ChangeListed | SendsExhausted | DispatchRecall;

/** `ports[i]` leads to dispatcher `i`. */
export async function hostShard({
  port,
  ports,
  data,
}: HostedStart<ShardData>): Promise<() => Promise<void>> {
  const log = createLog({ level: data.logLevel, thread: `shard-${data.index}` });
  const sealer = textSealer(
    loadMasterKeys({ env: { ENGAGE_MASTER_KEY: data.masterKey }, dataDir: data.dataDir }).value,
  );
  const disk = new DiskWatch({
    dataDir: data.dataDir,
    partitions: data.partitions,
    hasBallast: data.hasBallast === true && data.index === 0,
    log,
  });
  const running = new Map<number, RunningPartition>();

  const front: Link<AnswerItem, RequestItem> = new Link(port, (item, bytes) =>
    receive(item, bytes),
  );
  let dispatchersEnded = 0;
  const dispatchers: readonly Link<GrantItem, OutcomeItem>[] = ports.map(
    (dispatchPort, index) =>
      new Link<GrantItem, OutcomeItem>(dispatchPort, ([partition, to, message, correlation]) => {
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
          answer: correlation === undefined ? undefined : answerTo(index, correlation),
        });
      }),
  );
  const answerTo = (dispatcher: number, correlation: number) => (answer: Answer) => {
    const answered: DispatchAnswer = { kind: 'dispatch.answer', correlation, answer };
    dispatchers[dispatcher]?.send(answered);
  };
  const exhausted = new ExhaustedCounter(log);
  const recalls = data.recalls && new SharedCounts(data.recalls);
  const recall = (message: DispatchRecall) => {
    for (const link of dispatchers) {
      link.send(message);
      link.flush(); // they stand still until it is there
    }
    recalls?.raise(data.index);
  };
  const output: PartitionOutput = {
    emit(effect, erasures) {
      if (effect.port === 'front') front.send([0, effect.message]);
      else if (effect.port === 'host') {
        const message = effect.message as HostMessage;
        if (message.kind === 'sends.given_up') exhausted.add(message);
        else if (message.kind === 'dispatch.recall') recall(message);
        else if (message.kind === 'change.listed') listChange(erasures, message.change);
        else erasures.add(message.erasure);
      } else dispatchers[effect.port]?.send(effect.message);
    },
    onRead: (bytes) => front.giveBack(bytes),
    isDiskFull: (store) => disk.isFullFor(store),
    onGrown: () => disk.look(running.values()),
  };
  const entry = new URL(`./tasks.${extension}`, import.meta.url);
  const readers = new Pool<PoolTask, PoolResult>({
    entry,
    maxThreads: readThreads,
    idleMs: readIdleMs,
  });
  const after = (ms: Millis, task: () => void) => {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  };
  const readLine = new ReadLine(readThreads, after);
  // A pool of its own, soon idle: a checkpoint leaves a copy of a partition's memory behind.
  const folder = new Pool<PoolTask, PoolResult>({ entry, maxThreads: 1 });
  const checkpoints = new Checkpoints({
    dataDir: data.dataDir,
    pool: folder,
    gate: new SharedGate(data.checkpointGate),
    clock: systemClock,
    log,
    disk: disk.guard,
  });
  const insights = new InsightQueue(after);
  const lists = restoreLists(erasuresDirOf(data), log);
  const counted: CountedNames[] = [];

  for (let index = 0; index < data.partitions; index++) {
    if (shardOf(index, data.shards) !== data.index) continue;
    const { opened, tail } = openForShard(index, data, sealer, lists, log, output);
    running.set(index, opened);
    checkpoints.add(tail);
    counted.push(countedNamesOf(opened));
  }
  disk.tick(running.values());
  for (const { partition } of running.values()) partition.start();
  const clockWatch = new ClockWatch({
    sources: data.clockSources ?? [],
    clock: systemClock,
    agreed: new SharedInstant(data.clockAgreed),
    isKernelSynchronized,
  });
  const partitions = [...running.values()].map(({ partition }) => partition);
  const unvouched = new UnvouchedAlarm(data.unvouchedAlarmPercent, log);
  const held = new HeldInvoices(log);
  let ticks = 0;
  const tick = setInterval(() => {
    if (ticks++ % lookTicks === 0) {
      const nowMs = systemClock.now();
      unvouched.look(appsOf(running.values()), nowMs);
      for (const { product } of running.values()) held.look(product.state, nowMs);
    }
    clockWatch.tick(partitions);
    disk.tick(running.values());
    for (const { erasures } of running.values()) erasures.flush();
    exhausted.flush();
    checkpoints.tick();
    for (const names of counted) names.tick();
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
    const question = answer === undefined ? undefined : poolQuestion(message.kind);
    if (question !== undefined && answer !== undefined) {
      question(readingHost(target), to, message, answer);
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

  function countedNamesOf(one: RunningPartition): CountedNames {
    const { partition, product, store, scheduler } = one;
    const host = readingHost(one);
    return new CountedNames({
      state: product.state,
      seq: () => partition.seq,
      durableSeq: () => store.durableSeq,
      now: () => systemClock.now(),
      read: (app, read) => host.read(app, timesRead, read),
      soon: (task) => scheduler.soon(task),
      onWhole: (app) => {
        product.columnsBecameWhole(app);
        partition.nudge();
      },
      onFailed: (app, error) => host.onFailed(app, 'times', error),
    });
  }

  function readingHost({ index, partition, store }: RunningPartition): ReadingHost {
    return {
      partition,
      insights,
      read: async <What, Found>(
        app: Ordinal,
        { name }: PoolRead<What, Found>,
        what: What,
        own?: readonly ArrayBuffer[],
      ) => {
        // A preview takes equally long whatever the partition holds.
        if (name !== previewRead.name && checkpoints.isYoung(index))
          return (await runRead(name, what, store, undefined)) as Found;
        const task: PoolTask = {
          kind: 'read',
          name,
          what,
          dataDir: data.dataDir,
          partition: index,
        };
        return (await readLine.run(app, () => readers.run(task, own))) as Found;
      },
      onFailed: (app, what, error) =>
        log.error(
          { evt: 'read.failed', partition: index, app, what, err: error },
          'a long read failed; its caller got an error',
        ),
    };
  }

  async function answerForThread(message: Message): Promise<unknown> {
    if (message.kind === 'thread.figures')
      return {
        ...figuresOf([...running.values()], checkpoints, disk),
        exhausted: exhausted.figures,
        unvouchedApps: unvouched.apps,
      };
    if (message.kind === 'thread.clock') {
      const before = clockOf(partitions);
      if ((message as ClockRequest).accept)
        for (const partition of partitions) partition.acceptClock();
      return before;
    }
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
    insights.stop();
    // Without the dispatchers' last reports, sends that were made would be made again.
    for (
      let waitedMs = 0;
      dispatchersEnded < ports.length && waitedMs < reportsWaitMs;
      waitedMs += 5
    ) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all([...running.values()].map(({ partition }) => partition.stop()));
    exhausted.flush();
    for (const { scheduler, erasures } of running.values()) {
      scheduler.end();
      erasures.flush();
    }
    front.flush();
    for (const link of dispatchers) link.flush();
    await checkpoints.stop();
    await Promise.all([readers.close(), folder.close()]);
    await Promise.all([...running.values()].map(({ store }) => store.close()));
  };
}

/** Starts no more sends; waits until all grants are out: they must find their dispatcher. */
async function quiesce(running: readonly RunningPartition[]): Promise<void> {
  for (const { product } of running) product.quiesce();
  const turns = running.map(({ partition, store }) => ({ store, seq: partition.seq }));
  while (turns.some(({ store, seq }) => store.durableSeq < seq)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function clockOf(partitions: readonly Pick<Partition, 'clock' | 'quarantined'>[]): ClockFigures {
  const clocks = partitions.map(({ clock }) => clock);
  const quarantined = partitions.reduce((sum, one) => sum + one.quarantined.size, 0);
  return {
    behindMs: Math.max(0, ...clocks.map(({ behindMs }) => behindMs)),
    unconfirmedMs: Math.max(0, ...clocks.map(({ unconfirmedMs }) => unconfirmedMs)),
    ...(quarantined === 0 ? {} : { quarantined }),
  };
}

function* appsOf(running: Iterable<RunningPartition>) {
  for (const { product } of running) yield* product.state.apps;
}

function figuresOf(
  running: readonly RunningPartition[],
  checkpoints: Checkpoints,
  disk: DiskWatch,
): Pick<ShardFigures, 'partitions'> {
  return {
    partitions: running.map((one) => {
      const { index, partition, product, store } = one;
      const nowMs = systemClock.now();
      let outbox = 0;
      let oldestMs = nowMs;
      let journeys = 0;
      const campaigns = { scheduled: 0, sending: 0, paused: 0 };
      let open = 0;
      let disabled = 0;
      let slowed = 0;
      for (const app of product.state.apps.values()) {
        const { outbox: sends, webhooks } = app;
        outbox += sends.jobs.size;
        slowed += slowedChannels(sends);
        oldestMs = Math.min(oldestMs, sends.oldestMs ?? nowMs);
        for (const { state } of app.campaigns.unfinishedRecords())
          if (state === 'scheduled' || state === 'sending' || state === 'paused')
            campaigns[state]++;
        for (const { flow } of app.journeys.all()) journeys += flow.runs.count;
        for (const one of webhooks.destinations.values()) {
          open += one.open;
          if (one.record.disabledReason !== undefined) disabled++;
        }
      }
      return {
        partition: index,
        seq: partition.seq,
        checkpointSeq: checkpoints.seqOf(index),
        mailbox: partition.mailboxSize,
        timers: partition.timersPending,
        apps: product.state.apps.size,
        outbox,
        outboxOldestMs: nowMs - oldestMs,
        slowed,
        campaigns,
        journeys,
        store: {
          bytes: store.fileBytes,
          oldestReaderMs: store.oldestReaderMs(nowMs),
          diskLevel: disk.levelOf(one),
        },
        webhooks: { open, disabled },
        unpaid: unpaidFigures(product.state.orgs),
        ready: product.state.ready.size,
        expiredPeople: product.state.expiredPeople,
        eventIdHours: product.state.eventIds.effectiveWindowHours(),
        clock: clockOf([partition]),
        quarantined: partition.quarantined.size,
        figures: partition.figures,
      };
    }),
  };
}
