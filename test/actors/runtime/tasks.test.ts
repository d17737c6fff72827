// Pool tasks in threads of their own, beside the one writer: they see its commits, come and go, and
// disturb nothing.

import t from 'tap';
import type { EventsReply } from '../../../actors/events/read/pool-read.ts';
import type { CheckpointResult, PoolResult, PoolTask } from '../../../actors/runtime/tasks.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { Pool } from '../../../engine/thread/pool.ts';
import { StopFlag } from '../../../engine/thread/shared-word.ts';
import { newestCheckpoint } from '../../../storage/checkpoint.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { MirroredStore } from '../../support/mirrored-store.ts';
import { TestPartition, testClock } from '../../support/partition.ts';
import { moduleAt } from '../../support/places.ts';
import { RandomDays } from '../../support/random-days.ts';

const entry = moduleAt('actors/runtime/tasks.ts');

const damaged = (name: string, problem: string): never => {
  throw new Error(`${name}: ${problem}`);
};

t.test(
  'checkpoints and reads in pool threads go on beside the writer, thread after thread',
  async (t) => {
    const dataDir = temporaryDirectory();
    const store = new MirroredStore(dataDir);
    const one = new TestPartition({ store, rng: seededRng(7), clock: testClock() });
    const days = await RandomDays.begin(one, seededRng(7, 'days'));
    await days.live(10);
    await store.synced();
    const stop = new StopFlag();
    const checkpoint = (): PoolTask => ({
      kind: 'checkpoint',
      dataDir,
      partition: 0,
      through: store.disk.durableSeq,
      nowMs: one.clock.nowMs,
      sweep: false,
      diskLow: false,
      stop: stop.word,
    });
    for (let round = 0; round < 2; round++) {
      // A pool of its own each time: its threads end with it, while the writer has the same files
      // open.
      const pool = new Pool<PoolTask, PoolResult>({ entry, maxThreads: 2 });
      const made = pool.run(checkpoint());
      await days.live(20);
      await store.synced();
      t.match(await made, { outcome: 'made', problems: [] });
      const app = days.apps[0] as number;
      const page = (await pool.run({
        kind: 'read',
        name: 'events',
        dataDir,
        partition: 0,
        what: { app, query: { limit: 200 }, erased: [] },
      })) as EventsReply;
      t.ok(page.items.length > 0);
      t.equal(page.items[0]?.seq, (one.product.state.apps.get(app)?.nextEvent as number) - 1);
      await pool.close();
      await days.live(5);
      await store.synced();
    }
    const newest = newestCheckpoint(store.disk.path, damaged);
    t.ok((newest?.manifest.seq ?? 0) > 0);

    const pool = new Pool<PoolTask, PoolResult>({ entry, maxThreads: 1 });
    stop.set();
    const before = newest?.name;
    t.match((await pool.run(checkpoint())) as CheckpointResult, { outcome: 'stopped' });
    t.equal(newestCheckpoint(store.disk.path, damaged)?.name, before);
    await t.rejects(pool.run({ ...checkpoint(), partition: 9 }));
    await pool.close();
    await days.live(5);
    await store.synced();
    await store.disk.close();
  },
);
