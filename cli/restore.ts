// `engage restore <dir>`: makes a data directory from a backup. Nothing is written before every
// file has passed its checksum, and nothing has its final name before all of it is durable: an
// interrupted restore leaves a directory that the next one takes up from the start, and that no
// server would mistake for data.

import { existsSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig } from '../http/config.ts';
import {
  type BackupManifest,
  copyFiles,
  damageOf,
  readManifest,
} from '../storage/backup-manifest.ts';
import { openPartition } from '../storage/environment.ts';
import { erasuresFolder, readErasures } from '../storage/erasures.ts';
import { syncFile, syncTree } from '../storage/files.ts';
import { type ResendMode, resendModes } from '../storage/meta.ts';
import { bootstrapTokenFile, masterKeyFile } from '../storage/secrets.ts';
import { withLock } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';
import { configuredKeyIds } from './master-keys.ts';
import { type CommandProgress, progressOnStderr } from './progress.ts';
import { parseWords } from './words.ts';

const stagingName = 'restoring';
/**
 * What a directory may hold and still be empty: the secrets, put there first, and what a lock or a
 * restore left.
 */
const allowedBefore = new Set<string>([
  masterKeyFile,
  bootstrapTokenFile,
  erasuresFolder,
  'lock',
  stagingName,
]);

export const command: Command = {
  name: 'restore',
  summary: 'Make a data directory from a backup.',
  usage: 'engage restore <dir> --resend none|transactional|all [--into <data dir>]',
  help: [
    'Restores the backup <dir> into ENGAGE_DATA_DIR, or the directory given with --into, which must not exist or be empty',
    '(master-key, bootstrap-token and erasures may be there). It is never written over data. Checksums are verified first.',
    '',
    '--resend says what becomes of sends that were waiting or under way when the backup was made. They may have left',
    'since, and nobody can tell from the backup:',
    '  none           none of them leaves again. Each becomes failed with the reason unknown_outcome, a dead letter that',
    '                 can be redriven. Choose it when the backed-up server went on after the backup.',
    '  transactional  transactional sends leave as if the server had only been restarted; the only kind there is so far.',
    '  all            everything leaves. Choose it when the server was stopped at the backup and nothing has left since.',
    'The decision is written into the restored data and acted on at its first start, before anything is sent.',
    '',
    'The master key is not in a backup: bring the file master-key into the data directory, or set ENGAGE_MASTER_KEY,',
    'before the first start. Bring the lists of erased people, too (the folder erasures, or ENGAGE_ERASURES_DIR): they are',
    'kept apart from backups, and who stands on them and came back is erased again at the first start. CommandProgress goes to stderr, a summary as JSON to stdout.',
  ].join('\n'),
  run: restore,
};

async function restore(words: readonly string[]): Promise<number> {
  const { positionals, options } = parseWords(words, ['resend', 'into']);
  const [source, more] = positionals;
  if (source === undefined || more !== undefined)
    throw new UsageError(`call it with one backup: ${command.usage}`);
  const resend = resendModes.find((mode) => mode === options.get('resend'));
  if (resend === undefined)
    throw new UsageError(
      `--resend says what becomes of sends that were waiting: ${resendModes.join(', ')}; --help tells more.`,
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
  summarise({
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
      `${into} is not empty (${found}): a restore is never written over data; choose another directory with --into.`,
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
      onFatal: (error) => {
        throw error;
      },
    });
    store.raiseEpoch(resend);
    await store.close();
  }
  progress.show('making it durable');
  await syncTree(staging);
  await rename(join(staging, 'partitions'), join(into, 'partitions'));
  await syncFile(into);
  await rm(staging, { recursive: true });
  await syncFile(into);
}

function summarise(done: {
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
  const lines = [`Restored the backup of ${cutAt} into ${into}, with --resend ${resend}.`];
  if (keyIds.length === 0)
    lines.push(
      `Before it is started, bring the file master-key into it or set ENGAGE_MASTER_KEY${masterKeyIds.length > 0 ? ` (the ids of its keys are ${masterKeyIds.join(', ')})` : ''}.`,
    );
  else if (masterKeyIds.length > 0 && !masterKeyIds.some((id) => keyIds.includes(id)))
    lines.push(
      `The configured master key (${keyIds.join(', ')}) is not one of the backup's (${masterKeyIds.join(', ')}): what is sealed cannot be read.`,
    );
  lines.push(
    erasures > 0
      ? `The first start erases again the ${erasures} people on the lists in ${erasuresDir}, where the backup still has them.`
      : `There are no lists of erased people in ${erasuresDir}. Bring the lost server's there before the first start: people who were erased since the backup come back otherwise.`,
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
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
}
