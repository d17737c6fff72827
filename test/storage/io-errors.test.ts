// A disk that answers with errors: no turn is called durable that is not, the process ends by
// itself with status 70, and the next start reads the truth, whichever way the failed commit went.

import t from 'tap';
import { openPartition } from '../../storage/environment.ts';
import { temporaryDirectory } from './support/directory.ts';
import { runCommitter, withoutStrace } from './support/tools.ts';
import { problemOf } from './support/workload.ts';

// ENGAGE_TEST_FAULTS=40 in a long run: the N-th call of each kind fails, for N up to that.
const points = Number(process.env['ENGAGE_TEST_FAULTS'] ?? 2);
// two turns may share a transaction, so this is enough to reach the last point
const turns = 20 + points * 15;
// Every call from the N-th on fails, or only that one: a disk that is gone, and one that hiccups.
const kinds = [
  { call: 'fdatasync', from: '+' },
  { call: 'fdatasync', from: '' },
  { call: 'pwrite64', from: '+' },
  { call: 'pwrite64', from: '' },
];

// After one failed page write lmdb 3.5.6 sometimes corrupts its heap, and glibc ends the process at
// once. That is as good an end as ours: the supervisor starts it again, and what is on the disk is
// judged below all the same.
const wasNative = (signal: string | null) => signal === 'SIGABRT' || signal === 'SIGSEGV';

for (const { call, from } of kinds) {
  const when = from === '+' ? 'every call from then on' : 'one call';
  t.test(
    `${call} fails (${when}): no false word, a quick end, the truth after a restart`,
    {
      skip: withoutStrace(),
    },
    async (t) => {
      const runs = Array.from({ length: points }, (_, i) => 1 + i * 5);
      for (const n of runs) {
        const dataDir = temporaryDirectory();
        // Made in peace: a directory that cannot even be made is another story.
        await openPartition({
          dataDir,
          partition: 0,
          partitions: 1,
          nowMs: 0,
          onFatal: t.fail,
        }).close();
        const inject = `inject=${call}:error=EIO:when=${n}${from}`;
        const run = await runCommitter({ dataDir, turns, commitLimitMs: 1500 }, [
          '-e',
          `trace=${call}`,
          '-e',
          inject,
        ]);
        const what = `${call} ${n}${from}: ${run.lines.at(-1)} ${run.stderr}`;
        t.ok(
          run.status === 70 || (call === 'pwrite64' && wasNative(run.signal)),
          `${what} (${run.status ?? run.signal})`,
        );
        t.ok(run.elapsedMs < 12_000, `${what} took ${Math.round(run.elapsedMs)} ms`);
        const store = openPartition({
          dataDir,
          partition: 0,
          partitions: 1,
          nowMs: 0,
          onFatal: t.fail,
        });
        t.equal(problemOf(store, run.acknowledged), undefined, what);
        await store.close();
      }
    },
  );
}
