// Copies a partition beside its running writer: LMDB's file by hot copy, checkpoints and history by
// hard link. Never link data.mdb: LMDB writes it in place. Other files never change once named.

import '../engine/base/plain-msgpack.ts';
import { constants, existsSync, readdirSync } from 'node:fs';
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import type { Bytes } from '../engine/base/brand.ts';
import { manifestsOf } from './checkpoint.ts';
import { mapBytes, partitionPath } from './environment.ts';
import { filesBelow, syncTree } from './files.ts';
import { oldestSeq } from './rows.ts';

const immutableFolders = ['checkpoints', 'history'] as const;
/** Retries of linking if files change meanwhile: a checkpoint comes every few minutes. */
const linkTries = 20;

export interface CopiedPartition {
  readonly partition: number;
  readonly bytes: Bytes;
  /** Checkpoint and history files, linked or copied. */
  readonly files: number;
}

/** Partition numbers from 0, or none; throws if one is missing. */
export function partitionsIn(dataDir: string): number[] {
  const folder = join(dataDir, 'partitions');
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder)
    .filter((name) => /^\d{2,3}$/.test(name) && existsSync(join(folder, name, 'data.mdb')))
    .map(Number)
    .sort((a, b) => a - b);
  const missing = found.findIndex((partition, index) => partition !== index);
  if (missing >= 0) throw new Error(`${folder} has no partition ${missing}.`);
  return found;
}

/**
 * Copies one partition of `dataDir` below `into`, durably. A running writer's process must make the
 * call (any thread). A read transaction lets the original grow meanwhile: one partition at a time.
 */
export async function copyPartition(
  dataDir: string,
  partition: number,
  into: string,
): Promise<CopiedPartition> {
  const from = partitionPath(dataDir, partition);
  const to = partitionPath(into, partition);
  await mkdir(to, { recursive: true, mode: 0o700 });
  const root = openLmdb<Buffer, Uint8Array>({
    path: from,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    readOnly: true,
    mapSize: mapBytes,
    maxDbs: 4,
  });
  try {
    const log = root.openDB<Buffer, Uint8Array>('log', {
      encoding: 'binary',
      keyEncoding: 'binary',
    });
    for (let tries = 1; ; tries++) {
      // Checkpoints before the log: one newer than the log would have turns that the log lacks.
      const files = await linkImmutable(from, to);
      await rm(join(to, 'data.mdb'), { force: true });
      await root.backup(to, false);
      root.resetReadTxn();
      // Meanwhile two new checkpoints may have let their part of the log be dropped.
      const covered = manifestsOf(to)[0]?.seq ?? 0;
      if ((oldestSeq(log) ?? 1) <= covered + 1) {
        await syncTree(to);
        const { size } = await stat(join(to, 'data.mdb'));
        return { partition, bytes: size, files };
      }
      if (tries === linkTries)
        throw new Error(`${from}: its checkpoints change faster than they can be copied.`);
    }
  } finally {
    await root.close();
  }
}

/**
 * Links a consistent set of checkpoints and history: names are equal before and after, and never
 * reused. Returns the file count.
 */
async function linkImmutable(from: string, to: string): Promise<number> {
  for (let tries = 0; tries < linkTries; tries++) {
    const before = await immutableFiles(from);
    for (const folder of immutableFolders)
      await rm(join(to, folder), { recursive: true, force: true });
    if (!(await linkAll(from, to, before))) continue;
    const after = await immutableFiles(from);
    if (before.join('\n') !== after.join('\n')) continue;
    return before.length;
  }
  throw new Error(`${from}: its checkpoints and history change faster than they can be linked.`);
}

/** False if a file disappeared. */
async function linkAll(from: string, to: string, files: readonly string[]): Promise<boolean> {
  for (const path of files) {
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    try {
      await link(join(from, path), target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return false;
      // Another device, a file system without links, or too many links.
      const copied = await copyFile(join(from, path), target, constants.COPYFILE_FICLONE).then(
        () => true,
        (failure: NodeJS.ErrnoException) => {
          if (failure.code === 'ENOENT') return false;
          throw failure;
        },
      );
      if (!copied) return false;
    }
  }
  return true;
}

/** Finished checkpoint and history files; unfinished ones, or their folder, end in `.tmp`. */
async function immutableFiles(from: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of immutableFolders) {
    const below = await filesBelow(join(from, folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const path of below)
      if (!path.split('/').some((part) => part.endsWith('.tmp'))) found.push(`${folder}/${path}`);
  }
  return found;
}
