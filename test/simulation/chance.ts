// Draws that the simulator needs beside the engine's own: spans, coins and weighted choices from a
// seeded stream.

import { fraction, type Rng } from '../../engine/base/rng.ts';

/** True with this probability. */
export function coin(rng: Rng, probability: number): boolean {
  return fraction(rng) < probability;
}

/** A whole number from `least` to `most`, both included. */
export function whole(rng: Rng, least: number, most: number): number {
  return least + Math.floor(fraction(rng) * (most - least + 1));
}

/** A span between two positive bounds, spread evenly over its orders of magnitude. */
export function span(rng: Rng, least: number, most: number): number {
  return least * (most / least) ** fraction(rng);
}

/** One of the names, each as likely as its weight says; at least one weight is above 0. */
export function weighted<Name extends string>(
  rng: Rng,
  weights: Readonly<Record<Name, number>>,
): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let total = 0;
  for (const [, weight] of entries) total += weight;
  let left = fraction(rng) * total;
  let chosen = entries[0]?.[0] as Name;
  for (const [name, weight] of entries) {
    if (weight === 0) continue;
    chosen = name;
    left -= weight;
    if (left < 0) break;
  }
  return chosen;
}
