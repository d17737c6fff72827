// The outcomes of one channel's calls, for metrics.

import type { Outcome } from '../../channels/outcome.ts';

export interface ChannelFigures {
  count: number;
  totalMs: number;
  maxMs: number;
  /** Those that were not the first call of their device and send. */
  again: number;
  readonly outcomes: Record<Outcome['outcome'], number>;
}

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
  return { count: 0, totalMs: 0, maxMs: 0, again: 0, outcomes };
}

export function countCall(
  figures: ChannelFigures,
  outcome: Outcome['outcome'],
  tookMs: number,
  isAgain: boolean,
): void {
  if (isAgain) figures.again++;
  figures.outcomes[outcome]++;
  figures.count++;
  figures.totalMs += tookMs;
  figures.maxMs = Math.max(figures.maxMs, tookMs);
}

/** Adds the figures of another thread. */
export function addFigures(sum: ChannelFigures, more: ChannelFigures): void {
  sum.count += more.count;
  sum.totalMs += more.totalMs;
  sum.again += more.again;
  sum.maxMs = Math.max(sum.maxMs, more.maxMs);
  for (const outcome of Object.keys(sum.outcomes) as Outcome['outcome'][])
    sum.outcomes[outcome] += more.outcomes[outcome];
}
