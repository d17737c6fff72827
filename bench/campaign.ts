// A campaign to everyone: time until the frozen audience is durable, people per second until all
// receipts are durable, and the processor time of a person by kind of thread. One shard, no HTTP.
// Several numbers of dispatch threads are measured in turns.
// Run: npx tsx bench/campaign.ts [people = 1000000] [rounds = 3] [dispatch threads = 1,2]

import { type CampaignApp, type CampaignScene, campaignScene } from './support/campaign-scene.ts';
import { quantile } from './support/options.ts';

const [people = 1_000_000, rounds = 3] = process.argv.slice(2, 4).map(Number);
const [, , , , counts = '1,2'] = process.argv;

const sides: { dispatchers: number; scene: CampaignScene; app: CampaignApp }[] = [];
for (const dispatchers of counts.split(',').map(Number)) {
  const scene = await campaignScene(dispatchers);
  sides.push({ dispatchers, scene, app: await scene.makeApp(people) });
}
for (let round = 1; round <= rounds; round++)
  // There and back, so that what changes meanwhile is in all of them.
  for (const side of round % 2 === 1 ? sides : sides.toReversed()) await send(side, round);
for (const { scene } of sides) await scene.close();

async function send(
  { dispatchers, scene, app }: (typeof sides)[number],
  round: number,
): Promise<void> {
  const before = scene.threadSeconds();
  const { frozenMs, seconds, reads } = await scene.send(app, `round ${round}`);
  const after = scene.threadSeconds();
  const each = (one: number, other: number) => (((other - one) * 1e6) / people).toFixed(2);
  const dispatch = after.dispatch.map((one, i) => each(before.dispatch[i] as number, one));
  const rate = Math.round(people / seconds).toLocaleString('en');
  console.log(
    `round ${round}, ${dispatchers} dispatch: send durable in ${frozenMs.toFixed(1)} ms, then ${rate} people/s, all receipts in; µs a person: shard ${each(before.shard, after.shard)}, dispatch ${dispatch.join(' + ')}, others ${each(before.others, after.others)}; stats read p99 ${quantile(reads, 0.99).toFixed(1)} ms of ${reads.length}`,
  );
}
