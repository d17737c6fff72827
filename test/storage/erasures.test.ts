// The lists of erased people: whole lines after a torn one, a file a day, and no older than backups
// are kept.

import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { dayMs } from '../../engine/base/brand.ts';
import { appendSynced } from '../../storage/durable-file.ts';
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
  t.equal(readErasures(directory), undefined, 'no directory is not the same as nobody');
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
    readErasures(directory)?.map(({ subscriberId }) => subscriberId),
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

t.test('what could not be written is said, and written with the next flush', async (t) => {
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

t.test(
  'while it cannot be written that is said once, and once more when all of it is down',
  async (t) => {
    const directory = join(temporaryDirectory(), 'list');
    writeFileSync(directory, 'the disk is not mounted');
    const failures: unknown[] = [];
    const recoveries: number[] = [];
    const one = new ErasureList({
      directory,
      partition: 0,
      keptDays: 30,
      onFailed: (error) => failures.push(error),
      onRecovered: (count) => recoveries.push(count),
    });
    one.add(erasure(1));
    for (let tries = 0; tries < 3; tries++) one.flush();
    one.add(erasure(2, noon + dayMs));
    one.flush();
    t.equal(failures.length, 1);
    t.equal(one.waiting, 2);
    rmSync(directory);
    one.flush();
    one.flush();
    t.equal(one.waiting, 0);
    t.same(recoveries, [2]);
    t.same(readErasures(directory), [erasure(1), erasure(2, noon + dayMs)]);
    rmSync(directory, { recursive: true });
    for (let tries = 0; tries < 3; tries++) {
      one.add(erasure(3));
      one.flush();
    }
    t.equal(failures.length, 2);
    t.equal(one.waiting, 0, 'a directory that was taken away is made again at the next try');
    t.same(readErasures(directory), [erasure(3)], 'who stands there twice is read once');
  },
);

t.test('an old list that cannot be removed keeps nobody waiting', async (t) => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, '2026-01-01-00.jsonl'));
  const failures: unknown[] = [];
  const one = list(directory, 0, failures);
  one.add(erasure(1));
  one.flush();
  one.add(erasure(2));
  one.flush();
  t.equal(one.waiting, 0);
  t.equal(failures.length, 1);
  const lines = readFileSync(join(directory, '2026-03-10-00.jsonl'), 'utf8').trim().split('\n');
  t.equal(lines.length, 2);
});

t.test('a write that takes only some of the bytes is gone on with', async (t) => {
  const { writeSync } = fs;
  const replaceWith = (write: unknown) => {
    Object.assign(fs, { writeSync: write });
    syncBuiltinESMExports();
  };
  t.teardown(() => replaceWith(writeSync));
  let writes = 0;
  replaceWith((file: number, bytes: Uint8Array, at: number) => {
    writes++;
    return writeSync(file, bytes, at, Math.min(3, bytes.length - at));
  });
  const path = join(temporaryDirectory(), 'list');
  appendSynced(path, Buffer.from('\nten bytes!'));
  appendSynced(path, Buffer.from('\nand more'));
  t.equal(writes, 7, 'three bytes each');
  t.equal(readFileSync(path, 'utf8'), '\nten bytes!\nand more');
});
