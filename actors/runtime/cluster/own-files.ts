// Where a member of a cluster has its files: in the data directory, or in a folder of it where a
// node has several members, for two of them may have copies of one partition for a while.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ShardData } from '../protocol.ts';

export function withOwnFiles(data: ShardData): ShardData {
  if (data.cluster === undefined || data.shards === 1) return data;
  const folder = `shard-${data.index}`;
  const dataDir = join(data.dataDir, folder);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { erasuresDir } = data;
  return { ...data, dataDir, ...(erasuresDir && { erasuresDir: join(erasuresDir, folder) }) };
}
