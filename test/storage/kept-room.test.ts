// Room at the end of a data file: commits fit into it on a disk without a free byte, whatever was
// written before, and it survives what happens to files.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { type Environment, openPartition } from '../../storage/environment.ts';
import { freeBytesOf, mountDisk } from '../support/small-disk.ts';
import { temporaryDirectory } from './support/directory.ts';
import { problemOf, turnOf } from './support/workload.ts';

const MiB = 1024 * 1024;

function openAt(dataDir: string): Environment {
  const onFatal = (error: Error) => {
    throw error;
  };
  return openPartition({ dataDir, partition: 0, partitions: 1, nowMs: 0, onFatal });
}

async function commit(store: Environment, turns: number): Promise<void> {
  for (let n = 0; n < turns; n++)
    await new Promise<void>((resolve) => store.commit(turnOf(store.durableSeq + 1), resolve));
}

/** Takes the rest of a disk, byte by byte at the end. */
function fill(disk: string): string {
  const path = join(disk, 'rest');
  spawnSync('sh', ['-c', 'cat /dev/zero >rest 2>/dev/null'], { cwd: disk });
  return path;
}

t.test('what is kept is written over, and kept again', async (t) => {
  const store = openAt(temporaryDirectory());
  await commit(store, 5);
  t.ok(store.keptBytes < MiB);
  store.keepRoom(MiB);
  t.equal(store.keptBytes, MiB);
  const before = store.fileBytes;
  await commit(store, 5);
  t.ok(store.keptBytes < MiB && store.fileBytes === before, 'the file did not grow');
  store.keepRoom(MiB);
  t.equal(store.fileBytes, before, 'not before half of it is used');
  while (store.keptBytes >= MiB / 2) await commit(store, 20);
  const last = store.durableSeq;
  store.keepRoom(MiB);
  t.equal(store.keptBytes, MiB);
  t.equal(problemOf(store, last), undefined);
  await store.close();
});

t.test('nothing is kept while a commit is in flight: it may write there', async (t) => {
  const store = openAt(temporaryDirectory());
  const durable = commit(store, 1);
  store.keepRoom(MiB);
  t.ok(store.keptBytes < MiB / 2);
  await durable;
  store.keepRoom(MiB);
  t.equal(store.keptBytes, MiB);
  await store.close();
});

t.test('any mixture of commits, kept room and restarts keeps every turn', async (t) => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('commit' as const), turns: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ kind: fc.constant('keep' as const), bytes: fc.integer({ min: 1, max: MiB }) }),
    fc.record({ kind: fc.constant('restart' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const dataDir = temporaryDirectory();
      let store = openAt(dataDir);
      for (const one of steps) {
        if (one.kind === 'commit') await commit(store, one.turns);
        else if (one.kind === 'keep') store.keepRoom(one.bytes);
        else {
          await store.close();
          store = openAt(dataDir);
        }
      }
      t.equal(problemOf(store, store.durableSeq), undefined);
      await store.close();
      rmSync(dataDir, { recursive: true });
    }),
    { numRuns: 20 },
  );
});

t.test('a copy with holes in it keeps nothing; a backup leaves the zeros out', async (t) => {
  const dataDir = temporaryDirectory();
  const store = openAt(dataDir);
  await commit(store, 3);
  store.keepRoom(4 * MiB);
  const copy = temporaryDirectory();
  await store.backup(copy, false);
  t.ok(statSync(join(copy, 'data.mdb')).size < MiB);
  await store.close();
  const sparse = temporaryDirectory();
  spawnSync('cp', ['-r', '--sparse=always', `${dataDir}/.`, sparse]);
  const again = openAt(sparse);
  t.equal(again.keptBytes, 0);
  t.equal(problemOf(again, 3), undefined);
  again.keepRoom(MiB);
  t.equal(again.keptBytes, MiB);
  await again.close();
  const whole = openAt(dataDir);
  t.equal(whole.keptBytes, 4 * MiB, 'after a restart it is there');
  await whole.close();
});

const disk = temporaryDirectory();
const skip = mountDisk(t, disk, '16m') ? false : 'a disk can only be mounted by root';

t.test('commits fit into it on a disk without a free byte', { skip }, async (t) => {
  const dataDir = join(disk, 'data');
  const store = openAt(dataDir);
  await commit(store, 10);
  store.keepRoom(3 * MiB);
  const rest = fill(disk);
  t.equal(freeBytesOf(disk), 0);
  t.ok(existsSync(rest));
  while (store.keptBytes > MiB) await commit(store, 10);
  t.equal(freeBytesOf(disk), 0);
  const last = store.durableSeq;
  t.equal(problemOf(store, last), undefined);
  t.throws(() => store.keepRoom(3 * MiB), { code: 'ENOSPC' });
  await store.close();
  const again = openAt(dataDir);
  t.equal(problemOf(again, last), undefined);
  t.ok(again.keptBytes > 0);
  rmSync(rest);
  again.keepRoom(3 * MiB);
  t.equal(again.keptBytes, 3 * MiB);
  await again.close();
  // What it overwrote was its own.
  writeFileSync(join(disk, 'another'), 'x');
  t.equal(readFileSync(join(disk, 'another'), 'utf8'), 'x');
});
