// Tasks of pool threads: checkpoints and long reads. Each opens the partition read-only and closes
// it again: an idle pool thread may end at any time, but never with LMDB open.

import type { Millis, Seq } from '../../engine/base/brand.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { systemRng } from '../../engine/base/rng.ts';
import { StopFlag } from '../../engine/thread/shared-word.ts';
import { PartitionReader } from '../../storage/reader.ts';
import type { CheckpointOutcome } from './folding.ts';
import { runRead } from './reads.ts';

interface InPartition {
  readonly dataDir: string;
  readonly partition: number;
}

/** See `makeCheckpoint`. */
export interface CheckpointTask extends InPartition {
  readonly kind: 'checkpoint';
  /** The newest block to cover. */
  readonly through: Seq;
  readonly nowMs: Millis;
  readonly sweep: boolean;
  /** Saves room: rewrites no history file. */
  readonly diskLow: boolean;
  /** The word of a `StopFlag`. */
  readonly stop: Int32Array;
}

/** See `reads.ts`. */
export interface ReadTask extends InPartition {
  readonly kind: 'read';
  readonly name: string;
  readonly what: unknown;
}

export type PoolTask = CheckpointTask | ReadTask;

/** `problems`: what was worked around. */
export type CheckpointResult = CheckpointOutcome & { readonly problems: readonly string[] };

/** A `CheckpointResult`, or what the read found. */
export type PoolResult = unknown;

/** Called by the pool's threads. */
export async function run(task: PoolTask): Promise<PoolResult> {
  const reader = new PartitionReader(task);
  try {
    return task.kind === 'checkpoint'
      ? await checkpoint(task, reader)
      : await runRead(task.name, task.what, reader, reader.path);
  } finally {
    await reader.close();
  }
}

async function checkpoint(
  task: CheckpointTask,
  source: PartitionReader,
): Promise<CheckpointResult> {
  // Imported late: it loads the whole product, which reads do not need.
  const [{ makeCheckpoint }, { noRewrites }] = await Promise.all([
    import('./folding.ts'),
    import('../events/history/history-pass.ts'),
  ]);
  const problems: string[] = [];
  const stop = new StopFlag(task.stop);
  const outcome = makeCheckpoint({
    path: source.path,
    partition: task.partition,
    source,
    through: task.through,
    nowMs: task.nowMs,
    tableKey: newHashKey(systemRng()),
    sweep: task.sweep,
    ...(task.diskLow ? { bounds: noRewrites } : {}),
    stopped: () => stop.isSet,
    onProblem: (problem) => problems.push(problem),
  });
  return { ...outcome, problems };
}
