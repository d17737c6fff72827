// The ballast: it takes real blocks, is given back at once, and does no harm where there is no
// room.

import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Ballast, ballastBytes } from '../../storage/ballast.ts';
import { freeBytesOf, mountDisk } from '../support/small-disk.ts';
import { temporaryDirectory } from './support/directory.ts';

const ballastFile = 'ballast';
const MiB = 1024 * 1024;

t.test('64 MiB, and a 64th of a small disk', async (t) => {
  t.equal(ballastBytes(1024 ** 4), 64 * MiB);
  t.equal(ballastBytes(4 * 1024 * MiB), 64 * MiB);
  t.equal(ballastBytes(1024 * MiB), 16 * MiB);
  t.equal(ballastBytes(63 * MiB), 0);
});

t.test('it is made once, takes blocks, and is given back', async (t) => {
  const directory = temporaryDirectory();
  const ballast = new Ballast(directory);
  t.equal(ballast.bytes, 0);
  t.equal(ballast.release(), false);
  const made = [ballast.make(256 * MiB), ballast.make(256 * MiB)];
  t.same(await Promise.all(made), [true, true]);
  t.equal(ballast.bytes, 4 * MiB);
  const { blocks, mode, mtimeMs } = statSync(join(directory, ballastFile));
  t.ok(blocks * 512 >= 4 * MiB);
  t.equal(mode & 0o777, 0o600);
  await new Ballast(directory).make(256 * MiB);
  t.equal(statSync(join(directory, ballastFile)).mtimeMs, mtimeMs, 'the next start finds it');
  t.equal(ballast.release(), true);
  t.same([ballast.bytes, readdirSync(directory)], [0, []]);
});

const disk = temporaryDirectory();
const skip = mountDisk(t, disk, '4m') ? false : 'a disk can only be mounted by root';

t.test('a disk without room for it keeps what is free', { skip }, async (t) => {
  writeFileSync(join(disk, 'other'), Buffer.alloc(2 * MiB));
  const before = freeBytesOf(disk);
  t.equal(await new Ballast(disk).make(1024 * MiB), false);
  t.equal(freeBytesOf(disk), before);
  t.notOk(existsSync(join(disk, `${ballastFile}.new`)));
});
