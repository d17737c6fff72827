// Runs clusters from the command line: `npx tsx test/simulation/cluster/simulate.ts --seed 17
// --trace`, or `--seeds 200`.

import { parseArgs } from 'node:util';
import { clusterReport } from './cluster-report.ts';
import { simulateCluster } from './cluster-world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '20' },
    trace: { type: 'boolean', default: false },
  },
});

if (values.seed === undefined) {
  const first = Number(values.from);
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    const startedMs = performance.now();
    const { faults: _faults, newest: _newest, findings, ...figures } = await simulateCluster(seed);
    const tookMs = Math.round(performance.now() - startedMs);
    const [finding] = findings;
    const said = finding === undefined ? 'ok' : `${finding.invariant}: ${finding.detail}`;
    console.log(`${tookMs} ms ${JSON.stringify(figures)}: ${said}`);
    if (finding !== undefined) process.exitCode = 1;
  }
} else {
  const print = values.trace ? { print: (line: string) => console.log(line) } : {};
  const outcome = await simulateCluster(Number(values.seed), print);
  console.log(JSON.stringify(outcome.faults));
  console.log(clusterReport(outcome));
  if (outcome.findings.length > 0) process.exitCode = 1;
}
