// What goes wrong in a cluster's worlds. Each trouble ends by itself, or with the time of trouble.

import { below, fraction } from '../../../../engine/base/rng.ts';
import { type ClusterWorld, partitions } from './cluster-world.ts';
import type { Machine } from './machine.ts';

type Trouble = (world: ClusterWorld, isTroubled: () => boolean) => void;

const any = (world: ClusterWorld) => world.pickMachine(() => true) as Machine;
const shortMs = ({ rng }: ClusterWorld) => fraction(rng) * 10_000;

function killed(world: ClusterWorld, machine: Machine): void {
  world.kill(machine);
  world.timeline.after(shortMs(world), () => world.start(machine));
}

function paused(world: ClusterWorld, isSuspended: boolean): void {
  const machine = any(world);
  world.stop(machine, isSuspended);
  world.timeline.after(shortMs(world), () => world.wake(machine));
}

export const troubles: readonly Trouble[] = [
  // an engine dies, and is started again
  (world) => killed(world, any(world)),
  (world) => killed(world, any(world)),
  // all engines die at once
  (world) => {
    if (fraction(world.rng) < 0.3) for (const machine of world.machines) killed(world, machine);
  },
  // SIGSTOP, and a virtual machine that is suspended
  (world) => paused(world, false),
  (world) => paused(world, true),
  // an engine and the log: both ways, or one
  (world) => {
    const machine = any(world);
    const drawn = below(world.rng, 3);
    machine.cutToLog = drawn !== 1;
    machine.cutFromLog = drawn !== 0;
    world.timeline.after(shortMs(world), () => {
      machine.cutToLog = false;
      machine.cutFromLog = false;
    });
  },
  // an engine and the others, in one direction or both
  (world) => {
    const machine = any(world);
    const drawn = below(world.rng, 3);
    for (const other of world.machines) {
      if (drawn !== 1) machine.unheardBy.add(other.name);
      if (drawn !== 0) other.unheardBy.add(machine.name);
    }
    world.timeline.after(shortMs(world), () => {
      machine.unheardBy.clear();
      for (const other of world.machines) other.unheardBy.delete(machine.name);
    });
  },
  // an engine, cut off from everything but its clients
  (world) => {
    const machine = any(world);
    machine.cutToLog = true;
    machine.cutFromLog = true;
    for (const other of world.machines) machine.unheardBy.add(other.name);
    // and its clock is set back by a little, which a lease must not see
    world.timeline.after(1_000 + fraction(world.rng) * 1_500, () => {
      machine.wallOffMs -= 1_000 + fraction(world.rng) * 1_000;
    });
    world.timeline.after(shortMs(world), () => {
      machine.cutToLog = false;
      machine.cutFromLog = false;
      machine.unheardBy.clear();
    });
  },
  // a log elects another leader
  (world) => {
    const partition = below(world.rng, partitions);
    world.silentLogs.add(partition);
    world.timeline.after(4_000 + fraction(world.rng) * 5_000, () =>
      world.silentLogs.delete(partition),
    );
  },
  // a wall clock jumps
  (world) => {
    any(world).wallOffMs = (fraction(world.rng) - 0.5) * 40_000;
  },
  // a machine is drained, and stays for a while
  (world, isTroubled) => {
    const machine = any(world);
    machine.isDraining = true;
    machine.life?.node?.drain();
    world.timeline.after(2 * shortMs(world), () => {
      machine.isDraining = false;
      if (isTroubled()) machine.life?.node?.drain(false);
    });
  },
  // the directory has lost everything
  (world) => {
    if (fraction(world.rng) < 0.3) world.bucket.lose();
  },
  // frames that two disks have are dropped
  (world) => world.trim(below(world.rng, partitions)),
];
