// A disk that fills up under load: nothing that was called durable is lost, the process ends by
// itself, and with space again the partition goes on.

import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DiskGuard } from '../../storage/disk-guard.ts';
import { openPartition } from '../../storage/environment.ts';
import { temporaryDirectory } from './support/directory.ts';
import { runCommitter } from './support/tools.ts';
import { problemOf, turnOf } from './support/workload.ts';

const MiB = 1024 * 1024;
const mount = temporaryDirectory();
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=10m', 'tmpfs', mount]).status === 0;
if (mounted) t.teardown(() => spawnSync('umount', ['-l', mount]));
const skip = mounted ? false : 'a file system can only be mounted by root';

t.test(
  'a full disk ends the process, keeps every durable turn, and is no obstacle once there is space',
  {
    skip,
  },
  async (t) => {
    const dataDir = join(mount, 'data');
    const ballast = join(mount, 'ballast');
    writeFileSync(ballast, Buffer.alloc(6 * MiB));
    const run = await runCommitter({ dataDir, turns: 1_000_000, commitLimitMs: 1500, keep: true });
    t.ok(run.acknowledged > 50, `${run.acknowledged} turns fitted`);
    t.ok(
      run.status === 70 || run.signal === 'SIGABRT',
      `${run.status ?? run.signal} ${run.stderr}`,
    );
    const guard = new DiskGuard(dataDir);
    t.equal(guard.check().low, true, 'the guard would have refused writes long before');

    rmSync(ballast);
    t.equal(guard.check().low, false);
    const store = openPartition({
      dataDir,
      partition: 0,
      partitions: 1,
      nowMs: 0,
      onFatal: t.fail,
    });
    t.equal(problemOf(store, run.acknowledged), undefined);
    const next = store.durableSeq + 1;
    for (let seq = next; seq < next + 20; seq++)
      await new Promise<void>((resolve) => store.commit(turnOf(seq), resolve));
    t.equal(problemOf(store, next + 19), undefined);
    await store.close();
  },
);
