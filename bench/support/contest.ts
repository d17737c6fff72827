// Measures contestants in turns, A B A B: a shared machine slows both alike, so the ratio of
// medians means something. Only one runs at a time, each turn on its own empty store.

import { type LoadResult, load, mustAnswer } from './http-load.ts';

export interface Contestant {
  readonly name: string;
  turn(): Promise<LoadResult>;
}

interface ContestOptions {
  readonly rounds: number;
  /** Measured seconds per turn. */
  readonly seconds: number;
  readonly warmupSeconds: number;
  readonly flags: ReadonlySet<string>;
  readonly rest: readonly string[];
}

/** Reads `--rounds=2 --seconds=4 --warmup=2`, `--flags` and the rest. */
export function contestOptions(args: readonly string[]): ContestOptions {
  const values = new Map<string, number>();
  const flags = new Set<string>();
  const rest: string[] = [];
  for (const arg of args) {
    const [, name, value] = /^--([a-z-]+)(?:=(\d+(?:\.\d+)?))?$/.exec(arg) ?? [];
    if (name === undefined) rest.push(arg);
    else if (value === undefined) flags.add(name);
    else values.set(name, Number(value));
  }
  return {
    rounds: values.get('rounds') ?? 3,
    seconds: values.get('seconds') ?? 4,
    warmupSeconds: values.get('warmup') ?? 2,
    flags,
    rest,
  };
}

/**
 * Runs all turns and prints medians and ratios; the first is compared with each other one. One
 * request counts as `perRequest` of `unit`. Returns the medians of requests per second, in order.
 * Throws if a turn does.
 */
export async function contest<const Contestants extends readonly Contestant[]>(
  contestants: Contestants,
  options: Pick<ContestOptions, 'rounds'> & { readonly unit: string; readonly perRequest: number },
): Promise<{ readonly [I in keyof Contestants]: number }> {
  const results = contestants.map((): LoadResult[] => []);
  for (let round = 0; round < options.rounds; round++)
    for (const [i, contestant] of contestants.entries()) results[i]?.push(await contestant.turn());
  const medians = results.map(
    (turns) => turns.toSorted((a, b) => a.perSecond - b.perSecond)[turns.length >> 1] as LoadResult,
  );
  const ours = medians[0] as LoadResult;
  for (const [i, median] of medians.entries()) {
    const rate = Math.round(median.perSecond * options.perRequest).toLocaleString('en');
    const latency = `p50 ${median.p50Ms.toFixed(1)} ms, p99 ${median.p99Ms.toFixed(1)} ms`;
    const ratio =
      i === 0
        ? ''
        : `, so Engage does ${(ours.perSecond / median.perSecond).toFixed(1)} times that`;
    const all = (results[i] ?? [])
      .map(({ perSecond }) => Math.round(perSecond * options.perRequest).toLocaleString('en'))
      .join(' ');
    console.log(
      `  ${(contestants[i]?.name ?? '').padEnd(42)} ${rate.padStart(9)} ${options.unit}/s, ${latency}${ratio}${options.rounds > 1 ? `  (${all})` : ''}`,
    );
  }
  return medians.map(({ perSecond }) => perSecond) as { [I in keyof Contestants]: number };
}

/** Parallel loads as one result: rates add up, latencies are the worst. */
export function combinedLoad(results: readonly LoadResult[]): LoadResult {
  const [first, ...others] = results as readonly [LoadResult, ...LoadResult[]];
  return others.reduce(
    (sum, one) => ({
      requests: sum.requests + one.requests,
      perSecond: sum.perSecond + one.perSecond,
      p50Ms: Math.max(sum.p50Ms, one.p50Ms),
      p99Ms: Math.max(sum.p99Ms, one.p99Ms),
      maxMs: Math.max(sum.maxMs, one.maxMs),
      statuses: added(sum.statuses, one.statuses),
      cpu: sum.cpu + one.cpu,
    }),
    first,
  );
}

function added(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** A load after a warm-up of its own kind; every answer must be a 202. */
export async function warmedLoad(
  plan: Omit<Parameters<typeof load>[0], 'seconds' | 'warmupSeconds'>,
  { seconds, warmupSeconds }: Pick<ContestOptions, 'seconds' | 'warmupSeconds'>,
): Promise<{ readonly result: LoadResult; readonly acknowledged: number }> {
  const warm = await load({ ...plan, seconds: warmupSeconds, warmupSeconds: 0 });
  mustAnswer(warm, 202);
  const result = await load({ ...plan, seconds, warmupSeconds: 0.5 });
  mustAnswer(result, 202);
  return { result, acknowledged: warm.requests + result.requests };
}
