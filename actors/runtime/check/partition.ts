// Checks one partition's files: three passes over one snapshot. Synchronous and long, so it runs in
// a process of its own, which a damaged file may end.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../engine/time/clock.ts';
import { checkpointNames } from '../../../storage/checkpoint.ts';
import { partitionPath } from '../../../storage/environment.ts';
import { PartitionSnapshot } from '../../../storage/partition-snapshot.ts';
import { tableById } from '../../../storage/table.ts';
import { knownKinds } from '../known-kinds.ts';
import { checkActivePeople } from './active-people.ts';
import { checkIndexes } from './indexes.ts';
import { checkMemory } from './memory.ts';
import { Problems } from './problems.ts';
import type { CheckJob, PartitionReport } from './protocol.ts';
import { checkFiles, checkRecords } from './records.ts';

/** A running server replaces checkpoints: a check that failed meanwhile is repeated. */
const triesMax = 3;

/** Throws what opening the partition throws. */
export async function checkPartition(
  job: Omit<CheckJob, 'partitions'>,
  partition: number,
  clock: Clock,
  tick: (what: string) => void,
): Promise<PartitionReport> {
  const path = partitionPath(job.dataDir, partition);
  for (let tries = 1; ; tries++) {
    const before = checkpointNames(path).join();
    const report = await checkOnce(job, partition, path, clock, tick);
    if (report.problemCount === 0 || tries === triesMax) return report;
    if (checkpointNames(path).join() === before) return report;
  }
}

async function checkOnce(
  { level }: Omit<CheckJob, 'partitions'>,
  partition: number,
  path: string,
  clock: Clock,
  tick: (what: string) => void,
): Promise<PartitionReport> {
  const startedMs = clock.monotonic();
  const snapshot = new PartitionSnapshot(path, knownKinds);
  try {
    const problems = new Problems();
    if (snapshot.meta.partition !== partition)
      problems.add(`these are the files of partition ${snapshot.meta.partition}: they were moved`);
    const counts = checkRecords(snapshot, problems, tick);
    const files = checkFiles(snapshot, problems, tick);
    const { state, folds } =
      level === 'all' ? checkMemory(snapshot, problems, tick) : { state: undefined, folds: 0 };
    if (state !== undefined) checkIndexes(snapshot, state, clock.now(), problems, tick);
    const active = state && checkActivePeople(snapshot, state, clock.now(), problems, tick);
    let people = 0;
    for (const app of state?.apps.values() ?? []) people += app.people.count;
    return {
      partition,
      epoch: snapshot.epoch,
      oldestSeq: snapshot.oldestSeq,
      newestSeq: snapshot.newestSeq,
      blocks: counts.blocks,
      entries: counts.entries,
      documents: counts.documents,
      tables: [...counts.byTable]
        .sort(([a], [b]) => a - b)
        .map(([id, count]) => [tableById(id)?.name ?? `table ${id}`, count]),
      ...files,
      apps: state?.apps.size ?? 0,
      people,
      ...(active === undefined ? {} : { active }),
      folds,
      newestMs: counts.newestMs,
      bytes: statSync(join(path, 'data.mdb')).size,
      durMs: clock.monotonic() - startedMs,
      problems: problems.sentences,
      problemCount: problems.count,
    };
  } finally {
    await snapshot.close();
  }
}
