// A shard thread as a member of a cluster: it does what the cluster's node asks for, tells its
// front who owns what, and hands over what it owns before it ends.

import type { Message } from '../../../engine/actor/message.ts';
import { outcomeUnknown } from '../../../engine/actor/turn-faults.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { systemRng } from '../../../engine/base/rng.ts';
import type { Beat, MemberIdentity } from '../../../engine/cluster/beat.ts';
import { LeaseWords } from '../../../engine/cluster/lease.ts';
import { ClusterNode, type NodeHost } from '../../../engine/cluster/node.ts';
import type { Log } from '../../../engine/observe/log.ts';
import type { DispatchDisowned } from '../../sending/dispatch/protocol.ts';
import { endThread, type OpenOptions } from '../open-partition.ts';
import type { OpenPartitions } from '../open-partitions.ts';
import { callsUnderWay } from './calls-under-way.ts';
import { Copies, keptPartitions } from './copies.ts';
import { clusterFigures } from './figures.ts';
import { LogCare } from './log-care.ts';
import { LogTroubles } from './log-troubles.ts';
import { ownersOf } from './owners.ts';
import type { ClusterPorts, OpenClusterPorts } from './ports.ts';
import type { ClusterData, ClusterFigures, ClusterOwners, DrainRequest } from './protocol.ts';
import { Renewals } from './renewals.ts';
import { type Trouble, tellTrouble } from './troubles.ts';

export type { OpenClusterPorts };

/** How often a node looks around. */
const tickMs: Millis = 250;
/** A member that ends waits so long for others to take over what it owns. */
const leavingMs: Millis = 2_000;
const lookMs: Millis = 20;
/** Kinds of entries up to this level can be folded. */
const level = 1;

interface MemberOptions {
  readonly open: OpenOptions;
  readonly partitions: OpenPartitions;
  readonly log: Log;
  readonly tellFront: (message: Message) => void;
  readonly tellDispatchers: (message: DispatchDisowned) => void;
  readonly openPorts?: OpenClusterPorts;
}

/** Rejects with a sentence where the cluster's servers cannot be used. */
export async function joinCluster(options: MemberOptions): Promise<ClusterMember> {
  const { open, log } = options;
  const { data, sealer } = open;
  const cluster = data.cluster as ClusterData;
  const openPorts = options.openPorts ?? (await import('./nats-ports.ts')).openNatsPorts;
  const kept = new Set(keptPartitions(data.dataDir));
  const ports = await openPorts({
    ...{ cluster, sealer, log, partitions: data.partitions },
    hasFiles: (partition) => kept.has(partition),
  });
  return new ClusterMember(options, cluster, ports);
}

export class ClusterMember {
  readonly #options: MemberOptions;
  readonly #cluster: ClusterData;
  readonly #ports: ClusterPorts;
  readonly #self: MemberIdentity;
  readonly #words: LeaseWords;
  readonly #copies: Copies;
  readonly #node: ClusterNode;
  readonly #logCare: LogCare;
  readonly #renewals: Renewals;
  /** Partitions that are about to move from here. */
  readonly #held = new Set<number>();
  readonly #endTicks: () => void;
  readonly #owned = new Set<number>();
  #isLeaving = false;
  #told = '';
  #takeovers = 0;
  #losses = 0;

