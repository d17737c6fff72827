// How fast an outbox empties, receipts durable: the sandbox holds its answers while it fills.
// Figures are given beside bare sending. Several apps, since one is bound by its window of 64
// calls.
// Run: npm run build && npx tsx bench/dispatch.ts [webpush fcm email] [messages = 20000] [apps = 8]

import { createECDH } from 'node:crypto';
import { Pool } from 'undici';
import { sandboxSubscription } from '../sandbox/webpush/webpush-keys.ts';
import {
  bareCryptography,
  barePost,
  nodemailerPool,
  perCore,
  pushBody,
} from './support/bare-senders.ts';
import { type BenchServer, engage } from './support/engage.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { startSink } from './support/provider-sink.ts';

type Channel = 'webpush' | 'fcm' | 'email';

const channels = process.argv.slice(2).filter((arg) => !/^\d+$/.test(arg));
const [messages = 20_000, apps = 8] = process.argv
  .slice(2)
  .filter((arg) => /^\d+$/.test(arg))
  .map(Number);
const peoplePerApp = 50;
const windowPerApp = 64;
const heldBackMs = 3000;
const bareSeconds = 0.7;
const emptyLimitMs = 60_000;

interface Emptied {
  readonly perSecond: number;
  /** Messages per second of the dispatch thread's CPU time. */
  readonly perDispatchCore: number;
  /** The same for the whole engine process: front, shard, dispatcher and commits. */
  readonly perEngineCore: number;
}

for (const channel of channels.length > 0 ? channels : ['webpush', 'fcm', 'email']) {
  if (!isChannel(channel)) throw new Error(`${channel}: expected webpush, fcm or email`);
  const bare = await bareOf(channel);
  const emptied = await emptyOutbox(channel);
  const words = (rate: number) => Math.round(rate).toLocaleString('en');
  console.log(
    `${channel.padEnd(8)} ${words(emptied.perSecond)}/s, ${words(emptied.perDispatchCore)} per core of the dispatch thread, ${words(emptied.perEngineCore)} per core of the engine; ${bare.name} ${words(bare.rate)} per core, ratio ${(emptied.perDispatchCore / bare.rate).toFixed(2)}`,
  );
}

function isChannel(text: string): text is Channel {
  return text === 'webpush' || text === 'fcm' || text === 'email';
}

async function emptyOutbox(channel: Channel): Promise<Emptied> {
  const server = await engage({
    ENGAGE_MODE: 'sandbox',
    ENGAGE_SHARDS: '1',
    ENGAGE_DISPATCHERS: '1',
  });
  try {
    const sandbox = server.sandboxUrl;
    if (sandbox === undefined) throw new Error('the server has no sandbox');
    await control(sandbox, 'POST', '/record', { on: false });
    const { key, apps: appIds } = await server.tenant(apps);
    for (const appId of appIds) await makePeople(server, key, appId, channel, sandbox);

    await control(sandbox, 'POST', '/faults', { channel, fault: 'latency', value: heldBackMs });
    const beforeFill = server.threadSeconds();
    for (const appId of appIds) await fill(server.port, key, appId, channel);
    const shard = busiest(beforeFill, server.threadSeconds(), [String(server.pid)]);
    await control(sandbox, 'DELETE', '/faults');
    return await untilEmpty(server, sandbox, channel, shard.thread);
  } finally {
    await server.stop();
  }
}

async function makePeople(
  server: BenchServer,
  key: string,
  appId: string,
  channel: Channel,
  sandbox: string,
): Promise<void> {
  for (let i = 0; i < peoplePerApp; i++) {
    const { status } = await server.call(
      'POST',
      `/v1/apps/${appId}/subscribers`,
      {
        externalUserId: `user-${i}`,
        tags: { first_name: `Ana ${i}` },
        devices: [{ channel, endpoint: endpointOf(channel, i, sandbox) }],
      },
      key,
    );
    if (status >= 300) throw new Error(`a person was answered ${status}`);
  }
}

function endpointOf(channel: Channel, i: number, sandbox: string): unknown {
  if (channel === 'webpush') return sandboxSubscription(sandbox, `browser-${i}`);
  return channel === 'fcm' ? `phone-${i}-${'x'.repeat(140)}` : `user-${i}@example.com`;
}

