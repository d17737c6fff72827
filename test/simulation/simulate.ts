// Runs seeds from the command line: `npx tsx test/simulation/simulate.ts --seed 17 --trace`, or
// `--seeds 200`.

import { parseArgs } from 'node:util';
import { report } from './report.ts';
import { simulate } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '20' },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log('simulate.ts [--seed <n> [--trace]] [--from <n> --seeds <count>]');
} else if (values.seed !== undefined) {
  const print = values.trace ? (line: string) => console.log(line) : undefined;
  const outcome = await simulate(Number(values.seed), print === undefined ? {} : { print });
  console.log(JSON.stringify(outcome.faults));
  console.log(report(outcome));
  if (outcome.findings.length > 0) process.exitCode = 1;
} else {
  const first = Number(values.from);
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    const startedMs = performance.now();
    const outcome = await simulate(seed);
    const tookMs = Math.round(performance.now() - startedMs);
    const [finding] = outcome.findings;
    const said =
      finding === undefined ? 'ok' : `${finding.invariant}: ${finding.detail.split('\n')[0]}`;
    console.log(
      `seed ${seed} hash ${outcome.hash} ${tookMs} ms, ${outcome.events} events, ${outcome.crashes} crashes, ${outcome.sends} sends, ${outcome.calls} calls, ${outcome.occurrences} occurrences, ${outcome.campaignSends} of campaigns, ${outcome.journeyRuns} runs of journeys, ${outcome.journeySends} sends of them, ${outcome.judged} answers: ${said}`,
    );
    if (finding !== undefined) process.exitCode = 1;
  }
}
