// Clusters in seeded worlds, and the faults that such worlds must find.

import t from 'tap';
import { LeaseWords } from '../../../engine/cluster/lease.ts';
import { planPartitions } from '../../../engine/cluster/plan.ts';
import { PartitionCopy } from '../../../engine/log/copy.ts';
import type { PartitionLog } from '../../../engine/log/partition-log.ts';
import { tries } from '../../support/tries.ts';
import { changedLog } from '../log/support/changed-log.ts';
import { deathBoundMs, runCluster } from './support/cluster-run.ts';
import type { ClusterSabotage } from './support/cluster-world.ts';

/** 2,000 take forty minutes: longer than `npm test` lets a file run, so run this one by name. */
const worlds = Number(process.env['ENGAGE_CLUSTER_WORLDS'] ?? tries(2_000, 200));
t.setTimeout(7_200_000);

t.test('a cluster loses nothing, answers from one owner, and comes to rest', async (t) => {
  const sum = { acknowledged: 0, refused: 0, unanswered: 0, reads: 0, takeovers: 0, faults: 0 };
  const [moves, deaths]: [number[], number[]] = [[], []];
  let virtualMs = 0;
  for (let seed = 1; seed <= worlds; seed++) {
    const report = await runCluster(seed);
    t.same(report.findings, [], `seed ${seed}`);
    if (report.findings.length > 0) return;
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += report[key];
    moves.push(...report.movesMs);
    deaths.push(...report.deathsMs);
    virtualMs += report.virtualMs;
  }
  const most = (list: readonly number[]) => Math.round(Math.max(...list));
  t.comment(JSON.stringify(sum));
  t.comment(`${(virtualMs / 86_400_000).toFixed(2)} days of virtual time`);
  t.comment(`${moves.length} moves of at most ${most(moves)} ms`);
  t.comment(`${deaths.length} partitions without an owner for at most ${most(deaths)} ms`);
  t.ok(most(deaths) < deathBoundMs);
  t.ok(sum.takeovers > 100 && sum.refused > 10 && moves.length > 50, 'the worlds are lively');
});

/** Words that are never ended: only what they were set to runs out. */
class EndlessWords extends LeaseWords {
  override end(): void {}
}

/** Reads on at the oldest frame where those before it were dropped, as if nothing were missing. */
const gapless = changedLog((log) => {
  const read: PartitionLog['read'] = async (after, bytesMax) => {
    const frames = await log.read(after, bytesMax);
    const oldest = frames === undefined ? (await log.range())?.oldest : undefined;
    if (oldest === undefined || oldest <= after + 1) return frames;
    const later = await log.read(oldest - 1, bytesMax);
    return later?.map(({ bytes }, index) => ({ position: after + 1 + index, bytes }));
  };
  return {
    read,
    range: async () => {
      const range = await log.range();
      return range && { ...range, oldest: 1 };
    },
    tail: (after, arrived) => {
      const { close } = log.tail(after, arrived);
      let at = after;
      const next = async () => {
        const frames = await read(at, 1_000_000);
        at = frames?.at(-1)?.position ?? at;
        return frames;
      };
      return { next, close };
    },
  };
});

const sabotages: Readonly<Record<string, ClusterSabotage>> = {
  'counts its lease by the wall clock': { leaseByWall: true },
  'starts without waiting for silence': {
    open: (options) => new PartitionCopy({ ...options, beforeStart: async () => {} }),
  },
  'claims behind a gap': {
    open: (options) => new PartitionCopy({ ...options, log: gapless(options.log) }),
  },
  'goes on after it has handed over': { words: (buffer) => new EndlessWords(buffer) },
  'plans by who it is': {
    planner: (name) => (input) =>
      planPartitions({
        ...input,
        copies: name === 'node-1' ? 1 : input.copies,
      }),
  },
};

for (const [name, sabotage] of Object.entries(sabotages))
  t.test(`the worlds find a member that ${name}`, async (t) => {
    let found: readonly string[] = [];
    let seed = 0;
    while (found.length === 0 && seed < 60) found = (await runCluster(++seed, sabotage)).findings;
    t.comment(`seed ${seed}: ${found[0]}`);
    t.ok(found.length > 0);
  });
