// The metrics of the process, its disk, its restarts and its backups.

import { statfsSync } from 'node:fs';
import type { Bytes, Millis } from '../../engine/base/brand.ts';
import { type RestartReason, restartReasons } from '../../engine/cluster/primary.ts';
import type { Metrics } from '../../engine/observe/metrics.ts';

export interface ServerFacts {
  readonly dataDir: string;
  /** What the primary counted before this process, as JSON. */
  readonly restarts: string | undefined;
  lastBackup(): LastBackup | undefined;
  ballastBytes(): Bytes;
  /** Of the cluster; absent for a server that is alone. */
  readonly clusterPartitions?: number;
}

interface LastBackup {
  readonly cutMs: Millis;
  readonly tookMs: Millis;
  readonly bytes: Bytes;
}

export function setServer(
  metrics: Metrics,
  { dataDir, restarts = '{}', lastBackup, ballastBytes }: ServerFacts,
): void {
  metrics.set('engage_process_resident_bytes', {}, process.memoryUsage.rss());
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  metrics.set('engage_disk_free_bytes', {}, bavail * bsize);
  metrics.set('engage_disk_free_ratio', {}, bavail / Math.max(1, blocks));
  metrics.set('engage_disk_ballast_bytes', {}, ballastBytes());
  const counts: Partial<Record<RestartReason, number>> = JSON.parse(restarts);
  for (const reason of restartReasons)
    metrics.set('engage_restarts_total', { reason }, counts[reason] ?? 0);
  metrics.set('engage_commit_failures_total', {}, counts.commit_failed ?? 0);
  const backup = lastBackup();
  if (backup === undefined) return;
  metrics.set('engage_backup_last_success_timestamp_seconds', {}, backup.cutMs / 1000);
  metrics.set('engage_backup_last_duration_seconds', {}, backup.tookMs / 1000);
  metrics.set('engage_backup_last_size_bytes', {}, backup.bytes);
}
