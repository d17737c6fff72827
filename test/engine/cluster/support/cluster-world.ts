// A cluster in virtual time: three to five machines with the deciding half of the product
// (`ClusterNode`) over real copies of real partitions. Processes die, stop and are started again,
// cables are cut in one direction, clocks run fast and jump, logs are away for seconds. Clients
// write and read throughout, by true time, which no machine knows.

import { isDeepStrictEqual } from 'node:util';
import { below, fraction, pick, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import type { Beat } from '../../../../engine/cluster/beat.ts';
import { LeaseWords } from '../../../../engine/cluster/lease.ts';
import { MemoryBucket, MemoryDirectory } from '../../../../engine/cluster/memory-directory.ts';
import { ClusterNode, type NodeHost } from '../../../../engine/cluster/node.ts';
import { planPartitions } from '../../../../engine/cluster/plan.ts';
import { PartitionCopy } from '../../../../engine/log/copy.ts';
import { MemoryLog, MemoryStream, type Network } from '../../../../engine/log/memory-log.ts';
import type { PartitionLog } from '../../../../engine/log/partition-log.ts';
import { decodePlace } from '../../../../engine/log/place.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { Timeline } from '../../../simulation/timeline.ts';
import { type NotedMemory, note, openNoted } from '../../log/support/noted-partition.ts';
import { slowFiles } from '../../log/support/slow-files.ts';
import { ClientLedger } from './client-ledger.ts';
import { type Life, type Machine, newMachine } from './machine.ts';

const startMs = 1_700_000_000_000;
const leaseMs = 3_500;
export const partitions = 4;

type OpenCopy = (options: ConstructorParameters<typeof PartitionCopy>[0]) => PartitionCopy;

/** What is done wrong on purpose; each must be found. */
export interface ClusterSabotage {
  readonly leaseByWall?: boolean;
  readonly words?: (buffer: SharedArrayBuffer) => LeaseWords;
  readonly open?: OpenCopy;
  readonly planner?: (name: string) => typeof planPartitions;
}

export class ClusterWorld {
  readonly rng: Rng;
  readonly timeline = new Timeline();
  readonly machines: Machine[];
  readonly findings: string[] = [];
  readonly clients = new ClientLedger(partitions);
  readonly bucket = new MemoryBucket();
  readonly streams = Array.from({ length: partitions }, () => new MemoryStream());
  /** Partitions whose log answers nobody. */
  readonly silentLogs = new Set<number>();
  readonly copies: number;
  takeovers = 0;
  readonly movesMs: number[] = [];
  /** Nothing is lost or late on the way. */
  isCalm = true;
  /** Nothing was for a while: moves must be fast. */
  areMovesFast = true;
  readonly #sabotage: ClusterSabotage;
  readonly #words = new Map<Life, LeaseWords>();
  /** When owners began to hold messages, since all was calm. */
  readonly #holding = new Map<number, number>();
  #instances = 0;

  constructor(seed: number, sabotage: ClusterSabotage = {}) {
    this.rng = seededRng(seed, 'cluster');
    this.#sabotage = sabotage;
    const machines = 3 + below(this.rng, 3);
    const zones = 1 + below(this.rng, 3);
    this.copies = 2 + below(this.rng, 2);
    this.machines = Array.from({ length: machines }, (_, index) => {
      // Quartz is off by a ten-thousandth at most; this is five times as much.
      const rate = 1 + (fraction(this.rng) - 0.5) / 1_000;
      return newMachine(index, `zone-${index % zones}`, rate);
    });
  }

  get nowMs(): number {
    return this.timeline.nowMs;
  }

  async runUntil(untilMs: number, isDone: () => boolean = () => false): Promise<boolean> {
    while (this.timeline.nextMs <= untilMs && this.timeline.step()) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#checkLeases();
      if (isDone()) return true;
    }
    return isDone();
  }

  /** A task of a process: not while it is stopped, and never once it is dead. */
  after(life: Life, ms: number, task: () => void): void {
    const run = () => {
      if (!life.isAlive) return;
      if (life.backlog === undefined) task();
      else life.backlog.push(run);
    };
    this.timeline.after(ms, run);
  }

  monotonicOf(machine: Machine): number {
    const standingMs =
      machine.suspendedSinceMs === undefined ? 0 : this.nowMs - machine.suspendedSinceMs;
    return (this.nowMs - machine.suspendedMs - standingMs) * machine.rate;
  }

  #leaseClockOf(machine: Machine): number {
    return this.#sabotage.leaseByWall === true ? this.wallOf(machine) : this.monotonicOf(machine);
  }

  wallOf(machine: Machine): number {
    return startMs + this.nowMs + machine.wallOffMs;
  }

  start(machine: Machine): void {
    if (machine.life !== undefined) return;
    const life: Life = {
      isAlive: true,
      backlog: undefined,
      node: undefined,
      copies: new Map(),
      memories: new Map(),
      held: new Set(),
    };
    machine.life = life;
    const buffer = new SharedArrayBuffer(4 * partitions);
    const words = this.#sabotage.words?.(buffer) ?? new LeaseWords(buffer);
    this.#words.set(life, words);
    const instance = ++this.#instances;
    const monotonic = () => this.#leaseClockOf(machine);
    const planner = this.#sabotage.planner?.(machine.name);
    life.node = new ClusterNode({
      self: {
        name: machine.name,
        instance,
        address: `${machine.name}:1`,
        zone: machine.zone,
        version: '1',
        level: 1,
      },
      partitions,
      copies: this.copies,
      generation: 1,
      directory: new MemoryDirectory(this.bucket, this.#network(machine, life)),
      words,
      monotonic,
      wall: () => this.wallOf(machine),
      wait: (ms) => this.#later(life, ms),
      host: this.#host(machine, life, instance),
      ...(planner && { planner }),
    });
    if (machine.isDraining) life.node.drain();
    const tick = () => {
      life.node?.tick();
      this.after(life, 250 / machine.rate, tick);
    };
    this.after(life, fraction(this.rng) * 250, tick);
  }

  /** Dies at once. Some of what was in flight to its disks is there. */
  kill(machine: Machine): void {
    const { life } = machine;
    if (life === undefined) return;
    life.isAlive = false;
    this.#words.delete(life);
    machine.life = undefined;
    this.wake(machine);
    for (const [partition, store] of machine.files)
      machine.files.set(partition, store.crash(below(this.rng, store.inFlight + 1)));
    this.#holding.clear();
  }

  /** As by SIGSTOP; `isSuspended`: and its monotonic clock stands still, as a virtual machine's. */
  stop(machine: Machine, isSuspended: boolean): void {
    const { life } = machine;
    if (life === undefined || life.backlog !== undefined) return;
    life.backlog = [];
    if (isSuspended) machine.suspendedSinceMs = this.nowMs;
  }

  wake(machine: Machine): void {
    if (machine.suspendedSinceMs !== undefined) {
      machine.suspendedMs += this.nowMs - machine.suspendedSinceMs;
      machine.suspendedSinceMs = undefined;
      machine.wokeMs = this.nowMs;
    }
    const backlog = machine.life?.backlog;
    if (machine.life === undefined || backlog === undefined) return;
    machine.life.backlog = undefined;
    for (const task of backlog) this.timeline.after(0, task);
  }

  /** The machine that would take a write now, by what it knows itself. */
  ownersOf(partition: number): readonly Machine[] {
    return this.machines.filter(({ life }) => life?.copies.get(partition)?.role === 'owner');
  }

  /** A client's write, to one of those that say that they own the partition. */
  write(partition: number): void {
    const owners = this.ownersOf(partition).filter(({ life }) => life?.backlog === undefined);
    const life = owners[below(this.rng, Math.max(1, owners.length))]?.life;
    const memory = life?.memories.get(partition);
    if (life === undefined || memory === undefined || life.held.has(partition)) return;
    const id = this.clients.begin(partition);
    note(memory, id, (isAcknowledged) => {
      const trouble = this.clients.end(partition, id, isAcknowledged, this.nowMs);
      if (trouble !== undefined) this.findings.push(trouble);
    });
  }

  /** A client's read, from everyone who would answer it. */
  read(partition: number): void {
    const newest = this.clients.newestAcknowledged(partition);
    for (const machine of this.machines) {
      const { life } = machine;
      const memory = life?.memories.get(partition);
      if (life === undefined || memory === undefined || life.backlog !== undefined) continue;
      if (life.held.has(partition) || life.copies.get(partition)?.role !== 'owner') continue;
      if (!this.#isHeld(machine, partition) || this.#mayBeWrong(machine)) continue;
      this.clients.reads++;
      if (newest !== undefined && !memory.ids.includes(newest, -5_000))
        this.findings.push(
          `${machine.name} answers a read of ${partition} without ${newest}, at ${this.nowMs}`,
        );
    }
  }

  #isHeld(machine: Machine, partition: number): boolean {
    const { life } = machine;
    const nowMs = this.#leaseClockOf(machine);
    return life !== undefined && (this.#words.get(life)?.isHeld(partition, nowMs) ?? false);
  }

  /** The bound that the lease has: a clock that stood still without its machine's knowing. */
  #mayBeWrong({ wokeMs }: Machine): boolean {
    return this.nowMs - wokeMs <= leaseMs * 1.01;
  }

  #checkLeases(): void {
    for (let partition = 0; partition < partitions; partition++) {
      const holders = this.machines.filter(
        (machine) =>
          machine.life !== undefined &&
          machine.life.backlog === undefined &&
          this.#isHeld(machine, partition),
      );
      if (holders.length > 1 && !holders.some((machine) => this.#mayBeWrong(machine)))
        this.findings.push(
          `${holders.map(({ name }) => name).join(' and ')} hold the lease of ${partition} at ${this.nowMs}`,
        );
    }
  }

  #host(machine: Machine, life: Life, instance: number): NodeHost {
    return {
      kept: () => [...machine.files.keys()],
      open: (partition, hooks) => this.#open(machine, life, instance, partition, hooks),
      drop: (partition) => {
        machine.files.delete(partition);
        life.copies.delete(partition);
        life.memories.delete(partition);
      },
      renew: (partition, from) => this.#renew(machine, life, partition, from),
      hold: (partition, isHeld) => {
        if (isHeld) life.held.add(partition);
        else life.held.delete(partition);
        if (isHeld && this.areMovesFast) this.#holding.set(partition, this.nowMs);
      },
      isDrained: (partition) => life.memories.get(partition)?.partition.mailboxSize === 0,
      say: (beat) => this.#say(machine, beat),
      onTrouble: (trouble) => {
        if (trouble.kind === 'diverged' || trouble.kind === 'copy_failed')
          this.findings.push(`${machine.name}: ${JSON.stringify(trouble)} at ${this.nowMs}`);
      },
      onNameTaken: () => this.findings.push(`${machine.name} gave its name up at ${this.nowMs}`),
    };
  }

  #open(
    machine: Machine,
    life: Life,
    instance: number,
    partition: number,
    hooks: Parameters<NodeHost['open']>[1],
  ): PartitionCopy {
    const store = machine.files.get(partition) ?? new MemoryStore({ settle: 'manual' });
    machine.files.set(partition, store);
    const isThisLife = () => life.isAlive && machine.files.get(partition) === store;
    const stream = this.streams[partition] as MemoryStream;
    const log: PartitionLog = new MemoryLog(stream, this.#network(machine, life, partition));
    const after = (ms: number, task: () => void) => this.after(life, ms, task);
    const open: OpenCopy = this.#sabotage.open ?? ((options) => new PartitionCopy(options));
    const copy = open({
      files: slowFiles(store, {
        now: () => this.nowMs,
        after,
        commitMs: () => 0.2 + fraction(this.rng) * (this.isCalm ? 2 : 20),
        isThisLife,
      }),
      log,
      generation: 1,
      writer: instance,
      open: (over): NotedMemory['partition'] => {
        const memory = openNoted({
          over,
          files: store,
          clock: { now: () => this.wallOf(machine), monotonic: () => this.monotonicOf(machine) },
          rng: this.rng,
          soon: (task) => after(0.1, task),
        });
        life.memories.set(partition, memory);
        return memory.partition;
      },
      wait: (ms) => this.#later(life, ms),
      monotonic: () => this.#leaseClockOf(machine),
      ...hooks,
      onRole: (role, error) => {
        hooks.onRole(role, error);
        if (role === 'owner') this.#owned(partition);
      },
    });
    life.copies.set(partition, copy);
    return copy;
  }

  #owned(partition: number): void {
    this.takeovers++;
    const sinceMs = this.#holding.get(partition);
    this.#holding.delete(partition);
    if (sinceMs === undefined || !this.areMovesFast) return;
    const ms = this.nowMs - sinceMs;
    this.movesMs.push(ms);
    if (ms >= 1_000) this.findings.push(`a move of ${partition} took ${ms} ms`);
  }

  /** A copy of the other's files as they are on its disk, which takes a moment. */
  async #renew(machine: Machine, life: Life, partition: number, from: string): Promise<boolean> {
    await this.#later(life, 100);
    const source = this.machines.find(({ name }) => name === from);
    const files = source?.life === undefined ? undefined : source.files.get(partition);
    if (files === undefined || files.place === undefined) return false;
    const store = new MemoryStore({ settle: 'manual' });
    for (const { seq, block } of files.blocks(1, Number.POSITIVE_INFINITY)) {
      store.commit({ seq, block, documents: [], place: files.place }, () => {});
      store.settleNext();
    }
    machine.files.set(partition, store);
    return true;
  }

  #later(life: Life, ms: number): Promise<void> {
    return new Promise((resolve) => this.after(life, ms, resolve));
  }

  #delayMs(): number {
    const late = !this.isCalm && fraction(this.rng) < 0.02;
    return late ? fraction(this.rng) * 3_000 : 0.2 + fraction(this.rng) * 3;
  }

  #isLost(): boolean {
    return !this.isCalm && fraction(this.rng) < 0.02;
  }

  #say(machine: Machine, beat: Beat): void {
    for (const other of this.machines) {
      if (other === machine || this.#isLost()) continue;
      this.timeline.after(this.#delayMs(), () => {
        const { life } = other;
        if (machine.unheardBy.has(other.name) || life === undefined) return;
        this.after(life, 0, () => life.node?.hear(beat));
      });
    }
  }

  /** To the servers of the log and of the directory. */
  #network(machine: Machine, life: Life, partition?: number): Network {
    return (call) =>
      new Promise((resolve) => {
        this.after(life, 2_000, () => resolve(undefined));
        if (this.#isLost()) return;
        this.timeline.after(this.#delayMs(), () => {
          if (machine.cutToLog || (partition !== undefined && this.silentLogs.has(partition)))
            return;
          const answer = call();
          if (this.#isLost()) return;
          this.timeline.after(this.#delayMs(), () => {
            if (!machine.cutFromLog) this.after(life, 0, () => resolve(answer));
          });
        });
      });
  }

  /** Drops what at least two machines have on their disks. */
  trim(partition: number): void {
    const known = this.machines
      .map(({ files }) => files.get(partition)?.place)
      .map((place) => (place === undefined ? 0 : (decodePlace(place)?.position ?? 0)))
      .sort((one, other) => other - one);
    this.streams[partition]?.trim(Math.max(0, (known[1] ?? 0) - below(this.rng, 20)));
  }

  get plan() {
    const kept = this.bucket.readAll().get('plan');
    return kept === undefined
      ? undefined
      : (JSON.parse(Buffer.from(kept.value).toString()) as {
          readonly members: Parameters<typeof planPartitions>[0]['members'];
          readonly partitions: readonly (readonly string[])[];
        });
  }

  /** Everyone has what the plan says, and would plan the same. */
  get isSettled(): boolean {
    return this.unsettled() === undefined;
  }

  /** Why not. */
  unsettled(): string | undefined {
    const { plan } = this;
    if (plan === undefined || plan.partitions.length !== partitions) return 'there is no plan';
    for (const machine of this.machines) {
      const { name, life, isDraining } = machine;
      if (life?.node === undefined) continue;
      if (!isDeepStrictEqual(life.node.plan.partitions, plan.partitions))
        return `${name} knows another plan`;
      if (plan.members.find((one) => one.name === name)?.isDraining !== isDraining)
        return `${name} is not in the plan as it is`;
      const planner = this.#sabotage.planner?.(name) ?? planPartitions;
      const { members, partitions: old } = plan;
      if (!isDeepStrictEqual(planner({ members, partitions, copies: this.copies, old }), old))
        return `${name} would plan something else`;
      for (const [partition, names] of plan.partitions.entries()) {
        const role = life.node.roleOf(partition);
        const wanted = names[0] === name ? 'owner' : names.includes(name) ? 'standby' : undefined;
        if (role !== wanted) return `${name} is ${role} of ${partition}, not ${wanted}`;
      }
    }
    return undefined;
  }

  pickMachine(isFit: (machine: Machine) => boolean): Machine | undefined {
    const fit = this.machines.filter(isFit);
    return fit.length === 0 ? undefined : pick(this.rng, fit);
  }
}
