// One shard in this process and dispatch threads beside it, whose providers accept everything:
// apps with people, and campaigns to them. No HTTP but the calls to webhooks.

import type { DestinationInput } from '../../actors/integrations/webhooks/protocol.ts';
import type { CampaignStats } from '../../actors/programs/campaigns/protocol.ts';
import { sendGrant } from '../../actors/sending/dispatch/wave-crossing.ts';
import type { Message } from '../../engine/actor/message.ts';
import { type Host, threadHost } from '../../engine/thread/host.ts';
import { Link } from '../../engine/thread/link.ts';
import type { GrantItem, OutcomeItem } from '../../engine/thread/wire.ts';
import type { NullDispatchData } from './null-dispatch-entry.ts';
import { type BenchPartition, benchPartition } from './partition.ts';
import { elapsedSeconds } from './process-figures.ts';

const importRows = 250;
const statsEveryMs = 50;

type CampaignChannel = 'fcm' | 'email';

export interface CampaignApp {
  readonly ordinal: number;
  readonly people: number;
  readonly channel: CampaignChannel;
  readonly messageId: string;
}

interface CampaignRun {
  /** Until the frozen audience was durable. */
  readonly frozenMs: number;
  /** From there until all receipts were in. */
  readonly seconds: number;
  /** How long each read of its statistics took, in milliseconds. */
  readonly reads: readonly number[];
}

export interface CampaignScene {
  readonly bench: BenchPartition;
  /** Processor time of the dispatch threads so far. */
  dispatchSeconds(): number;
  /** The same by kind of thread. */
  threadSeconds(): ThreadSeconds;
  /** An app of an org of its own, with people who have a phone each, or an email address. */
  makeApp(people: number, channel?: CampaignChannel): Promise<CampaignApp>;
  /** Sends to everyone. Throws unless everyone gets it. */
  send(app: CampaignApp, name: string): Promise<CampaignRun>;
  /** A webhook for what happens from now on. */
  subscribe(app: CampaignApp, type: string, input: SubscribeInput): Promise<void>;
  /** Takes the app's webhook away. */
  remove(app: CampaignApp, type: string): Promise<void>;
  /** Deliveries of the app that have not ended. */
  pending(app: CampaignApp): Promise<number>;
  /** Keeps deliveries from beginning, and lets them. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

/** Of this process; `others` commit to the store and help V8. */
interface ThreadSeconds {
  readonly shard: number;
  readonly dispatch: readonly number[];
  readonly others: number;
}

type SubscribeInput = Pick<DestinationInput, 'url' | 'events'> & { readonly concurrency?: number };

/** `dispatchers`: threads that share each campaign. */
export async function campaignScene(dispatchers = 1): Promise<CampaignScene> {
  const threads = new Int32Array(new SharedArrayBuffer(4 * dispatchers));
  const hosts = Array.from({ length: dispatchers }, (_, index) =>
    threadHost<NullDispatchData>({
      name: `dispatch-${index}`,
      entry: new URL('./null-dispatch-entry.ts', import.meta.url),
      ports: [],
      onExit: fail,
      data: { thread: threads.subarray(index, index + 1) },
    }),
  );
  let held: Message[] | undefined;
  const bench = benchPartition({
    available: ['fcm', 'email', 'webpush'],
    isWoken: true,
    threads: { dispatchers, campaignDispatchers: dispatchers },
    emit: ({ port, message }) => {
      if (typeof port !== 'number') return;
      if (held !== undefined && message.kind === 'webhook.grant') held.push(message);
      else sendGrant(links[port] as Link<GrantItem, OutcomeItem>, message);
    },
  });
  const links = hosts.map((host) => linkTo(host, bench));
  await Promise.all(hosts.map((host) => host.ready));
  const dispatch = () =>
    Array.from(threads, (thread) => elapsedSeconds(`/proc/self/task/${thread}/stat`));
  return {
    bench,
    dispatchSeconds: () => dispatch().reduce((sum, one) => sum + one, 0),
    threadSeconds: () => threadSeconds(dispatch()),
    makeApp: (people, channel = 'fcm') => makeApp(bench, people, channel),
    send: (app, name) => send(bench, app, name),
    subscribe: (app, type, input) => subscribe(bench, app, type, input),
    async remove({ ordinal }, type) {
      await bench.ask(ordinal, { kind: 'destination.remove', type });
    },
    pending: (app) => pending(bench, app),
    hold: () => {
      held ??= [];
    },
    release: () => {
      for (const message of held ?? []) links[0]?.send(message);
      held = undefined;
    },
    async close() {
      await Promise.all(hosts.map((host) => host.close()));
      await bench.close();
    },
  };
}

function linkTo({ port }: Host, { partition }: BenchPartition): Link<GrantItem, OutcomeItem> {
  return new Link(port, ([, to, message]) =>
    partition.deliverAlways({
      to,
      lane: 'express',
      deadlineMs: Number.POSITIVE_INFINITY,
      message,
      bytes: undefined,
      answer: undefined,
    }),
  );
}

function threadSeconds(dispatch: readonly number[]): ThreadSeconds {
  const shard = elapsedSeconds(`/proc/self/task/${process.pid}/stat`);
  const counted = dispatch.reduce((sum, one) => sum + one, shard);
  return { shard, dispatch, others: elapsedSeconds('/proc/self/stat') - counted };
}

async function makeApp(
  bench: BenchPartition,
  people: number,
  channel: CampaignChannel,
): Promise<CampaignApp> {
  const { ordinal } = await bench.makeApp();
  const startMs = performance.now();
  for (let from = 0; from < people; from += importRows) {
    const count = Math.min(importRows, people - from);
    const rows = Array.from({ length: count }, (_, i) => personOf(from + i, channel));
    await bench.ask(ordinal, { kind: 'subscriber.import', rows });
  }
  const seconds = (performance.now() - startMs) / 1000;
  console.log(`${people.toLocaleString('en')} people made in ${seconds.toFixed(1)} s`);
  const { id: messageId } = (await bench.ask(ordinal, {
    kind: 'message.create',
    message: {
      content: {
        title: 'Hi {{ first_name }}',
        body: 'You have {{ points }} points, {{ first_name | default: "friend" }}. Spend them in {{ city }} today: {{ plan | upcase }}.',
      },
    },
  })) as { id: string };
  return { ordinal, people, channel, messageId };
}

function personOf(i: number, channel: CampaignChannel): object {
  const endpoint =
    channel === 'fcm' ? `token-${i}-${'x'.repeat(140)}` : `user-${i}@mail${i % 50}.example`;
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
    devices: [{ channel, endpoint }],
  };
}

