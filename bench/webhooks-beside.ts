// From an event to its arrival at one tenant's webhook, alone and while another tenant's webhook
// takes calls and never answers, in one shard and one dispatch thread. Both tenants send
// transactional messages at the same rate throughout. Alone comes before and after.
// Run: npx tsx bench/webhooks-beside.ts [seconds alone = 12] [sends a second and tenant = 100]

import { type CampaignApp, campaignScene } from './support/campaign-scene.ts';
import { printSummary, quantile } from './support/options.ts';
import { startWebhookSink } from './support/webhook-sink.ts';

const [aloneSeconds = 12, perSecond = 100] = process.argv.slice(2).map(Number);
/** Longer than a call's ten seconds, so that calls time out and others follow them. */
const besideSeconds = 2 * aloneSeconds;
const people = 200;
const settleMs = 500;

const scene = await campaignScene();
const sink = await startWebhookSink();
try {
  const own = await scene.makeApp(people);
  const other = await scene.makeApp(people);
  const hook = (path: string) => ({
    url: `http://127.0.0.1:${sink.port}/${path}`,
    events: ['message.delivered'],
  });
  await scene.subscribe(own, 'webhook', hook('good'));
  await measure([own, other], 2, 'warm-up');
  const before = await measure([own, other], aloneSeconds, 'alone');
  await scene.subscribe(other, 'webhook', { ...hook('hang'), concurrency: 64 });
  const beside = await measure([own, other], besideSeconds, 'while another hangs');
  const pending = await scene.pending(other);
  await scene.remove(other, 'webhook');
  const after = await measure([own, other], aloneSeconds, 'alone again');
  const alone = (before.p99 + after.p99) / 2;
  const ratio = beside.p99 / alone;
  console.log(
    `p99 is ${ratio.toFixed(2)} times that of alone (1.3 are allowed); ${pending.toLocaleString('en')} deliveries waited behind the one that hangs`,
  );
  if (pending === 0) throw new Error('nothing waited: nothing was measured');
  const summary = { p99AloneMs: alone, p99BesideMs: beside.p99, ratio, pending };
  printSummary('webhooks-beside', { perSecond, ...summary });
} finally {
  sink.stop();
  await scene.close();
}

interface Lag {
  readonly p50: number;
  readonly p99: number;
}

async function measure(apps: readonly CampaignApp[], seconds: number, name: string): Promise<Lag> {
  await sink.lags();
  const startMs = performance.now();
  let sent = 0;
  while (performance.now() - startMs < seconds * 1000) {
    const due = ((performance.now() - startMs) / 1000) * perSecond;
    for (; sent < due; sent++) for (const app of apps) void accept(app, sent % people);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const lags = await sink.lags();
  const lag = { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99) };
  console.log(
    `  ${name.padEnd(22)} p50 ${lag.p50} ms, p99 ${lag.p99} ms, most ${Math.max(...lags)} ms of ${lags.length}`,
  );
  return lag;
}

async function accept({ ordinal }: CampaignApp, person: number): Promise<void> {
  const to = { externalUserId: `user-${person}` };
  const request = { to, channels: ['fcm'], title: 'Hello', body: 'World' };
  await scene.bench.ask(ordinal, { kind: 'transactional.accept', request, claim: null });
}
