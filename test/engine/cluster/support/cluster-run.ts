// One world of a cluster from its first start to its rest: a calm time in which an engine dies, a
// time of trouble, and another calm time after which everything must be as the plan says.

import { below, fraction } from '../../../../engine/base/rng.ts';
import { type ClusterSabotage, ClusterWorld, partitions } from './cluster-world.ts';
import type { Machine } from './machine.ts';
import { troubles } from './troubles.ts';

/** Engines that die while all else is well: their partitions take writes again within this. */
export const deathBoundMs = 6_000;
/** After the last of many faults, with processes that have just been started. */
const faultsBoundMs = 12_000;
/** Until everything is as the plan says: members settle first, and moves come a few at a time. */
const settleBoundMs = 60_000;

interface ClusterReport {
  readonly findings: readonly string[];
  readonly acknowledged: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly reads: number;
  readonly takeovers: number;
  readonly faults: number;
  readonly movesMs: readonly number[];
  /** From each death to the first write of the partitions that its engine owned. */
  readonly deathsMs: readonly number[];
  /** How long the world was. */
  readonly virtualMs: number;
}

export async function runCluster(
  seed: number,
  sabotage: ClusterSabotage = {},
): Promise<ClusterReport> {
  return new ClusterRun(new ClusterWorld(seed, sabotage)).run();
}

class ClusterRun {
  readonly #world: ClusterWorld;
  readonly #deathsMs: number[] = [];
  #faults = 0;
  #isTroubled = false;
  #isOver = false;

  constructor(world: ClusterWorld) {
    this.#world = world;
  }

  async run(): Promise<ClusterReport> {
    const world = this.#world;
    this.#clients();
    for (const machine of world.machines)
      world.timeline.after(fraction(world.rng) * 1_000, () => world.start(machine));
    const steps = [
      () => this.#settle('at first'),
      () => this.#death(),
      () => this.#settle('after a death'),
      () => this.#drained(),
      () => this.#trouble(),
      () => this.#answering(faultsBoundMs, 'after the last fault'),
      () => this.#settle('at the end'),
      () => this.#atRest(),
    ];
    for (const step of steps) {
      if (world.findings.length > 0) break;
      await step();
    }
    const { clients } = world;
    return {
      findings: world.findings.slice(0, 5),
      acknowledged: clients.count('acknowledged'),
      refused: clients.count('refused'),
      unanswered: clients.count(undefined),
      reads: clients.reads,
      takeovers: world.takeovers,
      faults: this.#faults,
      movesMs: world.movesMs,
      deathsMs: this.#deathsMs,
      virtualMs: world.nowMs,
    };
  }

  #clients(): void {
    const world = this.#world;
    const { timeline, rng } = world;
    const write = () => {
      if (this.#isOver) return;
      world.write(below(rng, partitions));
      timeline.after(fraction(rng) * 120, write);
    };
    const read = () => {
      if (this.#isOver) return;
      world.read(below(rng, partitions));
      timeline.after(fraction(rng) * 100, read);
    };
    write();
    read();
  }

  async #settle(when: string): Promise<void> {
    const world = this.#world;
    let checkedMs = 0;
    const isSettled = await world.runUntil(world.nowMs + settleBoundMs, () => {
      if (world.nowMs - checkedMs < 100) return false;
      checkedMs = world.nowMs;
      return world.isSettled;
    });
    if (!isSettled) world.findings.push(`${when}: ${world.unsettled()}`);
  }

  /** Each partition takes a write within the bound. Returns when each did. */
  async #answering(boundMs: number, when: string): Promise<readonly number[]> {
    const world = this.#world;
    const sinceMs = world.nowMs;
    const { acknowledgedMs } = world.clients;
    const first: (number | undefined)[] = [];
    await world.runUntil(sinceMs + boundMs, () => {
      for (const [partition, ms] of acknowledgedMs.entries())
        if (first[partition] === undefined && ms > sinceMs) first[partition] = ms - sinceMs;
      return first.filter((ms) => ms !== undefined).length === partitions;
    });
    for (let partition = 0; partition < partitions; partition++)
      if (first[partition] === undefined)
        world.findings.push(`${when}: ${partition} takes no write within ${boundMs} ms`);
    return first.map((ms) => ms ?? boundMs);
  }

  async #death(): Promise<void> {
    const world = this.#world;
    const machine = world.pickMachine(({ life }) => life !== undefined) as Machine;
    const owned = Array.from({ length: partitions }, (_, partition) => partition).filter(
      (partition) => machine.life?.copies.get(partition)?.role === 'owner',
    );
    world.kill(machine);
    const first = await this.#answering(deathBoundMs, `after the death of ${machine.name}`);
    this.#deathsMs.push(...owned.map((partition) => first[partition] as number));
    await world.runUntil(world.nowMs + fraction(world.rng) * 5_000);
    world.start(machine);
  }

  /** A machine is emptied, with nothing lost and no lease in two hands, and comes back. */
  async #drained(): Promise<void> {
    const world = this.#world;
    if (world.machines.length <= world.copies) return;
    const machine = world.pickMachine(({ life }) => life !== undefined) as Machine;
    machine.isDraining = true;
    machine.life?.node?.drain();
    await this.#settle(`after ${machine.name} was drained`);
    await world.runUntil(world.nowMs + 1_000);
    if (machine.files.size > 0 || machine.life?.node?.isEmpty === false)
      world.findings.push(`${machine.name} was drained and keeps ${machine.files.size} copies`);
    machine.isDraining = false;
    machine.life?.node?.drain(false);
  }

  async #trouble(): Promise<void> {
    const world = this.#world;
    const { timeline, rng } = world;
    world.isCalm = false;
    world.areMovesFast = false;
    this.#isTroubled = true;
    const strike = () => {
      if (!this.#isTroubled) return;
      this.#faults++;
      troubles[below(rng, troubles.length)]?.(world, () => this.#isTroubled);
      timeline.after(fraction(rng) * 4_000, strike);
    };
    strike();
    await world.runUntil(world.nowMs + 20_000 + below(rng, 60_000));
    this.#isTroubled = false;
    this.#heal();
    // What was sent late is still on its way, and what was lost is waited for.
    await world.runUntil(world.nowMs + 3_000);
    world.areMovesFast = true;
  }

  #heal(): void {
    const world = this.#world;
    world.isCalm = true;
    world.silentLogs.clear();
    for (const machine of world.machines) {
      machine.cutToLog = false;
      machine.cutFromLog = false;
      machine.unheardBy.clear();
      machine.wallOffMs = 0;
      machine.isDraining = false;
      machine.life?.node?.drain(false);
      world.wake(machine);
      world.start(machine);
    }
  }

  /** Every copy is the same, and has what clients were told. */
  async #atRest(): Promise<void> {
    const world = this.#world;
    this.#isOver = true;
    await world.runUntil(world.nowMs + 5_000);
    for (let partition = 0; partition < partitions; partition++) {
      const copies = world.machines.flatMap(({ name, life }) => {
        const memory = life?.memories.get(partition);
        return memory === undefined ? [] : [{ name, ids: memory.ids }];
      });
      const [first, ...others] = copies;
      for (const other of others)
        if (other.ids.join() !== first?.ids.join())
          world.findings.push(
            `${other.name} has ${other.ids.length} entries of ${partition}, ${first?.name} ${first?.ids.length}`,
          );
      world.findings.push(...world.clients.check(partition, first?.ids ?? []));
    }
  }
}
