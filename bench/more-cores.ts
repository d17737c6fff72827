// What each kind of thread spends on one event, send, recipient or imported person, over HTTP on
// one app, and from that a model of machines with more cores: how much all their apps together
// could do, and which thread is full first. Measured on one shard; the model adds shards as the
// settings do, and knows nothing of memory bandwidth, disks or clocks that slow down.
// Run: npm run build && npx tsx bench/more-cores.ts [--seconds=6]

import { planTopology } from '../engine/cluster/topology.ts';
import { type BenchServer, engage } from './support/engage.ts';
import { type LoadPlan, load, mustAnswer } from './support/http-load.ts';
import {
  acceptOnly,
  batchLoad,
  eventLoad,
  importLoad,
  type LoadTarget,
  sendLoad,
  sendPeople,
} from './support/loads.ts';
import { numberOption, printSummary } from './support/options.ts';

const seconds = numberOption('seconds', 6);
const warmupSeconds = 2;
const machines = [2, 4, 8, 16];
/** Partitions of an installation, unless a setting says otherwise. */
const partitions = 8;
const perBody = 1_000;

interface Path {
  readonly name: string;
  readonly status: number;
  readonly perRequest: number;
  load(target: LoadTarget): Omit<LoadPlan, 'seconds' | 'warmupSeconds'>;
}

/** Microseconds of a processor for one. */
interface Cost {
  readonly front: number;
  readonly shard: number;
  /** LMDB's writers and V8's helpers. */
  readonly others: number;
}

const paths: readonly Path[] = [
  {
    name: 'import, new people',
    status: 200,
    perRequest: perBody,
    load: (target) => importLoad(target, perBody, true),
  },
  {
    name: 'import, unchanged rows',
    status: 200,
    perRequest: perBody,
    load: (target) => importLoad(target, perBody, false),
  },
  { name: '/e × 1', status: 202, perRequest: 1, load: (target) => eventLoad(target, 1) },
  {
    name: '/e × 1,000',
    status: 202,
    perRequest: perBody,
    load: (target) => eventLoad(target, perBody),
  },
  { name: 'single send', status: 202, perRequest: 1, load: (target) => sendLoad(target) },
  {
    name: 'batch of 1,000',
    status: 202,
    perRequest: perBody,
    load: (target) => batchLoad(target, perBody),
  },
];

const figures: Record<string, number> = {};
for (const path of paths) {
  const cost = await costOf(path);
  const { front, shard, others } = cost;
  const each = [front, shard, others].map((one) => one.toFixed(1)).join(' + ');
  console.log(`${path.name}: ${each} µs (front, shard, others)`);
  for (const cores of machines) {
    const { perSecond, full } = modelOf(cost, cores);
    const rate = Math.round(perSecond).toLocaleString('en');
    console.log(`  ${cores} cores: ${rate}/s, ${full} full`);
    figures[`${path.name}, ${cores} cores`] = Math.round(perSecond);
  }
}
printSummary('more-cores', figures);

async function costOf(path: Path): Promise<Cost> {
  const server = await engage({ ...acceptOnly, ENGAGE_SHARDS: '1', ENGAGE_DISPATCHERS: '1' });
  try {
    const { key, apps } = await server.tenant();
    const appId = apps[0] as string;
    await makePeople(server, key, appId);
    const plan = path.load({ port: server.port, key, appId });
    mustAnswer(await load({ ...plan, seconds: warmupSeconds, warmupSeconds: 0 }), path.status);
    const before = server.threadSeconds();
    const result = await load({ ...plan, seconds, warmupSeconds: 0 });
    mustAnswer(result, path.status);
    return cost(server, before, result.requests * path.perRequest);
  } finally {
    await server.stop();
  }
}

async function makePeople(server: BenchServer, key: string, appId: string): Promise<void> {
  const rows = Array.from({ length: Math.max(sendPeople, perBody) }, (_, i) => ({
    externalUserId: `user-${i}`,
    tags: { first_name: `Ana ${i}` },
    devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
  }));
  const { status } = await server.call('POST', '/v1/import/subscribers', { appId, rows }, key);
  if (status !== 200) throw new Error(`the import was answered ${status}`);
}

/** Threads have no names in /proc: the front is the process's own, and of the others one works. */
function cost(server: BenchServer, before: ReadonlyMap<string, number>, count: number): Cost {
  let [front, shard, all] = [0, 0, 0];
  for (const [thread, after] of server.threadSeconds()) {
    const used = after - (before.get(thread) ?? 0);
    all += used;
    if (thread === String(server.pid)) front = used;
    else shard = Math.max(shard, used);
  }
  const each = (used: number) => (used * 1e6) / count;
  return { front: each(front), shard: each(shard), others: each(all - front - shard) };
}

/** Many apps on all shards, and nothing else on the machine. */
function modelOf({ front, shard, others }: Cost, cores: number) {
  const { shards } = planTopology({ cores, partitions });
  const limits = [
    { full: 'the front', perSecond: 1e6 / front },
    { full: shards === 1 ? 'the shard' : `${shards} shards`, perSecond: (shards * 1e6) / shard },
    { full: 'all cores', perSecond: (cores * 1e6) / (front + shard + others) },
  ];
  return limits.reduce((least, one) => (one.perSecond < least.perSecond ? one : least));
}
