// What pool threads run for a shard: making checkpoints, reading events back, and exports. Each task opens the partition read-only
// for as long as it takes and closes it again, because an idle pool thread is ended, and never with LMDB open.

import type { Millis, Seq } from '../engine/base/brand.ts';
import { newHashKey } from '../engine/base/hash.ts';
import { systemRng } from '../engine/base/rng.ts';
import { StopFlag } from '../engine/thread/shared-word.ts';
import { PartitionReader } from '../storage/reader.ts';
import type { ExportRead, ExportText } from './audience/export-page.ts';
import type { EventsRead, EventsReply } from './events/list.ts';
import type { CheckpointOutcome } from './folding.ts';
import type { CountedTimes } from './segments/protocol.ts';
import type { TimesRead } from './segments/read-times.ts';

interface InPartition {
  readonly dataDir: string;
  readonly partition: number;
}

/** Make the partition's next checkpoint; see `makeCheckpoint`. */
export interface CheckpointTask extends InPartition {
  readonly kind: 'checkpoint';
  /** The newest block it may cover. */
  readonly through: Seq;
  readonly nowMs: Millis;
  readonly sweep: boolean;
  /** It takes as little room as it can: no file of history is written anew. */
  readonly diskLow: boolean;
  /** The word of a `StopFlag`. */
  readonly stop: Int32Array;
}

/** Read a page of events; see `readPage`. */
export interface EventsTask extends InPartition {
  readonly kind: 'events';
  readonly read: EventsRead;
}

/** Make a page of an export; see `readExportPage`. */
export interface ExportTask extends InPartition {
  readonly kind: 'export';
  readonly read: ExportRead;
}

/** Read when people did what a filter counts; see `readTimes`. */
export interface TimesTask extends InPartition {
  readonly kind: 'times';
  readonly read: TimesRead;
}

export type PoolTask = CheckpointTask | EventsTask | ExportTask | TimesTask;

/** A checkpoint's outcome, with what was worked around on the way. */
export type CheckpointResult = CheckpointOutcome & { readonly problems: readonly string[] };

export type PoolResult = CheckpointResult | EventsReply | ExportText | CountedTimes;

/** Called by the pool's threads. */
export async function run(task: PoolTask): Promise<PoolResult> {
  const reader = new PartitionReader(task);
  try {
    switch (task.kind) {
      case 'checkpoint':
        return await checkpoint(task, reader);
      case 'events': {
        const { readPage } = await import('./events/list.ts');
        return readPage(task.read, reader.path, reader);
      }
      case 'times': {
        const { withHistory } = await import('./events/list.ts');
        const { readTimes } = await import('./segments/read-times.ts');
        return withHistory(reader.path, (history) => readTimes(task.read, reader, history));
      }
      case 'export': {
        const { readExportPage } = await import('./audience/export-page.ts');
        return readExportPage(task.read, reader);
      }
    }
  } finally {
    await reader.close();
  }
}

async function checkpoint(
  task: CheckpointTask,
  source: PartitionReader,
): Promise<CheckpointResult> {
  // Only now: it is the whole product, and a read of events needs none of it.
  const [{ makeCheckpoint }, { noRewrites }] = await Promise.all([
    import('./folding.ts'),
    import('./events/history-pass.ts'),
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
