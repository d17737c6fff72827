// A backup's manifest: every file with size and checksum, every partition with its newest turn.
// Written last: a directory without it is not a backup.

import { createHash } from 'node:crypto';
import { constants, createReadStream, existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bytes, Seq } from '../engine/base/brand.ts';
import { syncFile } from './files.ts';

/** The format this program writes and the newest it reads. */
export const backupFormat = 1;

const manifestName = 'manifest.json';
/** `path` is relative to the backup, with slashes. */
interface BackupFile {
  readonly path: string;
  readonly bytes: Bytes;
  readonly sha256: string;
}

export interface BackupPartition {
  readonly partition: number;
  /** The newest turn; covers everything acknowledged before the cut. */
  readonly seq: Seq;
  /** The id of the copied data directory. */
  readonly epoch: number;
  /** Of `data.mdb`. */
  readonly bytes: Bytes;
  readonly sha256: string;
  /** `data.mdb` and every file beside it. */
  readonly files: readonly BackupFile[];
}

export interface BackupManifest {
  readonly format: number;
  /** The version of the program that wrote it. */
  readonly version: string;
  /** When copying began, RFC 3339: every copy has all that was acknowledged before. */
  readonly cutAt: string;
  /** When it was complete and verified. */
  readonly createdAt: string;
  /** Configured master keys, the sealing one first; empty if unknown. */
  readonly masterKeyIds: readonly string[];
  readonly partitions: readonly BackupPartition[];
}

/** Size and SHA-256, read in pieces. `path` is relative to `directory`. */
export async function describeFile(directory: string, path: string): Promise<BackupFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const source: AsyncIterable<Buffer> = createReadStream(join(directory, path), {
    highWaterMark: 1 << 20,
  });
  for await (const chunk of source) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { path, bytes, sha256: hash.digest('hex') };
}

/** Writes the manifest durably, which makes the directory a backup. */
export async function writeManifest(directory: string, manifest: BackupManifest): Promise<void> {
  const path = join(directory, manifestName);
  await writeFile(`${path}.tmp`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await syncFile(`${path}.tmp`);
  await rename(`${path}.tmp`, path);
  await syncFile(directory);
}

/** Throws a one-sentence error for a non-backup or a newer format. */
export function readManifest(directory: string): BackupManifest {
  const path = join(directory, manifestName);
  if (!existsSync(path))
    throw new Error(`${directory} is not a backup: it has no ${manifestName}.`);
  let manifest: Partial<BackupManifest>;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8')) as Partial<BackupManifest>;
  } catch {
    throw new Error(`${path} cannot be read: it is damaged.`);
  }
  const { format, version, cutAt, createdAt, masterKeyIds, partitions } = manifest;
  if (typeof format === 'number' && format > backupFormat)
    throw new Error(
      `${directory} has backup format ${format} and this program reads up to ${backupFormat}: use the newer program.`,
    );
  if (
    format === undefined ||
    version === undefined ||
    cutAt === undefined ||
    createdAt === undefined ||
    !Array.isArray(partitions) ||
    partitions.length === 0
  )
    throw new Error(`${path} lacks fields: it is damaged.`);
  return { format, version, cutAt, createdAt, masterKeyIds: masterKeyIds ?? [], partitions };
}

/** A sentence about the first file that differs from the manifest, or `undefined`. */
export async function damageOf(
  directory: string,
  manifest: BackupManifest,
  onPartition?: (partition: number) => void,
): Promise<string | undefined> {
  for (const { partition, files } of manifest.partitions) {
    onPartition?.(partition);
    for (const file of files) {
      if (!existsSync(join(directory, file.path)))
        return `${file.path} is missing from the backup.`;
      const { bytes, sha256 } = await describeFile(directory, file.path);
      if (bytes !== file.bytes) return `${file.path} has ${bytes} bytes, expected ${file.bytes}.`;
      if (sha256 !== file.sha256) return `${file.path} fails its checksum: the backup is damaged.`;
    }
  }
  return undefined;
}

/** Copies a backup's files; durable once the caller syncs the target tree. */
export async function copyFiles(
  from: string,
  files: readonly BackupFile[],
  to: string,
): Promise<void> {
  for (const { path } of files) {
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(join(from, path), target, constants.COPYFILE_FICLONE);
  }
}
