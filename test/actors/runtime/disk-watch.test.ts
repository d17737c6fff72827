// What a shard may write as its disk fills up, and what it does to have room then.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DiskWatch } from '../../../actors/runtime/disk-watch.ts';
import { DiskGuard } from '../../../storage/disk-guard.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';

const MiB = 1024 * 1024;
const totalBytes = 256 * MiB;

class FakeStore {
  reusableBytes = 0;
  keptBytes = 0;
  readonly asked: number[] = [];
  fails = false;

  keepRoom(bytes: number): void {
    this.asked.push(bytes);
    if (this.fails) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    this.keptBytes = bytes;
  }
}

function scene(options: { readonly partitions?: number; readonly hasBallast?: boolean } = {}) {
  const dataDir = temporaryDirectory();
  const disk = { freeBytes: totalBytes };
  const said: string[] = [];
  const say = ({ evt }: { readonly evt: string }) => said.push(evt);
  const watch = new DiskWatch({
    dataDir,
    partitions: options.partitions ?? 1,
    hasBallast: options.hasBallast ?? false,
    log: { debug: say, info: say, warn: say, error: say, fatal: say } as never,
    guard: new DiskGuard(dataDir, () => ({ freeBytes: disk.freeBytes, totalBytes })),
  });
  const one = { store: new FakeStore(), diskLow: false };
  return { dataDir, disk, said, watch, one };
}

t.test('as the disk fills up: everything, the reserve, nothing', async (t) => {
  const { disk, said, watch, one } = scene();
  watch.tick([one]);
  t.equal(watch.levelOf(one), 0);
  disk.freeBytes = 100 * MiB;
  watch.tick([one]);
  t.equal(watch.levelOf(one), 1);
  disk.freeBytes = 0;
  watch.look([one]);
  t.equal(watch.levelOf(one), 1, 'the file has room at its end');
  one.store.keptBytes = one.store.keptBytes / 2 - 1;
  t.equal(watch.levelOf(one), 2, 'which the next turn is asked, not the next second');
  t.same(said, ['disk.low', 'disk.full']);
  disk.freeBytes = totalBytes;
  watch.tick([one]);
  t.equal(watch.levelOf(one), 0);
  t.same(said, ['disk.low', 'disk.full', 'disk.recovered']);
});

t.test('room is kept by size of disk and partitions, and never on a full disk', async (t) => {
  const alone = scene();
  alone.watch.tick([alone.one]);
  t.same(alone.one.store.asked, [4 * MiB]);
  const many = scene({ partitions: 4 });
  many.watch.tick([many.one]);
  t.same(many.one.store.asked, [MiB]);
  many.disk.freeBytes = MiB;
  many.watch.tick([many.one]);
  t.same(many.one.store.asked, [MiB], 'what is left is for others');
  const failing = scene();
  failing.one.store.fails = true;
  failing.watch.tick([failing.one]);
  t.same(failing.said, ['disk.no_room_kept']);
});

t.test('the ballast is made where there is room, and given back on a full disk', async (t) => {
  const { dataDir, disk, said, watch, one } = scene({ hasBallast: true });
  const isThere = () => existsSync(join(dataDir, 'ballast'));
  disk.freeBytes = 129 * MiB; // not low, but it would be soon
  watch.tick([one]);
  await watch.made;
  t.notOk(isThere());
  disk.freeBytes = totalBytes;
  watch.tick([one]);
  await watch.made;
  t.ok(isThere());
  disk.freeBytes = 10 * MiB;
  watch.tick([one]);
  t.ok(isThere(), 'a nearly full disk is not the moment');
  disk.freeBytes = MiB;
  watch.look([one]);
  t.notOk(isThere());
  t.same(said, ['disk.low', 'disk.ballast_released', 'disk.full']);
});
