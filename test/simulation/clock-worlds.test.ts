// Worlds whose starts see a wrong clock, and worlds whose clock is right after long downtimes. The
// first lose nothing, repeat nothing and say so; the second are held up by nothing. As many of each
// as ENGAGE_CLOCK_WORLDS says, from seed ENGAGE_SIM_FROM (1) on.

import t from 'tap';
import { hourMs } from '../../engine/base/brand.ts';
import { seededRng } from '../../engine/base/rng.ts';
import { span, whole } from './chance.ts';
import type { Faults } from './faults.ts';
import { report } from './report.ts';
import { simulate } from './world.ts';

const count = Number(process.env['ENGAGE_CLOCK_WORLDS'] ?? 12);
const from = Number(process.env['ENGAGE_SIM_FROM'] ?? 1);
const failuresShown = 3;

t.setTimeout(900_000);

/** A small world with many starts. Less than a day long, so that no key may ever be used twice. */
function clockWorld(seed: number, startClocks: 'wrong' | 'right') {
  const rng = seededRng(seed, 'clocks');
  return (faults: Faults): Faults => ({
    ...faults,
    startClocks,
    kernelConfirms: seed % 2 === 0,
    clockJumps: false,
    campaigns: false,
    journeys: false,
    operations: whole(rng, 40, 120),
    chaosMs: span(rng, hourMs, 20 * hourMs),
    eventsPerCrash: span(rng, 150, 1_500),
    dailySendCap: null,
  });
}

for (const startClocks of ['wrong', 'right'] as const)
  t.test(`${count} worlds whose clocks are ${startClocks} at a start`, async (t) => {
    const sum = { crashes: 0, sends: 0, wrongStarts: 0, told: 0 };
    let failures = 0;
    for (let seed = from; seed < from + count && failures < failuresShown; seed++) {
      const outcome = await simulate(seed, { adjust: clockWorld(seed, startClocks) });
      if (outcome.findings.length > 0) {
        failures++;
        t.fail(report(outcome));
      }
      sum.crashes += outcome.crashes;
      sum.sends += outcome.sends;
      sum.wrongStarts += outcome.wrongStarts;
      sum.told += outcome.wrongStartsTold;
      if (outcome.wrongStarts > outcome.wrongStartsTold) t.fail(`seed ${seed} was silent`);
    }
    if (failures > 0) return;
    t.ok(sum.crashes >= count, `${sum.crashes} crashes`);
    t.ok(sum.sends >= 5 * count, `${sum.sends} sends`);
    if (startClocks === 'wrong') {
      t.ok(sum.wrongStarts >= count / 2, `${sum.wrongStarts} starts with a wrong clock`);
      t.equal(sum.told, sum.wrongStarts, 'and the product said so of each');
    }
  });
