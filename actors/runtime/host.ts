// A shard thread: its partitions, links to the front and every dispatcher, and a pool for long
// reads. Answers here what needs more than one actor or turn.

import type { Answer, Effect, Message } from '../../engine/actor/message.ts';
import { shardOf } from '../../engine/actor/placement.ts';
import { moved } from '../../engine/actor/turn-faults.ts';
import { createLog, type Log } from '../../engine/observe/log.ts';
import type { HostedStart } from '../../engine/thread/host.ts';
import { Link } from '../../engine/thread/link.ts';
import { SharedCounts, SharedInstant } from '../../engine/thread/shared-word.ts';
import {
  type AnswerItem,
  laneOf,
  type RequestItem,
  threadItself,
} from '../../engine/thread/wire.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { ErasureList } from '../../storage/erasures.ts';
import { loadMasterKeys } from '../../storage/secrets.ts';
import { type Sealer, textSealer } from '../sealer.ts';
import type { DispatchRecall } from '../sending/dispatch/protocol.ts';
import { ClockWatch } from './clock-watch.ts';
import type { ClusterMember, OpenClusterPorts } from './cluster/member.ts';
import { withOwnFiles } from './cluster/own-files.ts';
import { DispatchLinks } from './dispatch-links.ts';
import type { ErasureListed } from './erasure.ts';
import { ExhaustedCounter, type SendsExhausted } from './exhausted.ts';
import { HeldInvoices } from './held-invoices.ts';
import { isKernelSynchronized } from './kernel-clock.ts';
import { type ChangeListed, listChange } from './listed-changes.ts';
import {
  erasuresDirOf,
  type OpenOptions,
  openForShard,
  type PartitionOutput,
  type RunningPartition,
} from './open-partition.ts';
import { OpenPartitions } from './open-partitions.ts';
import { poolQuestion } from './pool-questions.ts';
import type { ShardData } from './protocol.ts';
import { restoreLists } from './restore-lists.ts';
import { answerOfThread } from './thread-questions.ts';
import { UnvouchedAlarm } from './unvouched-alarm.ts';

/** Seconds between two looks for what an operator must know. */
const lookTicks = 10;

type HostMessage = ErasureListed | ChangeListed | SendsExhausted | DispatchRecall;

/**
 * `ports[i]` leads to dispatcher `i`. The result ends the shard. `openPorts`: what a member of a
 * cluster shares with others; for tests.
 */
export async function hostShard(
  start: HostedStart<ShardData>,
  openPorts?: OpenClusterPorts,
): Promise<() => Promise<void>> {
  const shard = new Shard(start);
  if (start.data.cluster === undefined) shard.start();
  else await shard.joined(openPorts);
  return () => shard.stop();
}

