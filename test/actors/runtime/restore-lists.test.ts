// What a start after a restore says about the lists of erased people.

import { join } from 'node:path';
import t from 'tap';
import { restoreLists } from '../../../actors/runtime/restore-lists.ts';
import type { Log } from '../../../engine/observe/log.ts';
import { ErasureList } from '../../../storage/erasures.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';

function aLog() {
  const said: { level: string; evt: string; count?: number; path: string }[] = [];
  const sayAs = (level: string) => (fields: object) =>
    said.push({ level, ...fields } as (typeof said)[number]);
  return { said, log: { info: sayAs('info'), warn: sayAs('warn') } as unknown as Log };
}

t.test('how many people the lists name is said once, however many partitions ask', async (t) => {
  const directory = temporaryDirectory();
  for (const partition of [0, 1]) {
    const list = new ErasureList({
      directory,
      partition,
      keptDays: 30,
      onFailed: () => t.fail('a list could not be written'),
    });
    list.add({ app: 8, subscriberId: `sub_${partition}`, atMs: 0 });
    list.add({ app: 8, subscriberId: 'sub_both', atMs: 0 });
    list.flush();
  }
  const { said, log } = aLog();
  const people = restoreLists(directory, log).erased;
  t.equal(people().length, 3);
  t.equal(people(), people());
  t.same(said, [{ level: 'info', evt: 'restore.erasures', count: 3, path: directory }]);
});

t.test('a directory of lists that is not there is warned of', async (t) => {
  const directory = join(temporaryDirectory(), 'not-mounted');
  const { said, log } = aLog();
  const people = restoreLists(directory, log).erased;
  t.same(people(), []);
  t.same(people(), []);
  t.same(said, [{ level: 'warn', evt: 'restore.no_erasures', path: directory }]);
});
