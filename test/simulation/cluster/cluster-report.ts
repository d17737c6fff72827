// A run of a cluster in words.

import { wordsOf } from '../invariants.ts';
import type { ClusterOutcome } from './cluster-world.ts';

/** Several lines about a run. */
export function clusterReport(outcome: ClusterOutcome): string {
  const { seed, hash, findings, newest, virtualMs, events, kills, takeovers, sends, calls } =
    outcome;
  const hours = (virtualMs / 3_600_000).toFixed(1);
  const head = `cluster ${seed}: ${hours} virtual hours, ${events} events, ${kills} kills, ${takeovers} takeovers, ${sends} sends, ${calls} calls, hash ${hash}`;
  if (findings.length === 0) return `${head}\nevery promise held`;
  return [
    head,
    ...findings.map(({ invariant, detail }) => `${invariant} (${wordsOf(invariant)})\n  ${detail}`),
    'the last events:',
    ...newest.map((line) => `  ${line}`),
    `to run it again: npx tsx test/simulation/cluster/simulate.ts --seed ${seed} --trace`,
  ].join('\n');
}
