// Where the single executable unpacks its program: where who runs it may write, and what is written
// is found again.

import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** In a data directory. */
export const programFolder = 'program';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * An absolute path: what ENGAGE_PROGRAM_DIR says, else a folder of the data directory, else of the
 * user's own caches, for commands that somebody runs who has no data here.
 */
export function programPlace(commandName: string | undefined, environment: Environment): string {
  const named = environment['ENGAGE_PROGRAM_DIR'];
  if (named) return resolve(named);
  const dataDir = dataDirectory(environment);
  if (commandName === 'start' || isOwn(join(dataDir, 'lock'))) return join(dataDir, programFolder);
  const caches = environment['XDG_CACHE_HOME'];
  return join(caches && isAbsolute(caches) ? caches : join(homedir(), '.cache'), 'engage');
}

/** As the settings read it. */
export function dataDirectory(environment: Environment): string {
  return resolve(environment['ENGAGE_DATA_DIR'] || './data');
}

/** A server that ran here made this file. Nobody's code runs in the name of somebody else. */
function isOwn(path: string): boolean {
  try {
    return statSync(path).uid === process.geteuid?.();
  } catch {
    return false;
  }
}
