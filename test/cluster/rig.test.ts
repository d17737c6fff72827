// The rig itself, with one engine alone. `.ci/run` runs it behind all tests with three engines and
// three nats-servers, since nothing else may run beside it (`test/cluster/rig/run.ts`).

import t from 'tap';
import { runRig } from './rig/rig-run.ts';

t.setTimeout(280_000); // engines start slowly beside other tests

t.test('one engine that is killed keeps what it acknowledged', async (t) => {
  const lines: string[] = [];
  try {
    const report = await runRig({
      ...{ minutes: 0.3, seed: 20_261_201, isEmbedded: true, only: ['engine.kill'] },
      // Beside other tests no bound of a quiet machine holds.
      outageMsMax: 120_000,
      say: (line) => lines.push(line),
    });
    t.comment(report.table);
    t.same(report.problems.slice(0, 10), [], `${report.problems.length} problems`);
    t.ok(report.acknowledged > 20, 'there was load');
    t.ok(report.faults > 0, 'and a fault');
  } finally {
    if (!t.passing()) t.comment(lines.join('\n'));
  }
});
