// A campaign to everyone: time until the frozen audience is durable, and people per second until
// all receipts are durable. One shard, one dispatch thread, no HTTP.
// Run: npx tsx bench/campaign.ts [people = 1000000] [rounds = 3]

import { campaignScene } from './support/campaign-scene.ts';
import { quantile } from './support/options.ts';

const [people = 1_000_000, rounds = 3] = process.argv.slice(2).map(Number);

const scene = await campaignScene();
const app = await scene.makeApp(people);
for (let round = 1; round <= rounds; round++) {
  const { frozenMs, seconds, reads } = await scene.send(app, `round ${round}`);
  const rate = Math.round(people / seconds).toLocaleString('en');
  console.log(
    `round ${round}: send durable in ${frozenMs.toFixed(1)} ms, then ${rate} people/s, all receipts in; stats read p99 ${quantile(reads, 0.99).toFixed(1)} ms of ${reads.length}`,
  );
}
await scene.close();
