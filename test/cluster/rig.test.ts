// A short run of the rig: one engine alone, which shows that the rig itself works, and three
// engines on three nats-servers. `ENGAGE_RIG_MINUTES` and `ENGAGE_RIG_SEED` make it another one.

import t, { type Test } from 'tap';
import { withoutServers } from '../../bench/support/nats-servers.ts';
import { variables } from '../../http/process/config.ts';
import { runRig } from './rig/rig-run.ts';

const minutes = Number(process.env['ENGAGE_RIG_MINUTES'] ?? 1);
const seed = Number(process.env['ENGAGE_RIG_SEED'] ?? 20_261_201);
const missing =
  withoutServers() ||
  (!Object.hasOwn(variables, 'ENGAGE_CLUSTER') && 'this server cannot run in a cluster yet');

t.setTimeout(900_000 + minutes * 180_000); // engines start slowly beside other tests

async function run(t: Test, options: Omit<Parameters<typeof runRig>[0], 'seed' | 'say'>) {
  const lines: string[] = [];
  try {
    const report = await runRig({ ...options, seed, say: (line) => lines.push(line) });
    t.comment(report.table);
    t.same(report.problems.slice(0, 10), [], `${report.problems.length} problems`);
    t.ok(report.acknowledged > 50, 'there was load');
    t.ok(report.faults > 0, 'and a fault');
  } finally {
    if (!t.passing()) t.comment(lines.join('\n'));
  }
}

t.test('one engine that is killed keeps what it acknowledged', (t) =>
  run(t, { minutes: 0.3, isEmbedded: true, only: ['engine.kill'] }),
);

t.test('a cluster keeps what it acknowledged', { skip: missing }, async (t) => {
  await run(t, { minutes });
});
