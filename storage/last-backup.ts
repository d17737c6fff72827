// What the newest backup of a data directory was, for metrics: a backup may be made elsewhere.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bytes, Millis } from '../engine/base/brand.ts';
import { writeSynced } from './durable-file.ts';

interface LastBackup {
  /** Everything acknowledged before is in it. */
  readonly cutMs: Millis;
  readonly tookMs: Millis;
  readonly bytes: Bytes;
}

const fileName = 'last-backup.json';

export function writeLastBackup(dataDir: string, backup: LastBackup): void {
  writeSynced(join(dataDir, fileName), Buffer.from(`${JSON.stringify(backup)}\n`));
}

/** `undefined` without one, or if the file was damaged: it only informs. */
export function readLastBackup(dataDir: string): LastBackup | undefined {
  try {
    const read: Partial<LastBackup> = JSON.parse(readFileSync(join(dataDir, fileName), 'utf8'));
    const { cutMs, tookMs, bytes } = read;
    if (typeof cutMs !== 'number' || typeof tookMs !== 'number' || typeof bytes !== 'number')
      return;
    return { cutMs, tookMs, bytes };
  } catch {
    return undefined;
  }
}
