// Insights over stored events: CPU time and bytes of memory per question over a month of history.
// One thread, a real partition, without queueing.
// Run: npx tsx bench/insights.ts [events = 1000000] [people = 100000] [days = 30]

import { withHistory } from '../actors/events/read/list.ts';
import type { Facts, Question } from '../actors/insight/insights/protocol.ts';
import { readInsight } from '../actors/insight/insights/run.ts';
import { eventLog } from '../actors/runtime/event-log.ts';
import { makeCheckpoint } from '../actors/runtime/folding.ts';
import { dayMs, hourMs } from '../engine/base/brand.ts';
import { seededRng } from '../engine/base/rng.ts';
import { StopFlag } from '../engine/thread/shared-word.ts';
import { eventBodies } from './support/events.ts';
import { bestCpuMs } from './support/figure-line.ts';
import { type BenchPartition, benchPartition } from './support/partition.ts';

const events = Number(process.argv[2] ?? 1_000_000);
const people = Number(process.argv[3] ?? 100_000);
const days = Number(process.argv[4] ?? 30);
const perBody = 1000;

const by = -1;
const steps = ['product_viewed', 'checkout_started', 'order_placed'];
const questions: Readonly<Record<string, Question>> = {
  'trends of two events by day': {
    by,
    kind: 'insight.trends',
    interval: 'day',
    days,
    events: steps.slice(0, 2),
  },
  'trends of all by hour': { by, kind: 'insight.trends', interval: 'hour', days },
  'growth by day': { by, kind: 'insight.growth', interval: 'day', days },
  'funnel of three steps': { by, kind: 'insight.funnel', steps, days, withinHours: 72 },
  'retention by week': { by, kind: 'insight.retention', interval: 'week', periods: 4 },
  'recency and frequency': { by, kind: 'insight.rfm', days },
  'the same of orders, with values': {
    by,
    kind: 'insight.rfm',
    days,
    event: 'order_placed',
    valueProp: 'price',
  },
};

const bench = benchPartition({ rng: seededRng(1) });
try {
  await run(bench);
} finally {
  await bench.close();
}

async function run({ ask, store, tableKey, makeApp }: BenchPartition): Promise<void> {
  const { id, ordinal: app } = await makeApp();
  for (let body = 0; body * perBody < events; body += days) {
    const ingested = Array.from({ length: days }, (_, back) => {
      const nowMs = Date.now() - back * dayMs - ((body / days) % 24) * hourMs;
      const [bytes] = eventBodies({
        appId: id,
        count: 1,
        perBody,
        people,
        nowMs,
        seed: body + back + 1,
      });
      return ask(app, { kind: 'events.ingest', keyless: false }, bytes);
    });
    await Promise.all(ingested);
  }
  const outcome = makeCheckpoint({
    path: store.path,
    partition: 0,
    source: store,
    nowMs: Date.now(),
    tableKey,
    onProblem: (problem) => {
      throw new Error(problem);
    },
  });
  console.log(`${events} events of ${people} people at most over ${days} days: ${outcome.outcome}`);
  for (const [name, question] of Object.entries(questions)) {
    const facts = (await ask(app, { by, kind: 'insight.facts', question })) as Facts;
    const what = { app, question, facts, stop: new StopFlag().word };
    const bestMs = bestCpuMs(() =>
      withHistory(store.path, (history) => readInsight(what, eventLog(store), history)),
    );
    const millions = (events / bestMs / 1000).toFixed(1);
    const megabytes = (process.memoryUsage().rss / 1e6).toFixed(0);
    console.log(
      `${name.padEnd(34)} ${bestMs.toFixed(0).padStart(6)} ms  ${millions.padStart(6)} million a second  ${megabytes} MB resident`,
    );
  }
}
