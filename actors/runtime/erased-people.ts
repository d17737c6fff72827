// Whom a restore may have brought back, by the lists that are kept apart from backups, and what the
// log says about it: an operator who forgot to bring the lists must not learn it from the people.
// Read once a shard, when the first partition acts on its restore.

import type { Log } from '../../engine/observe/log.ts';
import { type Erasure, readErasures } from '../../storage/erasures.ts';

/**
 * Reads the lists in `directory` at the first call; says how many people they name, or that there
 * are none.
 */
export function erasedPeople(
  directory: string,
  log: Pick<Log, 'info' | 'warn'>,
): () => readonly Erasure[] {
  let people: readonly Erasure[] | undefined;
  return () => {
    if (people !== undefined) return people;
    const found = readErasures(directory);
    if (found === undefined) {
      log.warn(
        { evt: 'restore.no_erasures', path: directory },
        'there are no lists of erased people: people who were erased after the backup are back',
      );
    } else {
      log.info(
        { evt: 'restore.erasures', count: found.length, path: directory },
        'the people on the lists of erased people who came back with the restore are erased again',
      );
    }
    people = found ?? [];
    return people;
  };
}
