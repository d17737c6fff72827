// Three engines on three nats-servers beside one engine, in one run: events and sends a second of
// one node, events of all three, latency of one write, what a forwarded request costs, and how long
// a partition takes no writes after a death or a planned stop. All processes share this machine, so
// only ratios say something. `ENGAGE_NATS_SERVER` names the nats-server.
// Run: npm run build && npx tsx bench/cluster.ts [--seconds=5] [--rounds=3]

import { seededRng } from '../engine/base/rng.ts';
import { makeTenant, type Tenant } from '../test/cluster/rig/clients.ts';
import { Fronts } from '../test/cluster/rig/fronts.ts';
import { Rig } from '../test/cluster/rig/rig.ts';
import { Sink } from '../test/cluster/rig/sink.ts';
import { type LoadPlan, type LoadResult, load, mustAnswer } from './support/http-load.ts';
import { acceptOnly, eventLoad, sendLoad, sendPeople } from './support/loads.ts';
import { median, numberOption, printSummary } from './support/options.ts';

process.env['ENGAGE_RIG_BUILT'] = '1';
const seconds = numberOption('seconds', 5);
const rounds = numberOption('rounds', 3);
const environment = {
  ...acceptOnly,
  ENGAGE_MODE: 'live',
  ENGAGE_VAPID_SUBJECT: 'mailto:bench@example.com',
  ENGAGE_PUBLIC_URL: 'http://127.0.0.1:8400',
  ENGAGE_PER_IP_PER_MINUTE: '0',
  ENGAGE_SHARDS: '1',
  ENGAGE_DISPATCHERS: '1',
  ENGAGE_LOG_LEVEL: 'error',
};

const outageNames = {
  kill: 'the death of its engine',
  machine: 'the death of its engine and a nats-server',
  stop: 'a planned stop of its engine',
  server: 'the death of a nats-server, for the partition that pauses longest',
} as const;

interface Figures {
  readonly eventsPerSecond: number;
  readonly sendsPerSecond: number;
  readonly writeP50Ms: number;
  readonly writeP99Ms: number;
}

const embedded = await withRig(1, 0, async (rig, tenants) => figuresOf(rig, tenants));
const cluster = await withRig(3, 3, async (rig, tenants) => ({
  ...(await figuresOf(rig, tenants)),
  ...(await together(rig, tenants)),
  ...(await forwarded(rig, tenants)),
  ...(await outages(rig, tenants)),
}));
print('events a second, batches of 1,000', 'eventsPerSecond');
print('sends a second', 'sendsPerSecond');
print('one write, p50 ms', 'writeP50Ms');
print('one write, p99 ms', 'writeP99Ms');
const of = (figure: number) => (figure / embedded.eventsPerSecond).toFixed(2);
console.log(
  `events of three nodes together ${Math.round(cluster.togetherPerSecond)}/s, ${of(cluster.togetherPerSecond)} of one engine`,
);
console.log(`a forwarded read takes ${cluster.forwardMs.toFixed(2)} ms longer`);
for (const kind of rounds === 0 ? [] : (['kill', 'machine', 'stop', 'server'] as const))
  console.log(
    `no writes after ${outageNames[kind]}: ${cluster[kind].map((ms) => Math.round(ms)).join(', ')} ms`,
  );
const { kill, machine, stop, server, ...figures } = cluster;
const longest = { kill, machine, stop, server };
printSummary('cluster', {
  ...figures,
  ...Object.fromEntries(
    Object.entries(longest).map(([name, all]) => [`${name}MsMax`, Math.max(...all)]),
  ),
  eventsRatio: cluster.eventsPerSecond / embedded.eventsPerSecond,
  sendsRatio: cluster.sendsPerSecond / embedded.sendsPerSecond,
  togetherRatio: cluster.togetherPerSecond / embedded.eventsPerSecond,
});
process.exit(0);

function print(name: string, figure: keyof Figures): void {
  const [one, three] = [embedded[figure], cluster[figure]];
  console.log(
    `${name}: ${one.toFixed(1)} embedded, ${three.toFixed(1)} in a cluster, ${(three / one).toFixed(2)}`,
  );
}

async function withRig<T>(
  engines: number,
  servers: number,
  measure: (rig: Rig, tenants: readonly Tenant[]) => Promise<T>,
): Promise<T> {
  const sink = await Sink.start(() => performance.now());
  const settings = { ...environment, ...sink.environment };
  const rig = await Rig.start({ engines, servers, isDirect: true, environment: settings });
  try {
    const fronts = frontsOf(rig);
    const tenants: Tenant[] = [];
    for (const front of rig.engines.keys())
      tenants.push(await makeTenant(fronts, `bench-${front}`, front));
    const [tenant] = tenants;
    if (tenant === undefined) throw new Error('no tenant');
    for (let i = 0; i < sendPeople; i++) {
      const endpoint = `user-${i}@example.com`;
      const body = { externalUserId: `user-${i}`, devices: [{ channel: 'email', endpoint }] };
      const path = `${tenant.base}/subscribers`;
      await fronts.must({ method: 'POST', path, key: tenant.key, body, front: 0 });
    }
    return await measure(rig, tenants);
  } finally {
    await rig.stop();
    sink.close();
  }
}

