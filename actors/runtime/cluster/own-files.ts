// Where a member of a cluster has its files: in the data directory, or in a folder of it where a
// node has several members, for two of them may have copies of one partition for a while.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { partitionPath } from '../../../storage/environment.ts';
import type { ShardData } from '../protocol.ts';

export function withOwnFiles(data: ShardData): ShardData {
  if (data.cluster === undefined || data.shards === 1) return data;
  const folder = folderOf(data.index);
  const dataDir = join(data.dataDir, folder);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Empty: by it, starts and commands see that the data directory is in use.
  mkdirSync(join(data.dataDir, 'partitions'), { recursive: true, mode: 0o700 });
  const { erasuresDir } = data;
  return { ...data, dataDir, ...(erasuresDir && { erasuresDir: join(erasuresDir, folder) }) };
}

/** The directory of a member of this node that has files of the partition. */
export function filesDirWith(dataDir: string, shards: number, partition: number): string {
  if (shards === 1) return dataDir;
  const dirs = Array.from({ length: shards }, (_, index) => join(dataDir, folderOf(index)));
  const found = dirs.find((dir) => existsSync(join(partitionPath(dir, partition), 'data.mdb')));
  return found ?? dataDir;
}

function folderOf(index: number): string {
  return `shard-${index}`;
}
