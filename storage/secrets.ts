// A data directory's two secrets: master key and bootstrap token, from the environment or a file
// (mode 0600) made once. A directory with data never gets a new master key, because its sealed
// secrets would be lost silently. Load both before opening the first partition.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type ByteSealer, createSealer, keyId } from './sealed.ts';

/** `env` is the process's environment. */
interface SecretPlace {
  readonly env: { readonly [name: string]: string | undefined };
  readonly dataDir: string;
}

/** A secret and its source; `made`: just now, for one notice at the start. */
interface LoadedSecret<Value> {
  readonly value: Value;
  readonly source: 'environment' | 'file' | 'made';
}

/** The master keys in the data directory. Back it up separately. */
export const masterKeyFile = 'master-key';
/** The token that creates orgs. */
export const bootstrapTokenFile = 'bootstrap-token';

/**
 * The sealer over `ENGAGE_MASTER_KEY`, or the file `master-key`, made in a new directory. One or
 * more comma-separated keys, 32 bytes in base64 (either alphabet): the first seals, all open.
 * Throws one sentence for an invalid key, a file that others may read, or data without a key.
 */
export function loadMasterKeys({ env, dataDir }: SecretPlace): LoadedSecret<ByteSealer> {
  const fromEnvironment = env['ENGAGE_MASTER_KEY']?.trim();
  if (fromEnvironment)
    return {
      value: createSealer(parseMasterKeys(fromEnvironment, 'ENGAGE_MASTER_KEY')),
      source: 'environment',
    };
  const path = join(dataDir, masterKeyFile);
  if (!existsSync(path) && existsSync(join(dataDir, 'partitions')))
    throw new Error(
      `${dataDir} holds data but no ${masterKeyFile}: set ENGAGE_MASTER_KEY or restore the file; without it, encrypted values cannot be read.`,
    );
  const { text, made } = fileOrNew(path, () => randomBytes(32).toString('base64'));
  return { value: createSealer(parseMasterKeys(text, path)), source: made ? 'made' : 'file' };
}

/** `ENGAGE_BOOTSTRAP_TOKEN`, or the file `bootstrap-token`, made at the first start. */
export function loadBootstrapToken({ env, dataDir }: SecretPlace): LoadedSecret<string> {
  const fromEnvironment = env['ENGAGE_BOOTSTRAP_TOKEN']?.trim();
  if (fromEnvironment) {
    if (fromEnvironment.length < 16)
      throw new Error('ENGAGE_BOOTSTRAP_TOKEN has fewer than 16 characters.');
    return { value: fromEnvironment, source: 'environment' };
  }
  const path = join(dataDir, bootstrapTokenFile);
  const { text, made } = fileOrNew(path, () => randomBytes(32).toString('base64url'));
  if (text.length < 16) throw new Error(`${path} has fewer than 16 characters.`);
  return { value: text, source: made ? 'made' : 'file' };
}

/** The keys of a text. Errors name `source`, never the text. */
export function parseMasterKeys(text: string, source: string): Uint8Array[] {
  const keys = text.split(',').map((part, index) => {
    const key = Buffer.from(part.trim(), 'base64');
    // Buffer.from skips invalid base64, so the length alone would accept a mistyped key.
    if (key.length !== 32 || !/^[\w+/-]{43}=?$/.test(part.trim()))
      throw new Error(
        `${source}: key ${index + 1} is not 32 bytes of base64 (make one with openssl rand -base64 32).`,
      );
    return key;
  });
  if (new Set(keys.map(keyId)).size !== keys.length)
    throw new Error(`${source} contains the same key twice.`);
  return keys;
}

function fileOrNew(
  path: string,
  make: () => string,
): { readonly text: string; readonly made: boolean } {
  const made = !existsSync(path) && writeNew(path, `${make()}\n`);
  if ((statSync(path).mode & 0o077) !== 0)
    throw new Error(`${path} can be read or written by other users: chmod 600 it.`);
  return { text: readFileSync(path, 'utf8').trim(), made };
}

// Synced under another name, then linked: readers find a whole file, also after a power cut, and of
// two processes one creates it. False if it exists.
function writeNew(path: string, text: string): boolean {
  const directory = join(path, '..');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
  const folder = openSync(directory, 'r');
  fsyncSync(folder);
  closeSync(folder);
  return true;
}
