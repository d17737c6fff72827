// Seeded worlds of three nodes that share a log: 8 of them, or 1,000 in the long form, and as many
// as ENGAGE_CLUSTER_SEEDS says, from ENGAGE_CLUSTER_FROM (1) on. Then the faults that such worlds
// must find.

import t from 'tap';
import { tries } from '../../support/tries.ts';
import { clusterReport } from './cluster-report.ts';
import { clusterSabotages } from './cluster-sabotage.ts';
import { type ClusterOutcome, simulateCluster } from './cluster-world.ts';

const count = Number(process.env['ENGAGE_CLUSTER_SEEDS'] ?? tries(1_000, 125));
const from = Number(process.env['ENGAGE_CLUSTER_FROM'] ?? 1);
/** Worlds in which a planted fault is looked for. */
const seedsMax = 30;

t.setTimeout(3_600_000);

t.test(
  `${count} clusters keep every promise, and every tenth runs the same way twice`,
  async (t) => {
    const outcomes: ClusterOutcome[] = [];
    for (let seed = from; seed < from + count; seed++) {
      const outcome = await simulateCluster(seed);
      outcomes.push(outcome);
      if (outcome.findings.length > 0) t.fail(clusterReport(outcome));
      if (outcome.findings.length > 0) return;
      if (seed % 10 !== 1) continue;
      const { hash } = await simulateCluster(seed);
      t.equal(hash, outcome.hash, `seed ${seed} runs in one way`);
    }
    const sum = (of: (outcome: ClusterOutcome) => number) =>
      outcomes.reduce((total, one) => total + of(one), 0);
    const days = sum(({ virtualMs }) => virtualMs) / 86_400_000;
    const blows = sum(({ kills, stops, cuts }) => kills + stops + cuts);
    t.comment(
      `${days.toFixed(1)} days, ${sum((one) => one.kills)} kills, ${sum((one) => one.stops)} stops, ${sum((one) => one.cuts)} cuts, ${sum((one) => one.lostDisks)} lost disks, ${sum((one) => one.copied)} copies made anew, ${sum((one) => one.takeovers)} takeovers, ${sum((one) => one.lostClaims)} lost claims, ${sum((one) => one.voids)} void frames, ${sum((one) => one.turns)} turns, ${sum((one) => one.timers)} timers, ${sum((one) => one.compared)} memories compared, ${sum((one) => one.sends)} sends, ${sum((one) => one.calls)} calls, ${sum((one) => one.interrupted)} of them interrupted (${Math.max(...outcomes.map((one) => one.interruptedMost))} at once at most), ${sum((one) => one.lateCalls)} late, ${sum((one) => one.twice)} taken twice, ${sum((one) => one.movedRequests)} requests asked again`,
    );
    // Worlds in which nothing happens find nothing.
    t.ok(blows >= 3 * count, `${blows} blows`);
    t.ok(sum((one) => one.takeovers) >= 3 * count, 'takeovers');
    t.ok(sum((one) => one.compared) >= 10 * count, 'memories compared');
    t.ok(sum((one) => one.sends) >= 10 * count, 'sends');
    t.ok(sum((one) => one.interrupted) >= count / 4, 'calls interrupted by takeovers');
  },
);

for (const [name, { sabotage, expected }] of Object.entries(clusterSabotages))
  t.test(`clusters find a server that ${name}`, async (t) => {
    for (let seed = 1; seed <= seedsMax; seed++) {
      const { findings } = await simulateCluster(seed, { sabotage });
      const found = findings.find(({ invariant }) => expected.includes(invariant));
      if (found === undefined) continue;
      t.pass(`${found.invariant} in world ${seed}`);
      return;
    }
    t.fail(`${expected.join(' or ')} was not reported`);
  });