  constructor(options: MemberOptions, cluster: ClusterData, ports: ClusterPorts) {
    const { open, partitions, tellDispatchers } = options;
    this.#options = options;
    this.#cluster = cluster;
    this.#ports = ports;
    const { member: name, address, zone, version, generation, copies } = cluster;
    const instance = systemRng().uint32() || 1;
    this.#self = { name, instance, address, zone, version, level };
    this.#words = new LeaseWords(cluster.leases);
    const { time } = ports;
    const troubles = new LogTroubles(options.log, () => time.monotonic());
    this.#copies = new Copies({
      ...{ open, partitions, ports, words: this.#words, generation, instance, tellDispatchers },
      onTrouble: (...trouble) => troubles.note(...trouble),
      opensAgain: () => !this.#isLeaving,
      onChange: (partition) => this.#changed(partition),
    });
    this.#renewals = new Renewals({ copies: this.#copies, ports, log: options.log });
    this.#node = new ClusterNode({
      self: this.#self,
      partitions: open.data.partitions,
      ...{ copies, generation, words: this.#words, directory: ports.directory },
      monotonic: () => time.monotonic(),
      wall: () => time.wall(),
      wait: (ms) => time.wait(ms),
      host: this.#host(),
    });
    this.#logCare = new LogCare({
      ...{ node: this.#node, ports, cluster, log: options.log },
      copyOf: (partition) => this.#copies.of(partition),
    });
    ports.beats.onHear((beat) => {
      this.#node.hear(beat);
      this.#tellOwners();
    });
    this.#endTicks = time.every(tickMs, () => this.#tick());
    this.#tellOwners();
  }

  /** Whether messages for the partition are taken here: it owns it, and the log knows. */
  mayTake(partition: number): boolean {
    return this.#words.isHeld(partition, this.#ports.time.monotonic());
  }

  /** `undefined` for what is no question about the cluster. */
  answer(message: Message): ClusterFigures | undefined {
    if (message.kind === 'thread.drain') this.#node.drain((message as DrainRequest).isDraining);
    else if (message.kind !== 'thread.cluster') return undefined;
    return clusterFigures({
      ...{ cluster: this.#cluster.cluster, member: this.#self.name, node: this.#node },
      ...{ owners: this.#owners(), errors: this.#copies.errors },
      ...{ takeovers: this.#takeovers, losses: this.#losses },
    });
  }

  /** Hands over what it owns, if somebody is ready, and stops all copies. */
  async leave(): Promise<void> {
    const { time } = this.#ports;
    const untilMs = time.monotonic() + leavingMs;
    this.#isLeaving = true;
    if (this.#hasSuccessors()) this.#node.leave();
    while (this.#owned.size > 0 && this.#hasSuccessors() && time.monotonic() < untilMs)
      await time.wait(lookMs);
    this.#endTicks();
    const stopped = this.#options.partitions.started.map(({ partition }) => partition.stop());
    await Promise.race([Promise.all(stopped), time.wait(leavingMs)]);
    await this.#node.close();
    // What the log did not take in time: a reader of it will see whether it was done.
    for (const { partition } of this.#options.partitions.started) partition.fenced(outcomeUnknown);
  }

  /** Behind `leave`, and behind whatever reads files. */
  async close(): Promise<void> {
    await this.#copies.close();
    await this.#ports.close();
  }

  #hasSuccessors(): boolean {
    return this.#node.members
      .others()
      .some(({ isLive, beat }) => isLive && beat.copies.some(({ role }) => role === 'standby'));
  }

  #tick(): void {
    this.#node.tick();
    this.#tellOwners();
    this.#logCare.tick();
  }

  #host(): NodeHost {
    const { log } = this.#options;
    return {
      kept: () => this.#copies.kept(),
      open: (partition, hooks) => this.#copies.open(partition, hooks),
      drop: (partition) => this.#copies.drop(partition),
      renew: async (partition, from) => {
        const source = this.#node.members.of(from)?.beat.member;
        return source !== undefined && this.#renewals.run(partition, source);
      },
      hold: (partition, isHeld) => this.#hold(partition, isHeld),
      isDrained: (partition) => this.#isDrained(partition),
      say: (beat) => this.#say(beat),
      onTrouble: (trouble: Trouble) => tellTrouble(log, trouble),
      onNameTaken: () => {
        const error = new Error(`another process of the cluster is ${this.#self.name}, too`);
        endThread(undefined, error, log, 70);
      },
    };
  }

  #say(beat: Beat): void {
    this.#ports.beats.say(beat);
    this.#tellOwners();
  }

  #changed(partition: number): void {
    const isOwner = this.#copies.of(partition)?.role === 'owner';
    if (isOwner === this.#owned.has(partition)) return;
    if (isOwner) {
      this.#takeovers++;
      this.#owned.add(partition);
    } else {
      this.#losses++;
      this.#owned.delete(partition);
      this.#held.delete(partition);
    }
    this.#noteRole(partition);
    this.#tellOwners();
  }

  #noteRole(partition: number): void {
    const copy = this.#copies.of(partition);
    if (copy === undefined || this.#isLeaving) return;
    const about = { partition, term: copy.place.term };
    const { log } = this.#options;
    if (copy.role === 'owner')
      log.info({ evt: 'cluster.owner', ...about }, 'this server owns the partition now');
    else log.info({ evt: 'cluster.lost', ...about }, 'this server owns the partition no more');
  }

  #owners() {
    const { members, copies } = this.#node;
    return ownersOf({ self: this.#self, copies, members, held: this.#held });
  }

  /** Whenever it changes; the first time even if nobody owns anything. */
  #tellOwners(): void {
    if (this.#node === undefined) return; // copies open while it is made
    const owners = this.#owners();
    const told = JSON.stringify(owners);
    if (told === this.#told) return;
    this.#told = told;
    const notice: ClusterOwners = { kind: 'cluster.owners', member: this.#self.name, owners };
    this.#options.tellFront(notice);
  }

  #hold(partition: number, isHeld: boolean): void {
    if (isHeld) this.#held.add(partition);
    else this.#held.delete(partition);
    const running = this.#options.partitions.of(partition);
    running?.product.quiesce(isHeld);
    if (!isHeld) running?.partition.nudge();
    this.#tellOwners();
  }

  /** A partition moves once calls that were granted have their outcome: nobody makes them again. */
  #isDrained(index: number): boolean {
    const running = this.#options.partitions.of(index);
    if (running === undefined) return true;
    const { partition, product } = running;
    return partition.mailboxSize === 0 && callsUnderWay(product.state.apps.values()) === 0;
  }
}
