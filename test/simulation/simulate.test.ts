// The seeded worlds of every test run: 5, or as many as ENGAGE_SIM_SEEDS says, from seed
// ENGAGE_SIM_FROM (1) on. Every fourth is run twice. A seed that fails says how to run it again;
// the fault is in the product or in an invariant, never in the weather.

import t from 'tap';
import { report } from './report.ts';
import { simulate } from './world.ts';

const count = Number(process.env['ENGAGE_SIM_SEEDS'] ?? 5);
const from = Number(process.env['ENGAGE_SIM_FROM'] ?? 1);
const failuresShown = 3;

// half a minute on an idle core for 200 seeds; a busy machine must not fail them
t.setTimeout(600_000);

t.test(
  `${count} seeded worlds keep every invariant, and every fourth runs the same way twice`,
  async (t) => {
    const sum = {
      ...{ crashes: 0, sends: 0, calls: 0, judged: 0, virtualHours: 0 },
      ...{ occurrences: 0, campaignSends: 0, journeyRuns: 0, journeySends: 0 },
    };
    let failures = 0;
    for (let seed = from; seed < from + count && failures < failuresShown; seed++) {
      const first = await simulate(seed);
      const second = seed % 4 === 1 ? await simulate(seed) : first;
      if (first.findings.length > 0) {
        failures++;
        t.fail(report(first));
      } else if (first.hash !== second.hash) {
        failures++;
        t.fail(`seed ${seed} runs in two ways: ${first.hash} and ${second.hash}`);
      }
      sum.crashes += first.crashes;
      sum.sends += first.sends;
      sum.calls += first.calls;
      sum.judged += first.judged;
      sum.occurrences += first.occurrences;
      sum.campaignSends += first.campaignSends;
      sum.journeyRuns += first.journeyRuns;
      sum.journeySends += first.journeySends;
      sum.virtualHours += first.virtualMs / 3_600_000;
    }
    if (failures > 0) return;
    // A simulator that does nothing finds nothing: the worlds must have been lively.
    t.ok(sum.crashes >= count, `${sum.crashes} crashes`);
    t.ok(sum.sends >= 10 * count, `${sum.sends} sends`);
    t.ok(sum.calls >= 10 * count, `${sum.calls} provider calls`);
    t.ok(sum.judged >= 100 * count, `${sum.judged} answers about segments, at as many instants`);
    t.ok(sum.occurrences >= count / 2, `${sum.occurrences} occurrences of campaigns`);
    t.ok(sum.campaignSends >= 5 * count, `${sum.campaignSends} sends of campaigns`);
    t.ok(sum.journeyRuns >= 2 * count, `${sum.journeyRuns} runs of journeys`);
    t.ok(sum.journeySends >= count, `${sum.journeySends} sends of journeys`);
    t.ok(sum.virtualHours >= 5 * count, `${Math.round(sum.virtualHours)} virtual hours`);
  },
);

t.test('two seeds are two worlds', async (t) => {
  t.not((await simulate(from)).hash, (await simulate(from + 1)).hash);
});
