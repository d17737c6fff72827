// What a restore may have brought back or undone, from the lists outside backups: erased people,
// and changes of keys, secrets, sessions and opt-outs. Warns if there are no lists. Read once per
// shard, when its first partition acts on the restore.

import type { Entry } from '../../engine/actor/message.ts';
import type { Log } from '../../engine/observe/log.ts';
import { type Erasure, readErasures } from '../../storage/erasures.ts';
import { readChanges } from '../../storage/listed-change.ts';
import { newestChanges } from './listed-changes.ts';

export interface RestoreLists {
  erased(): readonly Erasure[];
  /** The newest change about each key, secret, credential, person and address. */
  changes(): readonly Entry[];
}

/** Each list is read at the first call. */
export function restoreLists(directory: string, log: Pick<Log, 'info' | 'warn'>): RestoreLists {
  let people: readonly Erasure[] | undefined;
  let entries: readonly Entry[] | undefined;
  return {
    erased() {
      people ??= erasedPeople(directory, log);
      return people;
    },
    changes() {
      if (entries !== undefined) return entries;
      entries = newestChanges(readChanges(directory));
      if (entries.length > 0)
        log.info(
          { evt: 'restore.changes', count: entries.length, path: directory },
          `${countsOf(entries)} on the lists are made again: the backup may be older`,
        );
      return entries;
    },
  };
}

function erasedPeople(directory: string, log: Pick<Log, 'info' | 'warn'>): readonly Erasure[] {
  const found = readErasures(directory);
  if (found === undefined) {
    log.warn(
      { evt: 'restore.no_erasures', path: directory },
      'there are no lists for restores: people who were erased after the backup are back, keys and sessions that ended since work again, and opt-outs since are forgotten',
    );
  } else {
    log.info(
      { evt: 'restore.erasures', count: found.length, path: directory },
      'people on the lists of erased people who came back with the restore are being erased again',
    );
  }
  return found ?? [];
}

/** `3 deleted keys, 1 changed secrets, ended sessions of 7 people …`. */
function countsOf(entries: readonly Entry[]): string {
  const of = (begin: string) => entries.filter(({ kind }) => kind.startsWith(begin)).length;
  const [keys, optOuts, people] = [of('key.'), of('suppression.'), of('sessions.')];
  const choosers = of('choices.');
  const secrets = entries.length - keys - optOuts - people - choosers;
  return `${keys} deleted keys, ${secrets} changed secrets, ended sessions of ${people} people, changed choices of ${choosers} people and ${optOuts} changed opt-outs`;
}
