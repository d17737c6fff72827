// A shard thread: its partitions, links to the front and every dispatcher, and a pool for long
// reads. Answers here what needs more than one actor or turn.

import type { Answer, Effect, Message } from '../../engine/actor/message.ts';
import { shardOf } from '../../engine/actor/placement.ts';
import { createLog, type Log } from '../../engine/observe/log.ts';
import type { HostedStart } from '../../engine/thread/host.ts';
import { Link } from '../../engine/thread/link.ts';
import { Pool } from '../../engine/thread/pool.ts';
import { SharedCounts, SharedGate, SharedInstant } from '../../engine/thread/shared-word.ts';
import {
  type AnswerItem,
  laneOf,
  type RequestItem,
  threadItself,
} from '../../engine/thread/wire.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { ErasureList } from '../../storage/erasures.ts';
import { loadMasterKeys } from '../../storage/secrets.ts';
import type { CountedNames } from '../audiences/segments/counted-names.ts';
import { textSealer } from '../sealer.ts';
import type { DispatchRecall } from '../sending/dispatch/protocol.ts';
import { Checkpoints } from './checkpoints.ts';
import { ClockWatch } from './clock-watch.ts';
import { DiskWatch } from './disk-watch.ts';
import { DispatchLinks } from './dispatch-links.ts';
import type { ErasureListed } from './erasure.ts';
import { ExhaustedCounter, type SendsExhausted } from './exhausted.ts';
import { HeldInvoices } from './held-invoices.ts';
import { isKernelSynchronized } from './kernel-clock.ts';
import { type ChangeListed, listChange } from './listed-changes.ts';
import {
  erasuresDirOf,
  openForShard,
  type PartitionOutput,
  type RunningPartition,
} from './open-partition.ts';
import { poolQuestion } from './pool-questions.ts';
import type { CheckpointRequest, ClockRequest, ShardData } from './protocol.ts';
import { restoreLists } from './restore-lists.ts';
import { clockOf, figuresOf } from './shard-figures.ts';
import { ShardReads } from './shard-reads.ts';
import type { PoolResult, PoolTask } from './tasks.ts';
import { UnvouchedAlarm } from './unvouched-alarm.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const poolEntry = new URL(`./tasks.${extension}`, import.meta.url);
/** Seconds between two looks for what an operator must know. */
const lookTicks = 10;

type HostMessage = ErasureListed | ChangeListed | SendsExhausted | DispatchRecall;

/** `ports[i]` leads to dispatcher `i`. The result ends the shard. */
export async function hostShard(start: HostedStart<ShardData>): Promise<() => Promise<void>> {
  const shard = new Shard(start);
  shard.start();
  return () => shard.stop();
}

