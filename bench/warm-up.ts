// A campaign of a sender domain that is warming up, whose day has room for everyone, beside one
// without a warm-up: time until the frozen audience is durable and until all receipts are, and the
// processor time of the shard. Emails, a null dispatcher, no HTTP. The sides are measured in turns.
// Run: npx tsx bench/warm-up.ts [people = 100000] [rounds = 3]

import { type CampaignApp, campaignScene } from './support/campaign-scene.ts';
import { printSummary, quantile } from './support/options.ts';

const [people = 100_000, rounds = 3] = process.argv.slice(2, 4).map(Number);
const domain = 'acme.example';

const scene = await campaignScene();
const { ask } = scene.bench;
const bare = await scene.makeApp(people, 'email');
const warming = await scene.makeApp(people, 'email');
for (const app of [bare, warming]) await sendFrom(app);
const days = [{ max: people * (rounds + 1) }];
await ask(warming.ordinal, { kind: 'warm_up.put', domain, input: { days } });

interface Figures {
  readonly startMs: number[];
  readonly seconds: number[];
  readonly shard: number[];
}
const none = (): Figures => ({ startMs: [], seconds: [], shard: [] });
const sides = [
  { name: 'without', app: bare, figures: none() },
  { name: 'with', app: warming, figures: none() },
];
for (const { name, app } of sides) await scene.send(app, `${name}, not counted`);
for (let round = 1; round <= rounds; round++)
  // There and back, so that what changes meanwhile is in both.
  for (const { name, app, figures } of round % 2 === 1 ? sides : sides.toReversed()) {
    const before = scene.threadSeconds().shard;
    const { frozenMs, seconds } = await scene.send(app, `round ${round}`);
    const shard = ((scene.threadSeconds().shard - before) * 1e6) / people;
    figures.startMs.push(frozenMs);
    figures.seconds.push(seconds);
    figures.shard.push(shard);
    console.log(
      `round ${round}, ${name.padEnd(7)}: send durable in ${frozenMs.toFixed(1)} ms, then ${seconds.toFixed(2)} s until all receipts; shard ${shard.toFixed(2)} µs a person`,
    );
  }
const [without, with_] = sides.map(({ figures }) => figures) as [Figures, Figures];
const ratio = (of: keyof Figures) => quantile(with_[of], 0.5) / quantile(without[of], 0.5);
printSummary('warm-up', {
  people,
  startRatio: ratio('startMs'),
  wavesRatio: ratio('seconds'),
  shardRatio: ratio('shard'),
});
await scene.close();

async function sendFrom({ ordinal }: CampaignApp): Promise<void> {
  const key = { selector: 's1', publicKey: 'public', privateKey: 'private' };
  await ask(ordinal, { kind: 'email_domain.add', domain, key });
  const patch = { email: { fromAddress: `news@${domain}` } };
  await ask(ordinal, { kind: 'settings.patch', patch });
}