class Shard {
  readonly #data: ShardData;
  readonly #sealer: Sealer;
  readonly #log: Log;
  readonly #partitions: OpenPartitions;
  readonly #front: Link<AnswerItem, RequestItem>;
  readonly #dispatchers: DispatchLinks;
  readonly #recalls: SharedCounts | undefined;
  readonly #clockWatch: ClockWatch;
  readonly #exhausted: ExhaustedCounter;
  readonly #unvouched: UnvouchedAlarm;
  readonly #held: HeldInvoices;
  /** Where several machines share the log. */
  #member: ClusterMember | undefined;
  #joining: Promise<void> | undefined;
  #ticks = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor({ port, ports, data: started }: HostedStart<ShardData>) {
    this.#sealer = sealerOf(started);
    const data = withOwnFiles(started);
    this.#data = data;
    const log = createLog({ level: data.logLevel, thread: `shard-${data.index}` });
    this.#log = log;
    this.#partitions = new OpenPartitions(data, log);
    this.#front = new Link(port, (item, bytes) => this.#receive(item, bytes));
    this.#dispatchers = new DispatchLinks(
      ports,
      (address) => this.#partitions.at(address)?.partition,
    );
    this.#recalls = data.recalls && new SharedCounts(data.recalls);
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
    const { index: shard, partitions, shards } = this.#data;
    const options = this.#openOptions();
    for (let index = 0; index < partitions; index++) {
      if (shardOf(index, shards) !== shard) continue;
      const { opened, tail } = openForShard(index, options);
      this.#partitions.add(opened, tail);
    }
    this.#partitions.disk.tick(this.#partitions.all);
    for (const { partition } of this.#partitions.all) partition.start();
    this.#beginTicks();
  }

  /** As a member of a cluster: partitions open and close as the cluster decides. */
  joined(openPorts: OpenClusterPorts | undefined): Promise<void> {
    this.#joining ??= this.#join(openPorts);
    return this.#joining;
  }

  async #join(openPorts: OpenClusterPorts | undefined): Promise<void> {
    const { joinCluster } = await import('./cluster/member.ts');
    this.#member = await joinCluster({
      open: this.#openOptions(),
      partitions: this.#partitions,
      log: this.#log,
      tellFront: (message) => this.#front.send([0, message]),
      tellDispatchers: (message) => this.#dispatchers.sendAllAtOnce(message),
      ...(openPorts && { openPorts }),
    });
    this.#partitions.disk.tick(this.#partitions.all);
    this.#beginTicks();
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    this.#partitions.reads.stop();
    await this.#dispatchers.ended();
    if (this.#member === undefined)
      await Promise.all(this.#partitions.all.map(({ partition }) => partition.stop()));
    else await this.#member.leave();
    this.#exhausted.flush();
    for (const { scheduler, erasures } of this.#partitions.all) {
      scheduler.end();
      erasures.flush();
    }
    this.#front.flush();
    this.#dispatchers.flush();
    await this.#partitions.stop();
    await this.#member?.close();
  }

  #openOptions(): OpenOptions {
    const data = this.#data;
    const lists = restoreLists(erasuresDirOf(data), this.#log);
    return { data, sealer: this.#sealer, lists, log: this.#log, output: this.#output() };
  }

  #beginTicks(): void {
    this.#ticking = setInterval(() => this.#tick(), 1_000);
  }

  #tick(): void {
    const { started } = this.#partitions;
    if (this.#ticks++ % lookTicks === 0) {
      const nowMs = systemClock.now();
      this.#unvouched.look(appsOf(started), nowMs);
      for (const { product } of started) this.#held.look(product.state, nowMs);
    }
    this.#clockWatch.tick(started.map(({ partition }) => partition));
    this.#exhausted.flush();
    this.#partitions.tick();
  }

  #output(): PartitionOutput {
    const partitions = this.#partitions;
    return {
      emit: (effect, erasures) => this.#emit(effect, erasures),
      onRead: (bytes) => this.#front.giveBack(bytes),
      isDiskFull: (store) => partitions.disk.isFullFor(store),
      onGrown: () => partitions.disk.look(partitions.all),
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
    if (this.#data.cluster !== undefined && this.#member?.mayTake(partition) !== true) {
      answer?.({ ok: false, fault: moved });
      return;
    }
    const target = this.#partitions.of(partition);
    if (target === undefined) {
      fail(`partition ${partition} is not here`);
      return;
    }
    const question = answer === undefined ? undefined : poolQuestion(message.kind);
    if (question !== undefined && answer !== undefined) {
      question(this.#partitions.reads.hostOf(target), to, message, answer);
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
    await this.#joining;
    const asked = this.#member?.answer(message);
    if (asked !== undefined) return asked;
    return answerOfThread(
      {
        partitions: this.#partitions,
        exhausted: this.#exhausted,
        unvouched: this.#unvouched,
        flushGrants: () => this.#dispatchers.flush(),
        dataDir: this.#data.dataDir,
      },
      message,
    );
  }
}

function sealerOf({ masterKey, dataDir }: ShardData): Sealer {
  return textSealer(loadMasterKeys({ env: { ENGAGE_MASTER_KEY: masterKey }, dataDir }).value);
}

function* appsOf(running: Iterable<RunningPartition>) {
  for (const { product } of running) yield* product.state.apps;
}
