// A campaign to everyone whose deliveries go to a webhook on loopback, beside the same campaign
// without: people per second until all receipts are durable. Then how fast the ledger empties. One
// shard, one dispatch thread for the null provider and the webhook.
// Run: npx tsx bench/webhooks-campaign.ts [people = 1000000] [rounds = 2]

import { type CampaignApp, campaignScene } from './support/campaign-scene.ts';
import { line } from './support/figure-line.ts';
import { median, printSummary } from './support/options.ts';
import { startSink } from './support/provider-sink.ts';

const [people = 1_000_000, rounds = 2] = process.argv.slice(2).map(Number);
/** The ledger empties for so long at most; the figure is the rate, not the end. */
const emptyingMs = 8_000;

interface Emptied {
  readonly perSecond: number;
  readonly perDispatchSecond: number;
}

const scene = await campaignScene();
const sink = await startSink();
const without: number[] = [];
const subscribed: number[] = [];
let emptied: Emptied = { perSecond: 0, perDispatchSecond: 0 };
try {
  const app = await scene.makeApp(people);
  await scene.send(app, 'warm-up');
  for (let round = 1; round <= rounds; round++) {
    without.push(people / (await scene.send(app, `without ${round}`)).seconds);
    const url = `http://127.0.0.1:${sink.httpPort}/`;
    await scene.subscribe(app, 'webhook', { url, events: ['message.delivered'] });
    subscribed.push(people / (await scene.send(app, `subscribed ${round}`)).seconds);
    emptied = await emptying(app);
    // What is left stops; the next campaign does not share the thread with it.
    await scene.remove(app, 'webhook');
    line(`round ${round}: without`, without.at(-1) ?? 0, 'people/s');
    line(`round ${round}: subscribed`, subscribed.at(-1) ?? 0, 'people/s');
    line(`round ${round}: then the ledger empties`, emptied.perSecond, 'deliveries/s');
    line('  per second of its thread', emptied.perDispatchSecond, 'deliveries');
  }
} finally {
  sink.stop();
  await scene.close();
}
const ratio = median(subscribed) / median(without);
console.log(`subscribed does ${ratio.toFixed(2)} of without (0.6 is wanted)`);
printSummary('webhooks-campaign', {
  people,
  withoutPerSecond: median(without),
  subscribedPerSecond: median(subscribed),
  ratio,
  emptiedPerSecond: emptied.perSecond,
  emptiedPerDispatchSecond: emptied.perDispatchSecond,
});

async function emptying(app: CampaignApp): Promise<Emptied> {
  const [startMs, cpu, before] = [
    performance.now(),
    scene.dispatchSeconds(),
    await scene.pending(app),
  ];
  let left = before;
  while (left > 0 && performance.now() - startMs < emptyingMs) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = await scene.pending(app);
  }
  const done = before - left;
  return {
    perSecond: (done / (performance.now() - startMs)) * 1000,
    perDispatchSecond: done / (scene.dispatchSeconds() - cpu),
  };
}
