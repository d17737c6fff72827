// One life of one node: a copy of every partition over files of its own, the whole product in each,
// and the threads of a process. Whatever it does runs by its own time, so that it can be stopped.

import type { Effect, Message } from '../../../engine/actor/message.ts';
import type { Partition } from '../../../engine/actor/partition.ts';
import type { PartitionStore } from '../../../engine/actor/store.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import { PartitionCopy } from '../../../engine/log/copy.ts';
import { turnOf } from '../../../engine/log/frame.ts';
import type { PartitionLog } from '../../../engine/log/partition-log.ts';
import type { MemoryStore } from '../../../storage/memory.ts';
import { whole } from '../chance.ts';
import {
  type Checkpoint,
  expectSame,
  type OpenMemory,
  openMemory,
  type PartitionLife,
  planCommit,
  type Running,
} from '../partition-life.ts';
import { type Pending, ProcessThreads } from '../process-threads.ts';
import type { ProcessWorld } from '../process-world.ts';
import { SimStore } from '../sim-store.ts';
import type { ClusterSabotage } from './cluster-sabotage.ts';
import { type CopyChecks, changedStore } from './copy-checks.ts';
import type { ProcessTime } from './process-time.ts';

/** A copy's files, which outlive the process. */
export interface CopyDisk {
  readonly files: MemoryStore;
  readonly checkpoint: Checkpoint | undefined;
}

/** The world as one life of a node sees it. */
export interface NodeWorld extends ProcessWorld {
  readonly timeline: ProcessTime;
  readonly node: number;
  /** In words. */
  readonly name: string;
  /** Names this life; unlike that of any other. */
  readonly process: number;
  readonly partitions: number;
  readonly checks: CopyChecks;
  readonly planted: ClusterSabotage;
  /** How long a copy waits that nobody tells of more. */
  pollMs(): number;
  log(partition: number): PartitionLog;
  /** Asks whoever owns the actor's partition. */
  askOwner(to: number, message: Message, answer: Pending): void;
  /** A message was answered by whoever takes itself for the owner in `term`. */
  onAnswer(partition: number, term: number): void;
  /** The log no longer has what this copy needs next. */
  onGone(partition: number): void;
  /** A copy has folded a frame of this term. One that opens its memory anew reads some again. */
  onTerm(partition: number, term: number, address: number): void;
}

interface NodeCopy {
  readonly files: MemoryStore;
  readonly store: SimStore;
  readonly copy: PartitionCopy;
  checkpoint: Checkpoint | undefined;
  memory: OpenMemory & {
    readonly store: PartitionStore;
    readonly address: number;
  };
}

export class ClusterNode extends ProcessThreads<NodeWorld> {
  readonly copies: NodeCopy[] = [];
  readonly #life: PartitionLife;
  /** Memories that were opened so far: each has an address of its own for reports. */
  #opened = 0;
  /** What leaves later, while answers of a turn are made too early. */
  #held: (() => void)[] | undefined;

  constructor(world: NodeWorld, disks: readonly CopyDisk[], rng: Rng) {
    super(world, disks.length, rng);
    this.#life = {
      world,
      rng,
      dispatchers: this.dispatchers,
      paces: this.paces,
      later: (delayMs, task) => this.later(delayMs, task),
      emit: (index, effect) => this.emit(index, effect),
    };
    for (const [index, disk] of disks.entries()) this.copies.push(this.#open(index, disk));
  }

  get time(): ProcessTime {
    return this.world.timeline;
  }

  role(index: number): PartitionCopy['role'] {
    return (this.copies[index] as NodeCopy).copy.role;
  }

  /** Another process's files take the place of a copy's own. */
  async replace(index: number, disk: CopyDisk): Promise<void> {
    const before = this.copies[index] as NodeCopy;
    await before.copy.close();
    if (this.alive) this.copies[index] = this.#open(index, disk);
  }

  /** Claims the partition. */
  async takeOver(index: number): Promise<boolean> {
    const { copy, memory } = this.copies[index] as NodeCopy;
    const claim = Buffer.from(`node ${this.world.node}`);
    if (this.world.planted.startsEarly === true) memory.partition.start();
    return copy.takeOver(copy.place.term + 1, claim);
  }

  /** Memory now, where the files have all of it. */
  checkpoint(index: number): void {
    const mine = this.copies[index] as NodeCopy;
    const { partition } = mine.memory;
    if (partition.seq !== mine.store.durableSeq) return;
    mine.checkpoint = { seq: partition.seq, memory: structuredClone(partition.snapshot()) };
  }