class Shard {
  readonly #data: ShardData;
  readonly #log: Log;
  readonly #running = new Map<number, RunningPartition>();
  readonly #front: Link<AnswerItem, RequestItem>;
  readonly #dispatchers: DispatchLinks;
  readonly #recalls: SharedCounts | undefined;
  readonly #disk: DiskWatch;
  /** A pool of its own, soon idle: a checkpoint leaves a copy of a partition's memory behind. */
  readonly #folder = new Pool<PoolTask, PoolResult>({ entry: poolEntry, maxThreads: 1 });
  readonly #checkpoints: Checkpoints;
  readonly #reads: ShardReads;
  readonly #counted: CountedNames[] = [];
  readonly #clockWatch: ClockWatch;
  readonly #exhausted: ExhaustedCounter;
  readonly #unvouched: UnvouchedAlarm;
  readonly #held: HeldInvoices;
  #ticks = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor({ port, ports, data }: HostedStart<ShardData>) {
    this.#data = data;
    const log = createLog({ level: data.logLevel, thread: `shard-${data.index}` });
    this.#log = log;
    this.#front = new Link(port, (item, bytes) => this.#receive(item, bytes));
    this.#dispatchers = new DispatchLinks(ports, (index) => this.#running.get(index)?.partition);
    this.#recalls = data.recalls && new SharedCounts(data.recalls);
    this.#disk = new DiskWatch({
      dataDir: data.dataDir,
      partitions: data.partitions,
      hasBallast: data.hasBallast === true && data.index === 0,
      log,
    });
    this.#checkpoints = new Checkpoints({
      dataDir: data.dataDir,
      pool: this.#folder,
      gate: new SharedGate(data.checkpointGate),
      clock: systemClock,
      log,
      disk: this.#disk.guard,
    });
    this.#reads = new ShardReads({
      dataDir: data.dataDir,
      entry: poolEntry,
      isYoung: (partition) => this.#checkpoints.isYoung(partition),
      log,
    });
    this.#clockWatch = new ClockWatch({
      sources: data.clockSources ?? [],
      clock: systemClock,
      agreed: new SharedInstant(data.clockAgreed),
      isKernelSynchronized,
    });
    this.#exhausted = new ExhaustedCounter(log);
    this.#unvouched = new UnvouchedAlarm(data.unvouchedAlarmPercent, log);
    this.#held = new HeldInvoices(log);
  }

  start(): void {
    const data = this.#data;
    const keys = loadMasterKeys({
      env: { ENGAGE_MASTER_KEY: data.masterKey },
      dataDir: data.dataDir,
    });
    const sealer = textSealer(keys.value);
    const lists = restoreLists(erasuresDirOf(data), this.#log);
    const options = { data, sealer, lists, log: this.#log, output: this.#output() };
    for (let index = 0; index < data.partitions; index++) {
      if (shardOf(index, data.shards) !== data.index) continue;
      const { opened, tail } = openForShard(index, options);
      this.#running.set(index, opened);
      this.#checkpoints.add(tail);
      this.#counted.push(this.#reads.countedNamesOf(opened));
    }
    this.#disk.tick(this.#running.values());
    for (const partition of this.#partitions) partition.start();
    this.#ticking = setInterval(() => this.#tick(), 1_000);
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    this.#reads.stop();
    await this.#dispatchers.ended();
    await Promise.all(this.#partitions.map((partition) => partition.stop()));
    this.#exhausted.flush();
    for (const { scheduler, erasures } of this.#running.values()) {
      scheduler.end();
      erasures.flush();
    }
    this.#front.flush();
    this.#dispatchers.flush();
    await this.#checkpoints.stop();
    await Promise.all([this.#reads.close(), this.#folder.close()]);
    await Promise.all([...this.#running.values()].map(({ store }) => store.close()));
  }

  get #partitions() {
    return [...this.#running.values()].map(({ partition }) => partition);
  }

  #tick(): void {
    const running = [...this.#running.values()];
    if (this.#ticks++ % lookTicks === 0) {
      const nowMs = systemClock.now();
      this.#unvouched.look(appsOf(running), nowMs);
      for (const { product } of running) this.#held.look(product.state, nowMs);
    }
    this.#clockWatch.tick(this.#partitions);
    this.#disk.tick(running);
    for (const { erasures } of running) erasures.flush();
    this.#exhausted.flush();
    this.#checkpoints.tick();
    for (const names of this.#counted) names.tick();
  }

  #output(): PartitionOutput {
    return {
      emit: (effect, erasures) => this.#emit(effect, erasures),
      onRead: (bytes) => this.#front.giveBack(bytes),
      isDiskFull: (store) => this.#disk.isFullFor(store),
      onGrown: () => this.#disk.look(this.#running.values()),
    };
  }

  #emit({ port, message }: Effect, erasures: ErasureList): void {
    if (port === 'front') this.#front.send([0, message]);
    else if (port === 'host') this.#take(message as HostMessage, erasures);
    else this.#dispatchers.send(port, message);
  }

  #take(message: HostMessage, erasures: ErasureList): void {
    if (message.kind === 'sends.given_up') this.#exhausted.add(message);
    else if (message.kind === 'change.listed') listChange(erasures, message.change);
    else if (message.kind === 'dispatch.recall') {
      this.#dispatchers.sendAllAtOnce(message);
      this.#recalls?.raise(this.#data.index);
    } else erasures.add(message.erasure);
  }

  #receive(item: RequestItem, bytes: Uint8Array | undefined): void {
    const [correlation, partition, to, lane, deadlineMs, message, weight] = item;
    const answer =
      correlation === 0 ? undefined : (value: Answer) => this.#front.send([correlation, value]);
    const fail = (message: string) => answer?.({ ok: false, fault: { code: 'internal', message } });
    if (partition === threadItself) {
      void this.#answer(message).then(
        (value) => answer?.({ ok: true, value }),
        (error: unknown) => fail(String(error)),
      );
      return;
    }
    const target = this.#running.get(partition);
    if (target === undefined) {
      fail(`partition ${partition} is not here`);
      return;
    }
    const question = answer === undefined ? undefined : poolQuestion(message.kind);
    if (question !== undefined && answer !== undefined) {
      question(this.#reads.hostOf(target), to, message, answer);
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

  /** Of the thread itself. */
  async #answer(message: Message): Promise<unknown> {
    const running = [...this.#running.values()];
    switch (message.kind) {
      case 'thread.figures':
        return {
          ...figuresOf(running, this.#checkpoints, this.#disk),
          exhausted: this.#exhausted.figures,
          unvouchedApps: this.#unvouched.apps,
        };
      case 'thread.clock': {
        const before = clockOf(this.#partitions);
        if ((message as ClockRequest).accept)
          for (const partition of this.#partitions) partition.acceptClock();
        return before;
      }
      case 'thread.quiesce':
        await quiesce(running);
        this.#dispatchers.flush();
        return null;
      case 'thread.checkpoint': {
        const { partition, sweep } = message as CheckpointRequest;
        return this.#checkpoints.now(partition, sweep);
      }
      default:
        return undefined;
    }
  }
}

/** Starts no more sends; waits until all grants are out: they must find their dispatcher. */
async function quiesce(running: readonly RunningPartition[]): Promise<void> {
  for (const { product } of running) product.quiesce();
  const turns = running.map(({ partition, store }) => ({ store, seq: partition.seq }));
  while (turns.some(({ store, seq }) => store.durableSeq < seq)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function* appsOf(running: Iterable<RunningPartition>) {
  for (const { product } of running) yield* product.state.apps;
}
