// A bench's in-process figure: how long work takes, and its line.

export function timed(work: () => unknown): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

export function line(what: string, value: number, unit: string): void {
  console.log(`${what.padEnd(34)} ${value.toFixed(1).padStart(9)} ${unit}`);
}

/** CPU milliseconds, the better of two runs. */
export function bestCpuMs(work: () => unknown): number {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 2; round++) {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    bestMs = Math.min(bestMs, (user + system) / 1000);
  }
  return bestMs;
}
