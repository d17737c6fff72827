// How long each org took no write, and by which fault. Time in which nobody could serve, because
// two of three nats-servers or all engines were gone, does not count.

import type { FaultWindow, History } from './history.ts';

interface Outage {
  readonly org: string;
  readonly fromMs: number;
  /** Without the time in which nobody could serve. */
  readonly ms: number;
  /** Of the fault that began it, as far as one did. */
  readonly kind: string;
}

/** A pause between two writes that is shorter is nothing to speak of. */
const pauseMs = 1_000;
/** Effects of a fault may begin so long after it is over: elections, restarts. */
const afterMs = 5_000;

/** Pauses of at least a second, longest first. */
export function outagesOf(
  history: Pick<History, 'served' | 'faults' | 'fromMs' | 'untilMs'>,
): Outage[] {
  const { served, faults, fromMs, untilMs } = history;
  const outages: Outage[] = [];
  for (const [org, instants] of served) {
    const ends = [fromMs, ...[...instants].sort((a, b) => a - b), untilMs];
    for (const [index, end] of ends.slice(1).entries()) {
      const from = ends[index] as number;
      if (end - from < pauseMs) continue;
      const ms = end - from - totalMs(faults, from, end);
      if (ms >= pauseMs) outages.push({ org, fromMs: from, ms, kind: kindOf(faults, from, end) });
    }
  }
  return outages.sort((a, b) => b.ms - a.ms);
}

/** How much of a time was covered by faults that stop everything. */
function totalMs(faults: readonly FaultWindow[], fromMs: number, untilMs: number): number {
  const parts = faults
    .filter(({ isTotal }) => isTotal)
    .map((fault) => [Math.max(fault.fromMs, fromMs), Math.min(fault.untilMs, untilMs)] as const)
    .filter(([from, until]) => until > from)
    .sort(([a], [b]) => a - b);
  let ms = 0;
  let reachedMs = fromMs;
  for (const [from, until] of parts) {
    ms += Math.max(0, until - Math.max(from, reachedMs));
    reachedMs = Math.max(reachedMs, until);
  }
  return ms;
}

/** The last fault that was there when it began or began within it. */
function kindOf(faults: readonly FaultWindow[], fromMs: number, untilMs: number): string {
  const near = faults.filter((fault) => fault.fromMs < untilMs && fault.untilMs + afterMs > fromMs);
  return near.at(-1)?.kind ?? 'no fault';
}
