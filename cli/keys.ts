// `engage keys` lists the master keys and what each encrypts; `engage keys rotate` re-encrypts all
// with the first. Rotation sends messages to the running server's apps, each durable by itself, so
// a repeated one continues where it stopped.

import { foldNewest } from '../actors/runtime/check/memory.ts';
import { knownKinds } from '../actors/runtime/known-kinds.ts';
import { surveySecrets } from '../actors/runtime/rewrap.ts';
import type { KeysInUse } from '../http/process/admin-socket.ts';
import { type Config, readConfig } from '../http/process/config.ts';
import { partitionsIn } from '../storage/backup.ts';
import { partitionPath } from '../storage/environment.ts';
import { PartitionSnapshot } from '../storage/partition-snapshot.ts';
import { sealedKeyId } from '../storage/sealed.ts';
import { askServer, needData, withLock } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';
import { configuredKeyIds } from './master-keys.ts';
import { progressOnStderr } from './progress.ts';

export const command: Command = {
  name: 'keys',
  summary: 'List the master keys in use, or rotate to a new one.',
  usage: 'engage keys [rotate]',
  help: [
    'The master key encrypts credentials and webhook secrets. It is ENGAGE_MASTER_KEY, or the',
    'file master-key in the data directory: one key of 32 bytes in base64, or several',
    'separated by commas. The first one encrypts; all of them decrypt. `engage keys` lists',
    'the keys by id and counts the values encrypted under each.',
    '',
    'To rotate:',
    '  1. Create a key: openssl rand -base64 32',
    '  2. Put it before the old one (new,old) in ENGAGE_MASTER_KEY or the file, and restart the',
    '     server.',
    '  3. engage keys rotate      re-encrypts everything under the new key. Run it again if it',
    '                             was interrupted.',
    '  4. engage keys             shows that nothing is under the old key.',
    '  5. Keep the old key as long as unsubscribe links encrypted with it should work, and as',
    '     long as you keep backups from before step 3. Then remove it and restart.',
  ].join('\n'),
  run: keys,
};

async function keys(words: readonly string[]): Promise<number> {
  const [verb, more] = words;
  if (more !== undefined || (verb !== undefined && verb !== 'rotate'))
    throw new UsageError(`usage: ${command.usage}`);
  const config = readConfig(process.env);
  needData(config.dataDir);
  return verb === 'rotate' ? rotate(config) : show(config);
}

async function show(config: Config): Promise<number> {
  const { dataDir } = config;
  const inUse =
    (await askServer<'keys'>(dataDir, { command: 'keys' })) ??
    (await withLock(dataDir, () => readKeys(config)));
  const ids = new Set([...inUse.configured, ...inUse.sealed.map(({ keyId }) => keyId)]);
  for (const id of ids) {
    const count = inUse.sealed.find(({ keyId }) => keyId === id)?.count ?? 0;
    process.stdout.write(`${id}  ${String(count).padStart(8)} encrypted  ${roleOf(id, inUse)}\n`);
  }
  if (ids.size === 0) process.stdout.write('There is no master key, and nothing is encrypted.\n');
  if (inUse.staleApps > 0)
    process.stderr.write(
      `${inUse.staleApps} apps have values under a key other than the first; run engage keys rotate.\n`,
    );
  const isLost = inUse.sealed.some(({ keyId }) => !inUse.configured.includes(keyId));
  return isLost ? 1 : 0;
}

function roleOf(id: string, { configured }: KeysInUse): string {
  if (configured[0] === id) return 'encrypts and decrypts';
  return configured.includes(id) ? 'decrypts' : 'NOT CONFIGURED: values under it cannot be read';
}

/** The server's figures, read from the files. */
async function readKeys({ dataDir, masterKey }: Config): Promise<KeysInUse> {
  const configured = configuredKeyIds(dataDir, masterKey);
  const sealed = new Map<string, number>();
  let staleApps = 0;
  for (const partition of partitionsIn(dataDir)) {
    const snapshot = new PartitionSnapshot(partitionPath(dataDir, partition), knownKinds);
    try {
      const survey = surveySecrets(
        foldNewest(snapshot),
        (value) => sealedKeyId(value) !== configured[0],
      );
      for (const { keyId, count } of survey.keys)
        sealed.set(keyId, (sealed.get(keyId) ?? 0) + count);
      staleApps += survey.stale.length;
    } finally {
      await snapshot.close();
    }
  }
  return {
    configured,
    sealed: [...sealed].map(([keyId, count]) => ({ keyId, count })),
    staleApps,
  };
}

async function rotate({ dataDir }: Config): Promise<number> {
  const progress = progressOnStderr();
  const done = await askServer<'keys.rewrap'>(
    dataDir,
    { command: 'keys.rewrap' },
    progress.show,
  ).finally(() => progress.end());
  if (done === undefined)
    throw new Error(`no server is running on ${dataDir}; a rotation needs it, so start it first.`);
  const { apps, rewrapped, problems } = done;
  process.stdout.write(`${JSON.stringify({ apps, rewrapped, failed: problems.length })}\n`);
  for (const problem of problems) process.stderr.write(`engage: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}
