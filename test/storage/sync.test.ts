// Durable means synced. strace makes every fdatasync slow, so whoever answers before it shows.

import t from 'tap';
import { openPartition } from '../../storage/environment.ts';
import { temporaryDirectory } from './support/directory.ts';
import { runCommitter, withoutStrace } from './support/tools.ts';
import { problemOf } from './support/workload.ts';

const delayMs = 150;
const slowSync = ['-e', 'trace=fdatasync', '-e', `inject=fdatasync:delay_enter=${delayMs * 1000}`];

t.test(
  'a turn is durable only after its fdatasync, and not visible before',
  { skip: withoutStrace() },
  async (t) => {
    const dataDir = temporaryDirectory();
    const run = await runCommitter({ dataDir, turns: 5, watch: true }, slowSync);
    t.equal(run.status, 0, run.stderr);
    const durable = run.lines.filter((line) => line.startsWith('durable '));
    t.equal(durable.length, 5);
    for (const line of durable) t.ok(Number(line.split(' ')[2]) >= delayMs, line);
    for (const line of run.lines.filter((line) => line.startsWith('visible ')))
      t.ok(Number(line.split(' ')[2]) >= delayMs, line);
    t.notOk(
      run.lines.some((line) => line.startsWith('hidden ')),
      'and a read after durable sees it',
    );
    const store = openPartition({
      dataDir,
      partition: 0,
      partitions: 1,
      nowMs: 0,
      onFatal: t.fail,
    });
    t.equal(problemOf(store, 5), undefined);
    await store.close();
  },
);

t.test('the workload adds up when nothing breaks', async (t) => {
  const dataDir = temporaryDirectory();
  const run = await runCommitter({ dataDir, turns: 120 });
  t.equal(run.status, 0, run.stderr);
  t.equal(run.acknowledged, 120);
  const store = openPartition({ dataDir, partition: 0, partitions: 1, nowMs: 0, onFatal: t.fail });
  t.equal(store.durableSeq, 120);
  t.equal(store.oldestSeq, 81);
  t.equal(problemOf(store, 120), undefined);
  await store.close();
});
