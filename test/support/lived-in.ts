// A data directory of one partition with some days of life in it, checkpoints and history too, as a
// stopped server leaves it. The same for a seed.

import { makeCheckpoint } from '../../actors/runtime/folding.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { seededRng } from '../../engine/base/rng.ts';
import { MirroredStore } from './mirrored-store.ts';
import {
  type TestClock,
  TestPartition,
  type TestPartitionOptions,
  testClock,
} from './partition.ts';
import { RandomDays } from './random-days.ts';

interface LivedInOptions extends Pick<TestPartitionOptions, 'masterKeys'> {
  /** Begins at the first instant of 2026 without one. */
  readonly clock?: TestClock;
  readonly seed: number;
  /** Steps between checkpoints; a checkpoint after each but the last. */
  readonly steps: readonly number[];
  /** What else should happen, at the end. */
  readonly last?: (one: TestPartition, app: number) => Promise<void>;
}

/**
 * Fills `dataDir`, which must be new, and closes its files. Returns what runs on a copy of them in
 * memory.
 */
export async function livedIn(dataDir: string, options: LivedInOptions): Promise<TestPartition> {
  const { seed, steps, last, masterKeys, clock = testClock() } = options;
  const store = new MirroredStore(dataDir);
  const one = new TestPartition({
    store,
    rng: seededRng(seed),
    clock,
    ...(masterKeys === undefined ? {} : { masterKeys }),
  });
  const days = await RandomDays.begin(one, seededRng(seed, 'days'));
  for (const [index, count] of steps.entries()) {
    await days.live(count);
    await store.synced();
    if (index === steps.length - 1) break;
    const made = makeCheckpoint({
      path: store.disk.path,
      partition: 0,
      source: store.disk,
      nowMs: one.clock.nowMs,
      tableKey: newHashKey(seededRng(seed)),
      onProblem: (problem) => {
        throw new Error(problem);
      },
    });
    if (made.outcome === 'made') while ((await store.disk.dropBlocks(made.dropThrough, 100)) > 0);
  }
  await last?.(one, days.apps[0] ?? 0);
  await store.synced();
  await store.disk.close();
  return one;
}
