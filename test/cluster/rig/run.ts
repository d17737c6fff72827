// Runs a cluster under faults and judges what it kept: three engines and three nats-servers on
// loopback. Run: `npx tsx test/cluster/rig/run.ts --minutes=10 --seed=1`; `--embedded` runs one
// engine without nats-servers, `--only=engine.kill,server.kill` takes some of the faults, and
// `--outage-seconds=60` is the longest outage that is no problem.

import { parseArgs } from 'node:util';
import { runRig } from './rig-run.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    embedded: { type: 'boolean', default: false },
    only: { type: 'string' },
    'outage-seconds': { type: 'string' },
  },
});
const outage = values['outage-seconds'];
const { problems, table } = await runRig({
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  isEmbedded: values.embedded,
  ...(values.only !== undefined && { only: values.only.split(',') }),
  ...(outage !== undefined && { outageMsMax: Number(outage) * 1000 }),
  say: (line) => console.log(line),
}).catch((error: unknown) => {
  console.error(error);
  console.log('the rig could not run to its end, which judges nothing');
  process.exit(3);
});
console.log(table);
for (const problem of problems.slice(0, 50)) console.log(`PROBLEM ${problem.slice(0, 2_000)}`);
console.log(problems.length === 0 ? 'no problems' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