function frontsOf(rig: Rig): Fronts {
  return new Fronts(
    rig.engines.map(({ url }) => url),
    seededRng(1, 'fronts'),
  );
}

function portOf(rig: Rig, front: number): number {
  return Number(new URL(rig.engines[front]?.url ?? '').port);
}

async function run(plan: Omit<LoadPlan, 'seconds' | 'warmupSeconds'>): Promise<LoadResult> {
  const result = await load({ ...plan, seconds, warmupSeconds: 1 });
  mustAnswer(result, 202);
  return result;
}

async function figuresOf(rig: Rig, [tenant]: readonly Tenant[]): Promise<Figures> {
  const target = { port: portOf(rig, 0), key: tenant?.key ?? '', appId: tenant?.appId ?? '' };
  const events = await run({ ...eventLoad(target, 1_000), connections: 8 });
  const sends = await run({ ...sendLoad(target), connections: 64 });
  const write = await run({ ...eventLoad(target, 1), connections: 1 });
  return {
    eventsPerSecond: events.perSecond * 1_000,
    sendsPerSecond: sends.perSecond,
    writeP50Ms: write.p50Ms,
    writeP99Ms: write.p99Ms,
  };
}

/** Each node with events of an org that it owns. */
async function together(rig: Rig, tenants: readonly Tenant[]) {
  const all = await Promise.all(
    tenants.map(({ key, appId }, front) =>
      run({ ...eventLoad({ port: portOf(rig, front), key, appId }, 1_000), connections: 8 }),
    ),
  );
  return { togetherPerSecond: all.reduce((sum, { perSecond }) => sum + perSecond * 1_000, 0) };
}

/** The same read at each node: one owns it, the others forward. */
async function forwarded(rig: Rig, [tenant]: readonly Tenant[]) {
  const fronts = frontsOf(rig);
  const { key = '', base = '' } = tenant ?? {};
  const times = async (front: number) => {
    const all: number[] = [];
    for (let n = 0; n < 500; n++) {
      const fromMs = performance.now();
      const read = { method: 'GET', path: `${base}/subscribers/external:s0`, key, front } as const;
      const { status } = await fronts.call(read);
      if (status !== 200) throw new Error(`a read was answered ${status}`);
      all.push(performance.now() - fromMs);
    }
    return median(all);
  };
  await times(0);
  const all: number[] = [];
  for (const front of rig.engines.keys()) all.push(await times(front));
  // The owner answers soonest.
  const [own = 0, ...others] = all.sort((one, other) => one - other);
  return { forwardMs: median(others) - own };
}

/** Milliseconds until the org of the engine that is gone takes writes again, at other nodes. */
async function outages(rig: Rig, tenants: readonly Tenant[]) {
  const all: Record<keyof typeof outageNames, number[]> = {
    ...{ kill: [], machine: [], stop: [], server: [] },
  };
  for (let round = 0; round < rounds; round++) {
    const engine = rig.engines[round % 3];
    const server = rig.servers[(round + 1) % 3];
    const measure = async (kind: keyof typeof outageNames, strike: () => Promise<unknown>) => {
      const watched = tenants.map((tenant) => longestPause(rig, tenant));
      await strike();
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      all[kind].push(Math.max(...(await Promise.all(watched.map((one) => one.stop())))));
      await rig.healed();
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    };
    await measure('kill', async () => engine?.program.kill());
    await measure('stop', async () => engine?.stop());
    await measure('server', async () => server?.program.kill());
    await measure('machine', () => Promise.all([engine?.program.kill(), server?.program.kill()]));
  }
  return all;
}

/** Writes at all fronts, fifty times a second, until it is stopped. */
function longestPause(rig: Rig, { base, key }: Tenant) {
  const fronts = frontsOf(rig);
  let lastMs = performance.now();
  let longestMs = 0;
  const body = { externalUserId: 'probe', tags: { n: 1 } };
  let n = 0;
  const timer = setInterval(() => {
    const call = { method: 'POST', path: `${base}/subscribers`, key, body, front: n++ } as const;
    void fronts.call(call).then(({ end }) => {
      if (end !== 'acknowledged') return;
      const nowMs = performance.now();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
    });
  }, 20);
  return {
    async stop(): Promise<number> {
      clearInterval(timer);
      return Math.max(longestMs, performance.now() - lastMs);
    },
  };
}
