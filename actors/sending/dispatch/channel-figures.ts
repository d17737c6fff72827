// The outcomes of one channel's calls, for metrics.

import {
  addDurations,
  type Durations,
  noDurations,
  noteDuration,
} from '../../../engine/observe/durations.ts';
import type { Outcome } from '../../channels/port/outcome.ts';

export interface ChannelFigures {
  readonly calls: Durations;
  /** Those that were not the first call of their device and send. */
  again: number;
  readonly outcomes: Record<Outcome['outcome'], number>;
}

/** Buckets of the histograms of calls that leave this machine. */
export const callBoundsMs = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000,
] as const;

export function noChannelFigures(): ChannelFigures {
  const outcomes = {
    accepted: 0,
    dead: 0,
    opted_out: 0,
    permanent: 0,
    config: 0,
    rate: 0,
    retry: 0,
    ambiguous: 0,
  };
  return { calls: noDurations(callBoundsMs), again: 0, outcomes };
}

export function countCall(
  figures: ChannelFigures,
  outcome: Outcome['outcome'],
  tookMs: number,
  isAgain: boolean,
): void {
  if (isAgain) figures.again++;
  figures.outcomes[outcome]++;
  noteDuration(figures.calls, tookMs);
}

/** Adds the figures of another thread. */
export function addFigures(sum: ChannelFigures, more: ChannelFigures): void {
  addDurations(sum.calls, more.calls);
  sum.again += more.again;
  for (const outcome of Object.keys(sum.outcomes) as Outcome['outcome'][])
    sum.outcomes[outcome] += more.outcomes[outcome];
}
