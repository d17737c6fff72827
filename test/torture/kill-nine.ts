// `npm run torture`: the kill -9 test for hours. Rounds of fifty kills, each on a fresh server
// with a seed of its own; a round that finds something prints its seed, which runs it again alone:
// ENGAGE_KILL_SEED=… ENGAGE_KILLS=50.

import t from 'tap';
import { killLoop } from '../e2e/kill-loop.ts';

const kills = Number(process.env['ENGAGE_KILLS'] ?? 2_000);
const firstSeed = Number(process.env['ENGAGE_KILL_SEED'] ?? Date.now() % 1_000_000_000);
const killsARound = 50;

t.setTimeout(0);

for (let round = 0; round * killsARound < kills; round++) {
  const seed = firstSeed + round;
  t.test(`round ${round + 1}, seed ${seed}`, { timeout: 0 }, async (t) => {
    const { problems, ...figures } = await killLoop(t, {
      kills: Math.min(killsARound, kills - round * killsARound),
      seed,
    });
    t.comment(JSON.stringify({ seed, ...figures }));
    t.same(problems.slice(0, 20), [], `${problems.length} problems`);
  });
}
