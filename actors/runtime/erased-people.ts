// The people that a restore may have brought back, from the lists outside backups. Warns if there
// are no lists. Read once per shard, when its first partition acts on the restore.

import type { Log } from '../../engine/observe/log.ts';
import { type Erasure, readErasures } from '../../storage/erasures.ts';

/** Reads the lists at the first call. */
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