async function send(
  { ask }: BenchPartition,
  { ordinal, people, channel, messageId }: CampaignApp,
  name: string,
): Promise<CampaignRun> {
  const { id } = (await ask(ordinal, {
    kind: 'campaign.create',
    input: { name, messageId, channels: [channel] },
  })) as { id: string };
  const startMs = performance.now();
  await ask(ordinal, { kind: 'campaign.send', id });
  const frozenMs = performance.now() - startMs;
  const handedMs = performance.now();
  const reads: number[] = [];
  for (;;) {
    const readMs = performance.now();
    const [stats] = (await ask(ordinal, { kind: 'campaign.stats', ids: [id] })) as [CampaignStats];
    reads.push(performance.now() - readMs);
    if (stats.state === 'completed') {
      if (stats.delivered !== people) fail(stats);
      return { frozenMs, seconds: (performance.now() - handedMs) / 1000, reads };
    }
    await new Promise((resolve) => setTimeout(resolve, statsEveryMs));
  }
}

async function subscribe(
  { ask }: BenchPartition,
  { ordinal }: CampaignApp,
  type: string,
  { concurrency = 16, ...input }: SubscribeInput,
): Promise<void> {
  await ask(ordinal, {
    kind: 'destination.put',
    type,
    input: { ...input, concurrency, freshSecret: 'whsec_bench', headers: {}, enabled: true },
  });
}

async function pending({ ask }: BenchPartition, { ordinal }: CampaignApp): Promise<number> {
  const all = (await ask(ordinal, { kind: 'destination.list' })) as readonly { pending: number }[];
  return all.reduce((sum, one) => sum + one.pending, 0);
}

function fail(reason: unknown): never {
  console.error(reason);
  process.exit(1);
}
