// A campaign to everyone: time until the frozen audience is durable, and people per second until
// all receipts are durable. One shard, one dispatch thread, no HTTP.
// Run: npx tsx bench/campaign.ts [people = 1000000] [rounds = 3]

import type { CampaignStats } from '../actors/programs/campaigns/protocol.ts';
import { type Host, threadHost } from '../engine/thread/host.ts';
import { Link } from '../engine/thread/link.ts';
import type { GrantItem, OutcomeItem } from '../engine/thread/wire.ts';
import { benchPartition } from './support/partition.ts';

const [people = 1_000_000, rounds = 3] = process.argv.slice(2).map(Number);
const importRows = 250;

const host: Host = threadHost({
  name: 'dispatch',
  entry: new URL('./support/null-dispatch-entry.ts', import.meta.url),
  ports: [],
  onExit: (reason) => fail(reason),
  data: {},
});
const one = benchPartition({
  available: ['fcm', 'email', 'webpush'],
  emit: ({ port, message }) => {
    if (typeof port === 'number') link.send(message);
  },
});
const link: Link<GrantItem, OutcomeItem> = new Link(host.port, ([, to, message]) => {
  one.partition.deliverAlways({
    to,
    lane: 'express',
    deadlineMs: Number.POSITIVE_INFINITY,
    message,
    bytes: undefined,
    answer: undefined,
  });
});
await host.ready;

const app = await one.makeApp();
await makePeople();
const { id: messageId } = (await one.ask(app.ordinal, {
  kind: 'message.create',
  message: {
    content: {
      title: 'Hi {{ first_name }}',
      body: 'You have {{ points }} points, {{ first_name | default: "friend" }}. Spend them in {{ city }} today: {{ plan | upcase }}.',
    },
  },
})) as { id: string };
for (let round = 1; round <= rounds; round++) await send(round);
await host.close();
await one.close();

async function makePeople(): Promise<void> {
  const startMs = performance.now();
  for (let from = 0; from < people; from += importRows) {
    const count = Math.min(importRows, people - from);
    const rows = Array.from({ length: count }, (_, i) => personOf(from + i));
    await one.ask(app.ordinal, { kind: 'subscriber.import', rows });
  }
  console.log(`${people} people in ${seconds(startMs).toFixed(1)} s`);
}

function personOf(i: number): object {
  return {
    externalUserId: `user-${i}`,
    tags: {
      first_name: `Ana ${i % 977}`,
      city: ['Hanoi', 'Bangkok', 'Jakarta', 'Manila'][i % 4],
      plan: i % 10 === 0 ? 'pro' : 'free',
      points: i % 1_000,
      language: 'en',
      vip: i % 100 === 0,
      cohort: `c${i % 50}`,
    },
    timezone: 'Asia/Bangkok',
    devices: [{ channel: 'fcm', endpoint: `token-${i}-${'x'.repeat(140)}` }],
  };
}

async function send(round: number): Promise<void> {
  const { id } = (await one.ask(app.ordinal, {
    kind: 'campaign.create',
    input: { name: `round ${round}`, messageId, channels: ['fcm'] },
  })) as { id: string };
  const startMs = performance.now();
  await one.ask(app.ordinal, { kind: 'campaign.send', id });
  const frozenMs = performance.now() - startMs;
  const handedMs = performance.now();
  const reads: number[] = [];
  for (;;) {
    const readMs = performance.now();
    const [stats] = (await one.ask(app.ordinal, {
      kind: 'campaign.stats',
      ids: [id],
    })) as [CampaignStats];
    reads.push(performance.now() - readMs);
    if (stats.state === 'completed') {
      if (stats.delivered !== people) fail(stats);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const rate = people / seconds(handedMs);
  reads.sort((a, b) => a - b);
  const p99 = reads[Math.floor(reads.length * 0.99)] ?? 0;
  console.log(
    `round ${round}: send durable in ${frozenMs.toFixed(1)} ms, then ${Math.round(rate).toLocaleString('en')} people/s, all receipts in; stats read p99 ${p99.toFixed(1)} ms of ${reads.length}`,
  );
}

function seconds(sinceMs: number): number {
  return (performance.now() - sinceMs) / 1000;
}

function fail(reason: unknown): never {
  console.error(reason);
  process.exit(1);
}
