// Deliveries of webhooks to a sink on loopback, outcomes durable, by the clock and by the processor
// time of the dispatch thread. Beside it the same of a job queue: a persisted job, a signed POST,
// its result stored. BullMQ with Redis if they are given, and PostgreSQL with SKIP LOCKED.
// Run: npx tsx bench/webhooks.ts [deliveries = 100000] [--jobs=20000] [--destinations=4]
//   [--concurrency=64] [--bullmq=<folder with node_modules>] [--redis-server=<program>]

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type QueueFigures, type QueueStart, runQueue } from './baseline/webhook-queue.ts';
import { campaignScene } from './support/campaign-scene.ts';
import { numberOption, printSummary, textOption } from './support/options.ts';
import { makePostgres } from './support/postgres.ts';
import { startSink } from './support/provider-sink.ts';
import { startRedis } from './support/redis.ts';

const [given] = process.argv.slice(2).filter((word) => /^\d+$/.test(word));
const deliveries = Number(given ?? 100_000);
const jobs = numberOption('jobs', Math.min(20_000, deliveries));
const destinations = numberOption('destinations', 4);
const concurrency = numberOption('concurrency', 64);
const bullmq = textOption('bullmq');

const sink = await startSink();
const url = `http://127.0.0.1:${sink.httpPort}/hook`;
const figures: Record<string, number | null> = {};
try {
  const ours = await engageFigures();
  say('Engage, LMDB', ours, ours);
  const queue = { url, jobs, concurrency: concurrency * destinations };
  if (bullmq === undefined || !existsSync(join(bullmq, 'node_modules/bullmq')))
    console.log('no BullMQ: give --bullmq=<a folder in which `npm install bullmq ioredis` ran>');
  else
    for (const fsync of ['always', 'everysec'] as const)
      say(`BullMQ, Redis (fsync ${fsync})`, await bullmqFigures(queue, bullmq, fsync), ours);
  say('PostgreSQL, SKIP LOCKED', await postgresFigures(queue), ours);
} finally {
  sink.stop();
}
printSummary('webhooks', { deliveries, jobs, destinations, concurrency, ...figures });

/** Fills the ledger while nothing begins, and then lets it empty. */
async function engageFigures(): Promise<QueueFigures> {
  const scene = await campaignScene();
  try {
    const app = await scene.makeApp(Math.ceil(deliveries / destinations));
    for (let i = 0; i < destinations; i++)
      await scene.subscribe(app, `webhook-${i}`, {
        url: `${url}/${i}`,
        events: ['message.delivered'],
        concurrency,
      });
    scene.hold();
    await scene.send(app, 'all');
    const total = await scene.pending(app);
    const [startMs, cpu] = [performance.now(), scene.dispatchSeconds()];
    scene.release();
    while ((await scene.pending(app)) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return {
      perSecond: (total / (performance.now() - startMs)) * 1000,
      perWorkerSecond: total / (scene.dispatchSeconds() - cpu),
    };
  } finally {
    await scene.close();
  }
}

async function bullmqFigures(
  queue: QueueStart,
  folder: string,
  fsync: 'always' | 'everysec',
): Promise<QueueFigures> {
  const redis = await startRedis(textOption('redis-server') ?? 'redis-server', fsync);
  try {
    return await runQueue({ ...queue, bullmq: { folder, port: redis.port } });
  } finally {
    await redis.stop();
  }
}

async function postgresFigures(queue: QueueStart): Promise<QueueFigures> {
  const postgres = makePostgres();
  try {
    await postgres.start();
    return await runQueue({ ...queue, postgres: postgres.address });
  } finally {
    await postgres.remove();
  }
}

function say(name: string, one: QueueFigures, ours: QueueFigures): void {
  const { perSecond, perWorkerSecond } = one;
  const rates = [perSecond, perWorkerSecond].map((rate) => Math.round(rate).toLocaleString('en'));
  const ratio =
    one === ours
      ? ''
      : `, so Engage does ${(ours.perSecond / perSecond).toFixed(1)} and ${(ours.perWorkerSecond / perWorkerSecond).toFixed(1)} times that`;
  console.log(
    `  ${name.padEnd(32)} ${rates[0]?.padStart(8)} deliveries/s, ${rates[1]?.padStart(8)} per second of the thread that calls${ratio}`,
  );
  figures[`${name}, per second`] = perSecond;
  figures[`${name}, per worker second`] = perWorkerSecond;
}