  /**
   * Dies at once. Of what was on its way to its files, all that it gave to the system is there, or
   * what the last fdatasync has.
   */
  kill(isPowerCut: boolean): CopyDisk[] {
    const disks = this.copies.map(({ store, checkpoint }) => {
      const survivors = isPowerCut ? whole(this.rng, 0, store.inFlight) : store.inFlight;
      return { files: store.crash(survivors), checkpoint };
    });
    this.die();
    return disks;
  }

  protected override emit(index: number, effect: Effect): void {
    const leave = () => super.emit(index, effect);
    if (this.#held === undefined) leave();
    else this.#held.push(leave);
  }

  /** For a planted fault: what leaves without a commit. */
  emitNow(index: number, effect: Effect): void {
    this.emit(index, effect);
  }

  protected override target(index: number): Running | undefined {
    const { copy, memory } = this.copies[index] as NodeCopy;
    return copy.role === 'owner' ? memory : undefined;
  }

  protected override reported(address: number): Pick<Partition, 'deliverAlways'> | undefined {
    const mine = this.copies[address % this.world.partitions] as NodeCopy;
    return mine.memory.address === address ? mine.memory.partition : undefined;
  }

  protected override askFor(to: number, message: Message, _options: object, answer: Pending): void {
    this.world.askOwner(to, message, answer);
  }

  #open(index: number, { files, checkpoint }: CopyDisk): NodeCopy {
    const { world } = this;
    const store = new SimStore({
      inner: files,
      findings: world.findings,
      clock: world.clock,
      onDurable: () => {},
      plan: (planned) => planCommit(this.#life, planned),
    });
    let mine: NodeCopy | undefined;
    let opened: NodeCopy['memory'] | undefined;
    const copy: PartitionCopy = new PartitionCopy({
      files: store,
      log: world.log(index),
      generation: 1,
      writer: world.process,
      open: (over) => {
        if (world.planted.keepsMemory === true && opened !== undefined) return opened.partition;
        const logged = changedStore(over, {
          commit: (turn, durable, stored) => {
            const committed = () => {
              world.onAnswer(index, copy.place.term);
              durable();
            };
            over.commit(turn, committed, stored);
          },
        });
        opened = this.#openMemory(index, logged, mine?.checkpoint ?? checkpoint);
        if (mine !== undefined) {
          this.disown(index, mine.memory.address);
          mine.memory = opened;
        }
        return opened.partition;
      },
      wait: (ms) =>
        new Promise((resolve) => this.later(Math.max(ms, ms < 250 ? 0 : world.pollMs()), resolve)),
      onFrame: (frame, { seq, term }) => {
        const folded = mine?.memory ?? opened;
        if (folded === undefined) return;
        world.onTerm(index, term, folded.address);
        if (frame.kind === 'turn')
          world.checks.at(index, seq, turnOf(frame).block, folded.partition, world.name);
      },
      onRole: (role, error) => {
        if (!this.alive) return;
        world.note(`node ${world.node} p${index} ${role}`);
        if (role === 'gone') world.onGone(index);
        if (role === 'failed')
          world.findings.add('copies_live', `node ${world.node} p${index}: ${String(error)}`);
      },
    });
    mine = { files, store, copy, checkpoint, memory: opened as NodeCopy['memory'] };
    return mine;
  }

  /** For a planted fault. */
  #hasty(store: PartitionStore): PartitionStore {
    return changedStore(store, {
      commit: (turn, durable, stored) => {
        const held: (() => void)[] = [];
        const committed = () => {
          for (const leave of held) leave();
        };
        store.commit(turn, committed, stored);
        this.#held = held;
        durable();
        this.#held = undefined;
      },
    });
  }

  #openMemory(
    index: number,
    over: PartitionStore,
    checkpoint: Checkpoint | undefined,
  ): NodeCopy['memory'] {
    const { world } = this;
    const address = index + world.partitions * this.#opened++;
    let partition: Partition | undefined;
    const watched = world.checks.watched(
      index,
      over,
      () => partition as Partition,
      `the owner, ${world.name}`,
    );
    const store = world.planted.hastyAnswers === true ? this.#hasty(watched) : watched;
    const build = (from: Checkpoint | undefined) =>
      openMemory(this.#life, index, address, store, from);
    let made = build(undefined);
    if (checkpoint !== undefined && checkpoint.seq <= over.durableSeq) {
      const replayed = made.partition;
      made = build(checkpoint);
      expectSame(this.#life, index, made.partition, replayed, checkpoint.seq);
    }
    partition = made.partition;
    return { ...made, store, address };
  }

  /** Beats, so that an owner whom nobody asks anything finds out that it is none any more. */
  beat(): void {
    for (const { copy } of this.copies) copy.idle();
  }
}
