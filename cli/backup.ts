// `engage backup <dir>`: copies all partitions through the running server, or here under the lock.
// A child process verifies the copies. Only then is the draft renamed to a backup.

import { existsSync, readdirSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { PartitionReport } from '../actors/runtime/check/protocol.ts';
import { runCheck } from '../actors/runtime/check/run.ts';
import type { AdminResults } from '../http/process/admin-socket.ts';
import { readConfig } from '../http/process/config.ts';
import { version } from '../http/version.ts';
import { copyPartition, partitionsIn } from '../storage/backup.ts';
import {
  type BackupManifest,
  type BackupPartition,
  backupFormat,
  describeFile,
  writeManifest,
} from '../storage/backup-manifest.ts';
import { partitionPath } from '../storage/environment.ts';
import { filesBelow, syncFile, syncTree } from '../storage/files.ts';
import { writeLastBackup } from '../storage/last-backup.ts';
import { askServer, needData, withLock } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';
import { makeDirectory } from './directory.ts';
import { configuredKeyIds } from './master-keys.ts';
import { bytesText, type CommandProgress, progressOnStderr } from './progress.ts';
import { parseWords } from './words.ts';

/** Marks a draft that the next backup of that name may remove. */
const draftMarker = 'unfinished-backup';

type Copied = AdminResults['backup'];

export const command: Command = {
  name: 'backup',
  summary: 'Back up all data to a new directory, with the server running or stopped.',
  usage: 'engage backup <dir>',
  help: [
    'Writes a backup of ENGAGE_DATA_DIR to <dir>, which must not exist yet. If the server is',
    'running, it makes the backup and keeps serving. Everything acknowledged before the',
    'command started is included. If <dir> is on the same file system, checkpoints and',
    'history are hard-linked, so a backup needs little extra space; copy it to another',
    'machine to be safe from a lost disk.',
    '',
    'Every file is read back, and its checksum is stored in <dir>/manifest.json. Progress',
    'goes to stderr, a JSON summary to stdout. The exit code is 0 only for a complete,',
    'verified backup; a failed backup leaves nothing behind.',
    '',
    'A backup never contains the master key or the bootstrap token: keep the master key in',
    'another place. Without it, encrypted values (credentials, webhook secrets) cannot be',
    'read after a restore.',
  ].join('\n'),
  run: backup,
};

async function backup(words: readonly string[]): Promise<number> {
  const { positionals } = parseWords(words, []);
  const [target, more] = positionals;
  if (target === undefined || more !== undefined)
    throw new UsageError('expected one directory: engage backup <dir>');
  const config = readConfig(process.env);
  const directory = resolve(target);
  if (existsSync(directory))
    throw new Error(`${directory} already exists: a backup needs a new directory.`);
  needData(config.dataDir);
  const startedMs = Date.now();
  const draft = `${directory}.tmp`;
  const progress = progressOnStderr();
  await makeDraft(draft);
  try {
    const { copied, beside } = await copyAll(config.dataDir, draft, config.masterKey, progress);
    const manifest = await finish(draft, copied, progress);
    await rename(draft, directory);
    await syncFile(dirname(directory));
    writeLastBackup(config.dataDir, {
      cutMs: Date.parse(manifest.cutAt),
      tookMs: Date.now() - startedMs,
      bytes: bytesOf(manifest),
    });
    progress.end();
    summarize(directory, manifest, beside);
    return 0;
  } catch (error) {
    progress.end();
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function makeDraft(draft: string): Promise<void> {
  if (existsSync(draft)) {
    if (!readdirSync(draft).includes(draftMarker))
      throw new Error(`${draft} is in the way, and is not an unfinished backup.`);
    await rm(draft, { recursive: true });
  }
  makeDirectory(draft);
  await writeFile(join(draft, draftMarker), '');
}

async function copyAll(
  dataDir: string,
  draft: string,
  masterKey: string | undefined,
  progress: CommandProgress,
): Promise<{ readonly copied: Copied; readonly beside: 'server' | 'files' }> {
  const byServer = await askServer<'backup'>(
    dataDir,
    { command: 'backup', into: draft },
    progress.show,
  );
  if (byServer !== undefined) return { copied: byServer, beside: 'server' };
  return withLock(dataDir, async () => {
    const cutAt = new Date().toISOString();
    const all = partitionsIn(dataDir);
    const partitions: Copied['partitions'][number][] = [];
    for (const partition of all) {
      progress.show(`copying partition ${partition + 1} of ${all.length}`);
      partitions.push(await copyPartition(dataDir, partition, draft));
    }
    const masterKeyIds = configuredKeyIds(dataDir, masterKey);
    return { copied: { cutAt, masterKeyIds, partitions }, beside: 'files' };
  });
}

/** Reads the copies back, computes checksums and writes the manifest. */
async function finish(
  draft: string,
  copied: Copied,
  progress: CommandProgress,
): Promise<BackupManifest> {
  const reports = await runCheck(
    {
      dataDir: draft,
      partitions: copied.partitions.map(({ partition }) => partition),
      level: 'records',
    },
    { onProgress: (partition, what) => progress.show(`verifying partition ${partition}: ${what}`) },
  );
  for (const { partition, problems } of reports) {
    const problem = problems[0];
    if (problem?.includes('newer program')) throw new Error(problem);
    if (problem !== undefined)
      throw new Error(
        `the copy of partition ${partition} is damaged (${problem}): run engage check on the original.`,
      );
  }
  const partitions: BackupPartition[] = [];
  for (const report of reports) {
    progress.show(`computing checksums of partition ${report.partition}`);
    partitions.push(await describePartition(draft, report));
  }
  const manifest: BackupManifest = {
    format: backupFormat,
    version,
    cutAt: copied.cutAt,
    createdAt: new Date().toISOString(),
    masterKeyIds: copied.masterKeyIds,
    partitions,
  };
  await rm(join(draft, draftMarker));
  await writeManifest(draft, manifest);
  await syncTree(draft);
  return manifest;
}

async function describePartition(
  draft: string,
  { partition, newestSeq, epoch }: PartitionReport,
): Promise<BackupPartition> {
  const path = partitionPath(draft, partition);
  await rm(join(path, 'lock.mdb'), { force: true }); // made by reading
  const files = [];
  for (const name of await filesBelow(path))
    files.push(await describeFile(draft, relative(draft, join(path, name))));
  const data = files.find((file) => file.path.endsWith('/data.mdb'));
  if (data === undefined) throw new Error(`${path} has no data.mdb.`);
  const { bytes, sha256 } = data;
  return { partition, seq: newestSeq, epoch, bytes, sha256, files };
}

function bytesOf({ partitions }: BackupManifest): number {
  const files = partitions.flatMap((partition) => partition.files);
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

function summarize(directory: string, manifest: BackupManifest, beside: 'server' | 'files'): void {
  const { cutAt, createdAt, masterKeyIds, partitions } = manifest;
  const files = partitions.flatMap((partition) => partition.files);
  const bytes = bytesOf(manifest);
  const how = beside === 'server' ? 'by the running server' : 'while the server was stopped';
  const key = masterKeyIds[0] === undefined ? '' : ` (${masterKeyIds.join(', ')})`;
  process.stderr.write(
    [
      `Backed up ${partitions.length} partitions, ${bytesText(bytes)} in ${files.length} files, ${how}, and verified them.`,
      `Everything acknowledged before ${cutAt} is in ${directory}.`,
      `The master key${key} is not in it: keep it in another place. Without it, encrypted values cannot be read after a restore.`,
      '',
    ].join('\n'),
  );
  const seqs = partitions.map(({ partition, seq, epoch }) => ({ partition, seq, epoch }));
  const summary = {
    backup: directory,
    cutAt,
    createdAt,
    bytes,
    files: files.length,
    partitions: seqs,
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
}
