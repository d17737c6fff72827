// SIGKILL at random moments, the whole server under load: the promise behind every 2xx.
// `ENGAGE_KILLS` sets how many.

import t from 'tap';
import { killLoop } from './kill-loop.ts';

const kills = Number(process.env['ENGAGE_KILLS'] ?? 5);
const seed = Number(process.env['ENGAGE_KILL_SEED'] ?? 20_260_921);

t.setTimeout(180_000 + kills * 20_000); // a machine that is busy with other tests

t.test('no acknowledged write is lost to kill -9, and none is there twice', async (t) => {
  const report = await killLoop(t, { kills, seed });
  const { problems, ...figures } = report;
  t.comment(JSON.stringify({ seed, ...figures }));
  t.same(problems.slice(0, 20), [], `${problems.length} problems: ${problems[0] ?? 'none'}`);
  t.ok(report.kills >= kills);
  t.ok(report.repeated > 0, 'some calls were in flight at a kill');
  t.ok(report.recounts > 2 * kills, 'segments were counted');
  t.ok(report.campaigns > 0, 'campaigns came to their end');
  t.ok(kills < 20 || report.erased > 0, 'and people erased');
  t.ok(report.batches > kills / 2, 'batches were taken');
  t.ok(report.sends > kills && report.events > kills && report.optOuts > 0, 'there was load');
});
