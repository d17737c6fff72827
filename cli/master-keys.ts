// Which master keys a command could use, by their ids: told without making one and without a fault
// for a missing one, because a backup and a restore work without any.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyId } from '../storage/sealed.ts';
import { masterKeyFile, parseMasterKeys } from '../storage/secrets.ts';

/**
 * Ids of the keys of ENGAGE_MASTER_KEY, or of the data directory's file, the sealing one first;
 * none when there are none.
 */
export function configuredKeyIds(dataDir: string, masterKey: string | undefined): string[] {
  const path = join(dataDir, masterKeyFile);
  if (masterKey) return parseMasterKeys(masterKey, 'ENGAGE_MASTER_KEY').map(keyId);
  return existsSync(path)
    ? parseMasterKeys(readFileSync(path, 'utf8').trim(), path).map(keyId)
    : [];
}