async function fill(port: number, key: string, appId: string, channel: Channel): Promise<void> {
  const result = await load({
    port,
    method: 'POST',
    path: `/v1/apps/${appId}/notifications`,
    headers: { authorization: `Bearer ${key}` },
    bodies: Array.from({ length: peoplePerApp }, (_, i) =>
      JSON.stringify({
        externalUserId: `user-${i}`,
        channels: [channel],
        title: 'Your order has shipped',
        body: `Hi {{ first_name }}, your order A-${i} has shipped. ${'It arrives soon. '.repeat(12)}`,
      }),
    ),
    connections: 64,
    seconds: 20,
    warmupSeconds: 0,
    requestsMax: Math.ceil(messages / apps),
  });
  mustAnswer(result, 202);
}

/** From the answers to the held calls until the last message was accepted. */
async function untilEmpty(
  server: BenchServer,
  sandbox: string,
  channel: Channel,
  shardThread: string,
): Promise<Emptied> {
  const total = Math.ceil(messages / apps) * apps;
  const limitMs = performance.now() + emptyLimitMs;
  const reach = async (count: number): Promise<number> => {
    for (;;) {
      const { accepted, refused } = await countsOf(sandbox, channel);
      if (refused > 0) throw new Error(`the sandbox refused ${refused} calls`);
      if (accepted >= count) return accepted;
      if (performance.now() > limitMs) throw new Error(`only ${accepted} of ${total} left in time`);
      await pause(10);
    }
  };
  const trickled = (await countsOf(sandbox, channel)).accepted;
  const first = await reach(Math.min(total, trickled + windowPerApp * apps));
  const [startMs, cpu, threads] = [performance.now(), server.cpuSeconds(), server.threadSeconds()];
  const last = await reach(total);
  const seconds = (performance.now() - startMs) / 1000;
  const engineSeconds = server.cpuSeconds() - cpu;
  const others = [String(server.pid), shardThread];
  const dispatch = busiest(threads, server.threadSeconds(), others);
  while ((await server.metric('engage_outbox_depth')) > 0) {
    if (performance.now() > limitMs) throw new Error('sends are left in the outbox');
    await pause(50);
  }
  const left = last - first;
  if (left < total / 2)
    throw new Error(`${left} of ${total} were left to measure: ask for more messages`);
  return {
    perSecond: left / seconds,
    perDispatchCore: left / dispatch.seconds,
    perEngineCore: left / engineSeconds,
  };
}

/**
 * The busiest thread between two samples, `without` some. Threads have no names in /proc: beside
 * the front, the shard is busiest while the outbox fills; then the dispatcher.
 */
function busiest(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  without: readonly string[],
): { readonly thread: string; readonly seconds: number } {
  let most = { thread: '', seconds: 0 };
  for (const [thread, seconds] of after) {
    const used = seconds - (before.get(thread) ?? 0);
    if (!without.includes(thread) && used > most.seconds) most = { thread, seconds: used };
  }
  return most;
}

async function countsOf(
  sandbox: string,
  channel: Channel,
): Promise<{ readonly accepted: number; readonly refused: number }> {
  const { channels: counts } = (await control(sandbox, 'GET', '/stats')) as {
    readonly channels: Readonly<Record<string, { accepted: number; refused: number }>>;
  };
  return counts[channel] ?? { accepted: 0, refused: 0 };
}

async function control(
  sandbox: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${sandbox}/control${path}`, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (!response.ok) throw new Error(`${method} /control${path}: ${response.status}`);
  return response.json();
}

/** The minimal cost of sending on this channel, per core. */
async function bareOf(channel: Channel): Promise<{ readonly name: string; readonly rate: number }> {
  if (channel === 'webpush') {
    const browser = createECDH('prime256v1');
    browser.generateKeys();
    const plaintext = Buffer.alloc(300, 'y');
    const work = () => bareCryptography(browser.getPublicKey(), plaintext);
    return { name: 'bare cryptography', rate: await perCore(bareSeconds, 1, work) };
  }
  const sink = await startSink();
  try {
    if (channel === 'fcm') {
      const pool = new Pool(`http://127.0.0.1:${sink.httpPort}`, { connections: 64 });
      const rate = await perCore(bareSeconds, 64, () => barePost(pool, pushBody));
      await pool.close();
      return { name: 'bare undici', rate };
    }
    const transport = nodemailerPool(sink.smtpPort);
    const html = `<p>${'Your order has shipped. '.repeat(12)}</p>`;
    const mail = { from: 'a@example.com', to: 'b@example.net', subject: 'Your order', html };
    const rate = await perCore(bareSeconds, 64, () => transport.sendMail(mail));
    transport.close();
    return { name: "nodemailer's pool", rate };
  } finally {
    sink.stop();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
