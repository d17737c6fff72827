// Three machines with a copy of one partition each, in virtual time: real partitions over real
// copies, with a machine of a few lines. They take over from one another at random, die, are cut
// off from the log and come back, while clients write to whoever calls itself the owner.

import { isDeepStrictEqual } from 'node:util';
import type { PartitionStore } from '../../../../engine/actor/store.ts';
import { below, fraction, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { type CopyFiles, PartitionCopy } from '../../../../engine/log/copy.ts';
import { MemoryLog, MemoryStream, type Network } from '../../../../engine/log/memory-log.ts';
import type { PartitionLog } from '../../../../engine/log/partition-log.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { Timeline } from '../../../simulation/timeline.ts';
import { type NotedMemory, note, openNoted } from './noted-partition.ts';
import { slowFiles } from './slow-files.ts';

const machines = 3;
const startMs = 1_700_000_000_000;

/** What is done wrong on purpose; each must be found. */
export interface CopySabotage {
  readonly log?: (log: PartitionLog) => PartitionLog;
  /** Goes on with memory that was ahead of the log when the term was lost. */
  readonly keepsMemory?: boolean;
}

interface CopiesReport {
  readonly findings: readonly string[];
  readonly acknowledged: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly takeovers: number;
  readonly crashes: number;
  readonly lost: number;
}

interface Node {
  readonly index: number;
  store: MemoryStore;
  copy: PartitionCopy | undefined;
  memory: NotedMemory | undefined;
  isAlive: boolean;
  isCutOff: boolean;
}

export async function runCopies(seed: number, sabotage: CopySabotage = {}): Promise<CopiesReport> {
  return new CopiesWorld(seed, sabotage).run();
}

class CopiesWorld {
  readonly #rng: Rng;
  readonly #timeline = new Timeline();
  readonly #stream = new MemoryStream();
  readonly #sabotage: CopySabotage;
  readonly #nodes: Node[];
  readonly #findings: string[] = [];
  readonly #answers = new Map<number, 'acknowledged' | 'refused' | undefined>();
  readonly #untilMs: number;
  #writers = 0;
  #takeovers = 0;
  #crashes = 0;
  #lost = 0;
  #isHealed = false;

  constructor(seed: number, sabotage: CopySabotage) {
    this.#rng = seededRng(seed, 'copies');
    this.#sabotage = sabotage;
    this.#untilMs = 30_000 + below(this.#rng, 60_000);
    this.#nodes = Array.from({ length: machines }, (_, index) => ({
      index,
      store: new MemoryStore({ settle: 'manual' }),
      copy: undefined,
      memory: undefined,
      isAlive: false,
      isCutOff: false,
    }));
  }

  async run(): Promise<CopiesReport> {
    for (const node of this.#nodes) this.#start(node);
    this.#again(() => this.#write(), 40);
    this.#again(() => this.#trouble(), 4_000);
    await this.#runUntil(this.#untilMs);
    this.#isHealed = true;
    for (const node of this.#nodes) {
      node.isCutOff = false;
      if (!node.isAlive) this.#start(node);
    }
    await this.#runUntil(this.#untilMs + 30_000);
    if (!this.#nodes.some(({ copy }) => copy?.role === 'owner')) {
      void this.#takeOver(this.#nodes[0] as Node);
      await this.#runUntil(this.#untilMs + 60_000);
    }
    this.#check();
    const count = (end: 'acknowledged' | 'refused' | undefined) =>
      [...this.#answers.values()].filter((one) => one === end).length;
    return {
      findings: this.#findings,
      acknowledged: count('acknowledged'),
      refused: count('refused'),
      unanswered: count(undefined),
      takeovers: this.#takeovers,
      crashes: this.#crashes,
      lost: this.#lost,
    };
  }

  async #runUntil(untilMs: number): Promise<void> {
    while (this.#timeline.nextMs <= untilMs && this.#timeline.step())
      await new Promise((resolve) => setImmediate(resolve));
  }

  #again(task: () => void, everyMs: number): void {
    this.#timeline.after(fraction(this.#rng) * 2 * everyMs, () => {
      if (this.#isHealed) return;
      task();
      this.#again(task, everyMs);
    });
  }

  #later(ms: number): Promise<void> {
    return new Promise((resolve) => this.#timeline.after(ms, resolve));
  }

  /** Calls of a process that died, or is cut off, do not arrive; nor do their answers. */
  #network(node: Node, isThisLife: () => boolean): Network {
    const rng = this.#rng;
    const delayMs = () =>
      !this.#isHealed && fraction(rng) < 0.03 ? fraction(rng) * 6_000 : 0.2 + fraction(rng) * 3;
    return (call) =>
      new Promise((resolve) => {
        this.#timeline.after(2_000, () => isThisLife() && resolve(undefined));
        const arrivals = this.#isHealed || fraction(rng) < 0.97 ? 1 : 2 * below(rng, 2);
        for (let arrival = 0; arrival < arrivals; arrival++)
          this.#timeline.after(delayMs(), () => {
            if (node.isCutOff) return;
            const answer = call();
            if (!this.#isHealed && fraction(rng) < 0.03) return;
            this.#timeline.after(delayMs(), () => {
              if (isThisLife() && !node.isCutOff) resolve(answer);
            });
          });
      });
  }

  #start(node: Node): void {
    node.isAlive = true;
    const { store } = node;
    const isThisLife = () => node.isAlive && node.store === store;
    const log = new MemoryLog(this.#stream, this.#network(node, isThisLife));
    let kept: NotedMemory | undefined;
    node.copy = new PartitionCopy({
      files: this.#disk(store, isThisLife),
      log: this.#sabotage.log?.(log) ?? log,
      generation: 1,
      writer: ++this.#writers,
      open: (over) => {
        if (this.#sabotage.keepsMemory !== true || kept === undefined)
          kept = this.#open(over, store, isThisLife);
        node.memory = kept;
        return kept.partition;
      },
      wait: (ms) => this.#later(ms),
      onRole: (role, error) => {
        if (!isThisLife()) return;
        if (role === 'failed' || role === 'gone')
          this.#findings.push(`machine ${node.index} ${role}: ${String(error)}`);
        if (role === 'standby' && node.copy?.role === 'standby') this.#lost++;
      },
    });
  }

  /** This machine's disk, which is slow at times. */
  #disk(store: MemoryStore, isThisLife: () => boolean): CopyFiles {
    return slowFiles(store, {
      now: () => this.#timeline.nowMs,
      after: (ms, task) => this.#timeline.after(ms, task),
      commitMs: () => {
        const slow = !this.#isHealed && fraction(this.#rng) < 0.01 ? 3_000 : 4;
        return 0.2 + fraction(this.#rng) * slow;
      },
      isThisLife,
    });
  }

  #open(over: PartitionStore, files: MemoryStore, isThisLife: () => boolean): NotedMemory {
    const timeline = this.#timeline;
    return openNoted({
      over,
      files,
      clock: { now: () => startMs + timeline.nowMs, monotonic: () => timeline.nowMs },
      rng: this.#rng,
      soon: (task) => timeline.after(0.1, () => isThisLife() && task()),
    });
  }

  #write(): void {
    const owners = this.#nodes.filter(
      ({ copy, isAlive }) => isAlive && copy !== undefined && copy.role === 'owner',
    );
    // An old owner that does not know of the new one takes requests, too.
    const node = owners[below(this.#rng, Math.max(1, owners.length))];
    if (node?.memory === undefined) return;
    for (let count = 1 + below(this.#rng, 5); count > 0; count--) {
      const id = this.#answers.size + 1;
      this.#answers.set(id, undefined);
      note(node.memory, id, (isAcknowledged) => {
        if (this.#answers.get(id) !== undefined) this.#findings.push(`${id} is answered twice`);
        this.#answers.set(id, isAcknowledged ? 'acknowledged' : 'refused');
      });
    }
  }

  #trouble(): void {
    const rng = this.#rng;
    const node = this.#nodes[below(rng, machines)] as Node;
    const drawn = fraction(rng);
    if (drawn < 0.4) void this.#takeOver(node);
    else if (drawn < 0.65) {
      node.isCutOff = true;
      this.#timeline.after(fraction(rng) * 8_000, () => {
        node.isCutOff = false;
      });
    } else if (node.isAlive) this.#crash(node);
  }

  async #takeOver(node: Node): Promise<void> {
    const { copy } = node;
    if (!node.isAlive || copy === undefined) return;
    if (await copy.takeOver(copy.place.term + 1 + below(this.#rng, 2), Buffer.from('claim')))
      this.#takeovers++;
  }

  /** Dies at once. Some of what was in flight to its disk is there. */
  #crash(node: Node): void {
    this.#crashes++;
    node.isAlive = false;
    const { store } = node;
    const survivors = below(this.#rng, store.inFlight + 1);
    node.store = store.crash(survivors);
    this.#timeline.after(fraction(this.#rng) * 5_000, () => {
      if (!node.isAlive) this.#start(node);
    });
  }

  #check(): void {
    const [first, ...others] = this.#nodes.map(({ memory }) => memory?.ids ?? []);
    for (const [index, ids] of others.entries())
      if (!isDeepStrictEqual(ids, first))
        this.#findings.push(
          `machine ${index + 1} has ${ids.length} entries, machine 0 has ${first?.length}`,
        );
    for (const { store, index } of this.#nodes)
      if (store.durableSeq !== this.#nodes[0]?.store.durableSeq)
        this.#findings.push(`the files of machine ${index} have turn ${store.durableSeq}`);
    const times = new Map<number, number>();
    for (const id of first ?? []) times.set(id, (times.get(id) ?? 0) + 1);
    for (const [id, end] of this.#answers) {
      const found = times.get(id) ?? 0;
      if (found > 1) this.#findings.push(`${id} is there ${found} times`);
      if (end === 'acknowledged' && found === 0)
        this.#findings.push(`${id} was acknowledged and is lost`);
      if (end === 'refused' && found > 0) this.#findings.push(`${id} was refused and is there`);
    }
  }
}
