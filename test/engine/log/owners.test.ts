// Owners that fight for one log, in seeded worlds, and the faults that such worlds must find.

import t from 'tap';
import { tries } from '../../support/tries.ts';
import { changedLog } from './support/changed-log.ts';
import { type LogSabotage, runOwners } from './support/owners-world.ts';

t.test('what was acknowledged is in the log, and what was refused never comes in', async (t) => {
  let [committed, fenced, takeovers, voids] = [0, 0, 0, 0];
  for (let seed = 1; seed <= tries(600); seed++) {
    const report = await runOwners(seed);
    t.same(report.findings, [], `seed ${seed}`);
    if (report.findings.length > 0) return;
    committed += report.committed;
    fenced += report.fenced;
    takeovers += report.takeovers;
    voids += report.voids;
  }
  t.comment(`${committed} committed, ${fenced} fenced, ${takeovers} takeovers, ${voids} void`);
  t.ok(committed > 1_000 && fenced > 50 && takeovers > 100 && voids > 50, 'the worlds are lively');
});

const sabotages: Readonly<Record<string, LogSabotage>> = {
  'tells callers before the log has the turn': { hastyAnswers: true },
  'takes a frame wherever the end is': {
    log: changedLog((log) => ({ append: (frame) => log.appendAnywhere(frame) })),
  },
  'says that a frame is there without having it': {
    log: changedLog(() => ({
      append: async (_frame, after) => ({ state: 'appended', position: after + 1 }),
    })),
  },
  'takes silence for consent': {
    log: changedLog((log) => ({
      append: async (frame, after) => {
        const end = await log.append(frame, after);
        return end.state === 'unknown' ? { state: 'appended', position: after + 1 } : end;
      },
    })),
  },
  'takes a refusal for the answer of before': {
    log: changedLog((log) => ({
      append: async (frame, after) => {
        const end = await log.append(frame, after);
        return end.state === 'refused' ? { state: 'appended', position: after + 1 } : end;
      },
    })),
  },
};

for (const [name, sabotage] of Object.entries(sabotages))
  t.test(`the worlds find a log that ${name}`, async (t) => {
    let found = 0;
    for (let seed = 1; seed <= 40 && found === 0; seed++)
      found = (await runOwners(seed, sabotage)).findings.length;
    t.ok(found > 0);
  });
