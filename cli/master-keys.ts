// The ids of usable master keys. Makes no key: backup and restore work without one.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyId } from '../storage/sealed.ts';
import { masterKeyFile, parseMasterKeys } from '../storage/secrets.ts';

/** From ENGAGE_MASTER_KEY or the data directory's file, the sealing one first; may be empty. */
export function configuredKeyIds(dataDir: string, masterKey: string | undefined): string[] {
  const path = join(dataDir, masterKeyFile);
  if (masterKey) return parseMasterKeys(masterKey, 'ENGAGE_MASTER_KEY').map(keyId);
  return existsSync(path)
    ? parseMasterKeys(readFileSync(path, 'utf8').trim(), path).map(keyId)
    : [];
}
