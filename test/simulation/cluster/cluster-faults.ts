// What one seed of a cluster's world switches on, beside the faults of every world.

import { hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { pick, type Rng } from '../../../engine/base/rng.ts';
import { coin, span, whole } from '../chance.ts';
import { drawFaults, type Faults } from '../faults.ts';

/** One seed's world. */
export interface ClusterFaults extends Faults {
  readonly nodes: number;
  /** What befalls nodes, and how often in all. */
  readonly blows: number;
  readonly kills: boolean;
  /** A kill leaves files as of the last fdatasync, and not all that was given to the system. */
  readonly powerCuts: boolean;
  readonly stops: boolean;
  readonly cuts: boolean;
  readonly lostDisks: boolean;
  readonly wholeRestarts: boolean;
  /** A standby claims though the owner lives. */
  readonly usurpers: boolean;
  /** Of calls of the log, the part that is late, lost or doubled. */
  readonly logTrouble: number;
  /** How far the clocks of nodes are apart, at most. */
  readonly skewMaxMs: number;
  readonly pollMs: number;
  readonly beatMs: number;
}

/** Draws a world. The same stream gives the same world. */
export function drawClusterFaults(rng: Rng): ClusterFaults {
  const drawn = drawFaults(rng);
  const on = (probability = 0.5) => coin(rng, probability);
  const chaosMs = span(rng, 5 * minuteMs, pick(rng, [20 * minuteMs, hourMs, 4 * hourMs]));
  /** Beats and polls cost more than all else of a quiet hour. */
  const seldom = (ms: number) => Math.max(ms, chaosMs / 500);
  return {
    ...drawn,
    chaosMs,
    // Nodes die by themselves here, and differ by their clocks.
    ...{ eventsPerCrash: Number.POSITIVE_INFINITY, eventsPerDrain: Number.POSITIVE_INFINITY },
    clockJumps: false,
    nodes: 3,
    blows: whole(rng, 6, 40),
    kills: on(0.8),
    powerCuts: on(),
    stops: on(0.7),
    cuts: on(0.7),
    lostDisks: on(0.4),
    wholeRestarts: on(0.3),
    usurpers: on(0.6),
    logTrouble: pick(rng, [0, 0.01, 0.05]),
    skewMaxMs: on() ? whole(rng, 100, 4_000) : 0,
    pollMs: seldom(pick(rng, [250, 5_000, 30_000])),
    beatMs: seldom(pick(rng, [1_000, 15_000])),
  };
}
