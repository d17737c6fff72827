// Three machines that take a partition from one another, in seeded worlds, and the faults that such
// worlds must find.

import t from 'tap';
import { tries } from '../../support/tries.ts';
import { changedLog } from './support/changed-log.ts';
import { type CopySabotage, runCopies } from './support/copies-world.ts';

t.test('whoever owns, nothing acknowledged is lost, and all copies are equal', async (t) => {
  let [acknowledged, refused, unanswered, takeovers, crashes] = [0, 0, 0, 0, 0];
  for (let seed = 1; seed <= tries(150); seed++) {
    const report = await runCopies(seed);
    t.same(report.findings, [], `seed ${seed}`);
    if (report.findings.length > 0) return;
    acknowledged += report.acknowledged;
    refused += report.refused;
    unanswered += report.unanswered;
    takeovers += report.takeovers;
    crashes += report.crashes;
  }
  t.comment(
    `${acknowledged} acknowledged, ${refused} refused, ${unanswered} without an answer, ${takeovers} takeovers, ${crashes} crashes`,
  );
  t.ok(acknowledged > 5_000 && refused > 500 && takeovers > 50 && crashes > 50, 'lively worlds');
});

const sabotages: Readonly<Record<string, CopySabotage>> = {
  'keeps memory that was ahead of the log': { keepsMemory: true },
  'takes silence for consent': {
    log: changedLog((log) => ({
      append: async (frame, after) => {
        const end = await log.append(frame, after);
        return end.state === 'unknown' ? { state: 'appended', position: after + 1 } : end;
      },
    })),
  },
  'reads past what it has not read': {
    log: changedLog((log) => ({
      tail: (after, arrived) => {
        const tail = log.tail(after, arrived);
        return {
          next: async () => {
            const frames = await tail.next();
            return frames !== undefined && frames.length > 2 ? frames.slice(1) : frames;
          },
          close: () => tail.close(),
        };
      },
    })),
  },
};

for (const [name, sabotage] of Object.entries(sabotages))
  t.test(`the worlds find a machine that ${name}`, async (t) => {
    let found = 0;
    for (let seed = 1; seed <= 40 && found === 0; seed++)
      found = (await runCopies(seed, sabotage)).findings.length;
    t.ok(found > 0);
  });
