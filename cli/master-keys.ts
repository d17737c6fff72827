// The ids of the master keys that a command could use. It makes no key and accepts a missing one,
// because a backup and a restore work without any.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyId } from '../storage/sealed.ts';
import { masterKeyFile, parseMasterKeys } from '../storage/secrets.ts';

/**
 * Ids of the keys in ENGAGE_MASTER_KEY, or in the data directory's file, the sealing one first;
 * empty if there are none.
 */
export function configuredKeyIds(dataDir: string, masterKey: string | undefined): string[] {
  const path = join(dataDir, masterKeyFile);
  if (masterKey) return parseMasterKeys(masterKey, 'ENGAGE_MASTER_KEY').map(keyId);
  return existsSync(path)
    ? parseMasterKeys(readFileSync(path, 'utf8').trim(), path).map(keyId)
    : [];
}
