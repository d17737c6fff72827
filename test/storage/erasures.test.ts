// The lists of erased people: whole lines after a torn one, a file a day, and no older than backups are kept.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { dayMs } from '../../engine/base/brand.ts';
import { type Erasure, ErasureList, readErasures } from '../../storage/erasures.ts';
import { temporaryDirectory } from './support/directory.ts';

const noon = Date.parse('2026-03-10T12:00:00Z');
const erasure = (n: number, atMs = noon): Erasure => ({ app: 9, subscriberId: `sub_${n}`, atMs });

function list(directory: string, partition = 0, failures: unknown[] = []): ErasureList {
  const onFailed = (error: unknown) => failures.push(error);
  return new ErasureList({ directory, partition, keptDays: 30, onFailed });
}

t.test('what was added is there after the next turn of the event loop, a file a day', async (t) => {
  const directory = join(temporaryDirectory(), 'made', 'here');
  t.same(readErasures(directory), [], 'no directory, nobody');
  const one = list(directory);
  one.add(erasure(1));
  one.add(erasure(2, noon + dayMs));
  one.add(erasure(3));
  t.notOk(existsSync(directory));
  await new Promise((resolve) => setImmediate(resolve));
  list(directory, 12).add(erasure(4));
  await new Promise((resolve) => setImmediate(resolve));
  t.same(readdirSync(directory).sort(), [
    '2026-03-10-00.jsonl',
    '2026-03-10-12.jsonl',
    '2026-03-11-00.jsonl',
  ]);
  t.same(
    readErasures(directory).map(({ subscriberId }) => subscriberId),
    ['sub_1', 'sub_3', 'sub_4', 'sub_2'],
  );
});

t.test('a torn line costs only itself', async (t) => {
  const directory = temporaryDirectory();
  const one = list(directory);
  one.add(erasure(1));
  one.flush();
  appendFileSync(join(directory, '2026-03-10-00.jsonl'), '\n{"app":9,"subscri');
  one.add(erasure(2));
  one.flush();
  t.same(readErasures(directory), [erasure(1), erasure(2)]);
});

t.test('a file goes once no backup is kept that long, and only of its own partition', async (t) => {
  const directory = temporaryDirectory();
  const others = ['2026-02-07-00.jsonl', '2026-02-08-00.jsonl', '2026-01-01-01.jsonl', 'a-note'];
  for (const name of others) writeFileSync(join(directory, name), '');
  const one = list(directory);
  one.add(erasure(1));
  one.flush();
  t.same(readdirSync(directory).sort(), [
    '2026-01-01-01.jsonl',
    '2026-02-08-00.jsonl',
    '2026-03-10-00.jsonl',
    'a-note',
  ]);
});

t.test('what could not be written is said, and written with the next', async (t) => {
  const directory = join(temporaryDirectory(), 'list');
  writeFileSync(directory, 'a file is in the way');
  const failures: unknown[] = [];
  const one = list(directory, 0, failures);
  one.add(erasure(1));
  one.flush();
  t.equal(failures.length, 1);
  const elsewhere = list(`${directory}-2`, 0, failures);
  mkdirSync(join(`${directory}-2`, '2026-03-10-00.jsonl'), { recursive: true });
  elsewhere.add(erasure(2));
  elsewhere.flush();
  t.equal(failures.length, 2);
  elsewhere.add(erasure(3, noon + dayMs));
  rmdirSync(join(`${directory}-2`, '2026-03-10-00.jsonl'));
  elsewhere.flush();
  t.same(readErasures(`${directory}-2`), [erasure(2), erasure(3, noon + dayMs)]);
});
