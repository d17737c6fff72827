// `engage restore <dir>`: makes a data directory from a backup. Writes nothing before all checksums
// match, and names nothing before all is durable. An interrupted restore leaves a directory that
// the next one restarts, and that no server mistakes for data.

import { existsSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { knownKinds } from '../actors/runtime/known-kinds.ts';
import { newestChanges } from '../actors/runtime/listed-changes.ts';
import { readConfig } from '../http/process/config.ts';
import {
  type BackupManifest,
  copyFiles,
  damageOf,
  readManifest,
} from '../storage/backup-manifest.ts';
import { openPartition } from '../storage/environment.ts';
import { erasuresFolder, readErasures } from '../storage/erasures.ts';
import { syncFile, syncTree } from '../storage/files.ts';
import { readChanges } from '../storage/listed-change.ts';
import { type ResendMode, resendModes } from '../storage/meta.ts';
import { bootstrapTokenFile, masterKeyFile } from '../storage/secrets.ts';
import { withLock } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';
import { configuredKeyIds } from './master-keys.ts';
import { type CommandProgress, progressOnStderr } from './progress.ts';
import { programFolder } from './single/program-place.ts';
import { parseWords } from './words.ts';

const stagingName = 'restoring';
/** What still counts as empty: the secrets, the program, and remains of a lock or restore. */
const allowedBefore = new Set<string>([
  masterKeyFile,
  bootstrapTokenFile,
  erasuresFolder,
  'lock',
  programFolder,
  stagingName,
]);

export const command: Command = {
  name: 'restore',
  summary: 'Create a data directory from a backup.',
  usage: 'engage restore <dir> --resend none|transactional|all [--into <data dir>]',
  help: [
    'Restores the backup <dir> into ENGAGE_DATA_DIR, or into the directory given with --into,',
    'which must not exist or be empty (master-key, bootstrap-token and erasures may be',
    'there). Data is never overwritten. Checksums are verified first.',
    '',
    '--resend sets what happens to sends that were pending or in progress at the time of the',
    'backup. They may have been sent since then; the backup cannot tell:',
    '  none           send none of them again. Each fails with the reason unknown_outcome and',
    '                 becomes a dead letter, which can be redriven. Choose it if the server',
    '                 kept running after the backup.',
    '  transactional  send transactional sends as after a restart; marketing sends fail as with',
    '                 none.',
    '  all            send all of them. Choose it if the server was stopped at the backup and',
    '                 nothing was sent since.',
    'The choice is stored in the restored data and applied at the first start, before',
    'anything is sent. With none and transactional, campaigns that may have begun since are',
    'paused, and people in journeys whose step was due before that start wait. `engage resume`',
    'resumes them.',
    '',
    'A backup does not contain the master key: copy the file master-key into the data',
    'directory, or set ENGAGE_MASTER_KEY, before the first start. Copy the lists of erased',
    'people too (the directory erasures, or ENGAGE_ERASURES_DIR): backups do not contain',
    'them. At the first start, people on them who are in the backup are erased again,',
    'and deleted keys, changed secrets, ended sessions and opt-outs on them are applied again.',
    'Progress goes to stderr, a JSON summary to stdout.',
  ].join('\n'),
  run: restore,
};

async function restore(words: readonly string[]): Promise<number> {
  const { positionals, options } = parseWords(words, ['resend', 'into']);
  const [source, more] = positionals;
  if (source === undefined || more !== undefined)
    throw new UsageError(`expected one backup: ${command.usage}`);
  const resend = resendModes.find((mode) => mode === options.get('resend'));
  if (resend === undefined)
    throw new UsageError(
      `--resend sets what happens to sends that were pending: ${resendModes.join(', ')}; see --help.`,
    );
  const config = readConfig(process.env);
  const directory = resolve(source);
  const into = resolve(options.get('into') ?? config.dataDir);
  refuseData(into);
  const manifest = readManifest(directory);
  const progress = progressOnStderr();
  try {
    const damage = await damageOf(directory, manifest, (partition) =>
      progress.show(`verifying partition ${partition + 1} of ${manifest.partitions.length}`),
    );
    if (damage !== undefined) throw new Error(`${directory}: ${damage}`);
    await withLock(into, () => place(directory, manifest, into, resend, progress));
  } finally {
    progress.end();
  }
  summarize({
    manifest,
    into,
    resend,
    keyIds: configuredKeyIds(into, config.masterKey),
    configuredPartitions: config.partitions,
    erasuresDir: config.erasuresDir ?? join(into, erasuresFolder),
  });
  return 0;
}

function refuseData(into: string): void {
  if (!existsSync(into)) return;
  const found = readdirSync(into).find((name) => !allowedBefore.has(name));
  if (found !== undefined)
    throw new Error(
      `${into} is not empty (${found}): a restore never overwrites data; choose another directory with --into.`,
    );
}

async function place(
  directory: string,
  manifest: BackupManifest,
  into: string,
  resend: ResendMode,
  progress: CommandProgress,
): Promise<void> {
  refuseData(into); // again, now that nobody else can fill it
  const staging = join(into, stagingName);
  await rm(staging, { recursive: true, force: true });
  const partitions = manifest.partitions.length;
  for (const { partition, files } of manifest.partitions) {
    progress.show(`copying partition ${partition + 1} of ${partitions}`);
    await copyFiles(directory, files, staging);
    const store = openPartition({
      dataDir: staging,
      partition,
      partitions,
      nowMs: Date.now(),
      known: knownKinds,
      onFatal: (error) => {
        throw error;
      },
    });
    store.raiseEpoch(resend);
    await store.close();
  }
  progress.show('syncing to disk');
  await syncTree(staging);
  await rename(join(staging, 'partitions'), join(into, 'partitions'));
  await syncFile(into);
  await rm(staging, { recursive: true });
  await syncFile(into);
}

function summarize(done: {
  readonly manifest: BackupManifest;
  readonly into: string;
  readonly resend: ResendMode;
  readonly keyIds: readonly string[];
  readonly configuredPartitions: number;
  readonly erasuresDir: string;
}): void {
  const { into, resend, keyIds, configuredPartitions, erasuresDir } = done;
  const { masterKeyIds, partitions, cutAt } = done.manifest;
  const erasures = readErasures(erasuresDir)?.length ?? 0;
  const changes = newestChanges(readChanges(erasuresDir)).length;
  const lines = [`Restored the backup of ${cutAt} into ${into}, with --resend ${resend}.`];
  if (keyIds.length === 0)
    lines.push(
      `Before you start it, copy the file master-key into it or set ENGAGE_MASTER_KEY${masterKeyIds.length > 0 ? ` (key ids: ${masterKeyIds.join(', ')})` : ''}.`,
    );
  else if (masterKeyIds.length > 0 && !masterKeyIds.some((id) => keyIds.includes(id)))
    lines.push(
      `The configured master key (${keyIds.join(', ')}) is none of the backup's keys (${masterKeyIds.join(', ')}): encrypted values cannot be read.`,
    );
  lines.push(
    erasures + changes > 0
      ? `At its first start, the server applies the lists in ${erasuresDir}: it erases the ${erasures} people on them again if the backup contains them, and repeats ${changes} changes of keys, secrets and opt-outs.`
      : `There are no lists of erased people in ${erasuresDir}. Copy the lost server's lists there before the first start; otherwise people erased after the backup reappear, deleted keys work again, and later opt-outs are lost.`,
  );
  if (resend !== 'all')
    lines.push(
      'Journeys and campaigns that were in progress wait after the start; `engage resume --list` shows them.',
    );
  if (configuredPartitions !== partitions.length)
    lines.push(`Start it with ENGAGE_PARTITIONS=${partitions.length}.`);
  process.stderr.write(`${lines.join('\n')}\n`);
  const summary = {
    restored: into,
    cutAt,
    resend,
    partitions: partitions.length,
    masterKeyIds,
    erasures,
    changes,
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
}
