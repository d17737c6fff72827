// CPU time of insights over receipts: channel health and heatmap over a month of receipts, delivery
// failures over dead letters. 3 % bounced, one in two hundred after delivery, 0.3 % failed. One
// thread, no queue.
// Run: npx tsx bench/receipt-insights.ts [receipts = 1000000] [people = 100000] [days = 30]
//   [letters = 100000]

import { encodeDrafts } from '../actors/events/log/drafts.ts';
import { rowsMax } from '../actors/events/log/event-rows.ts';
import { withHistory } from '../actors/events/read/list.ts';
import type { Facts, Question } from '../actors/insight/insights/protocol.ts';
import { readInsight } from '../actors/insight/insights/run.ts';
import { eventLog } from '../actors/runtime/event-log.ts';
import { makeCheckpoint } from '../actors/runtime/folding.ts';
import { encodeBlock } from '../engine/actor/block.ts';
import { dayMs, type Millis, type Ordinal } from '../engine/base/brand.ts';
import { formatId, newId } from '../engine/base/id.ts';
import { below, seededRng } from '../engine/base/rng.ts';
import { StopFlag } from '../engine/thread/shared-word.ts';
import { Documents } from '../storage/documents.ts';
import { deadLetters } from '../storage/tables/send.ts';
import { bestCpuMs } from './support/figure-line.ts';
import { type BenchPartition, benchPartition } from './support/partition.ts';

const receipts = Number(process.argv[2] ?? 1_000_000);
const people = Number(process.argv[3] ?? 100_000);
const days = Number(process.argv[4] ?? 30);
const letters = Number(process.argv[5] ?? 100_000);

const zones = ['Asia/Bangkok', 'America/New_York', 'Europe/Paris', 'Asia/Kathmandu', 'UTC'];
const rng = seededRng(1);
const bench = benchPartition({ rng });
try {
  await run(bench);
} finally {
  await bench.close();
}

async function run({ store, tableKey, makeApp }: BenchPartition): Promise<void> {
  const { ordinal: app } = await makeApp();
  const nowMs = Date.now();
  const commit: Commit = (entries, documents = new Documents(store)) => {
    const seq = store.durableSeq + 1;
    const block = encodeBlock({ atMs: nowMs, entries: entries as never });
    return new Promise<void>((resolve) =>
      store.commit({ seq, block, documents: documents.takeStaged(seq) }, resolve),
    );
  };
  const events = await writeReceipts(app, nowMs, commit);
  await writeLetters(app, nowMs, () => new Documents(store), commit);
  const outcome = makeCheckpoint({
    path: store.path,
    partition: 0,
    source: store,
    nowMs,
    tableKey,
    onProblem: (problem) => {
      throw new Error(problem);
    },
  });
  console.log(`${events} events, ${letters} letters: ${outcome.outcome}`);
  measure(app, nowMs, events, store);
}

type Commit = (entries: readonly object[], documents?: Documents) => Promise<void>;

async function writeReceipts(app: Ordinal, nowMs: Millis, commit: Commit): Promise<number> {
  let firstSeq = 1;
  for (let made = 0; made < receipts; made += rowsMax) {
    const atMs = nowMs - Math.floor(((receipts - made) / receipts) * (days - 1) * dayMs);
    const drafts = Array.from({ length: Math.min(rowsMax, receipts - made) }, (_, i) => {
      const dice = below(rng, 1000);
      const person = below(rng, people);
      const name =
        dice < 30 ? 'bounced' : dice < 33 ? 'failed' : dice < 50 ? 'suppressed' : 'delivered';
      const parts = { ordinal: app, atMs, high16: 1, low32: made + i };
      return {
        name: dice >= 800 ? (dice < 950 ? 'opened' : 'clicked') : name,
        person,
        atMs,
        sendId: formatId('ntf', parts),
        deviceId: newId('dev', app, atMs, rng),
        channel: 1 + (person % 5),
        metaJson: JSON.stringify({ attempts: 1, providerMessageId: `provider-${made + i}` }),
      };
    });
    const again = drafts.filter(({ name }) => name === 'delivered').slice(0, rowsMax / 200);
    const late = again.map((one) => ({ ...one, name: 'bounced' }));
    for (const some of [drafts, late]) {
      if (some.length === 0) continue;
      const batch = encodeDrafts(some, atMs, firstSeq);
      firstSeq += some.length;
      await commit([{ kind: 'events.tracked', owner: app, atMs, keyless: false, batch }]);
    }
  }
  return firstSeq - 1;
}

async function writeLetters(
  app: Ordinal,
  nowMs: Millis,
  open: () => Documents,
  commit: Commit,
): Promise<void> {
  for (let made = 0; made < letters; made += 5_000) {
    const documents = open();
    for (let i = made; i < Math.min(letters, made + 5_000); i++) {
      const atMs = nowMs - below(rng, days * dayMs);
      const id = newId('dl', app, atMs, rng);
      documents.put(deadLetters, app, [id], {
        id,
        sendId: newId('ntf', app, atMs, rng),
        deviceId: newId('dev', app, atMs, rng),
        channel: i % 2 === 0 ? 'sms' : 'email',
        lane: i % 3 === 0 ? 'campaign' : 'transactional',
        reason: `http_${500 + (i % 7)}`,
        attempts: 8,
        atMs,
        ...(i % 4 === 0 ? { recoveredMs: nowMs } : {}),
      });
    }
    await commit([], documents);
  }
}

function measure(
  app: Ordinal,
  nowMs: Millis,
  events: number,
  store: BenchPartition['store'],
): void {
  const codeOf = Uint16Array.from({ length: people }, (_, person) => person % (zones.length + 1));
  const facts: Facts = {
    nowMs,
    timezone: 'Asia/Bangkok',
    span: days,
    erased: [],
    zones: { names: zones, codeOf },
  };
  const questions: readonly Question[] = [
    { by: -1, kind: 'insight.channel_health', days },
    { by: -1, kind: 'insight.heatmap', days },
    { by: -1, kind: 'insight.failures', days, limit: 50 },
  ];
  for (const question of questions) {
    const what = { app, question, facts, stop: new StopFlag().word };
    const bestMs = bestCpuMs(() =>
      withHistory(store.path, (history) => readInsight(what, eventLog(store), history)),
    );
    const rows = question.kind === 'insight.failures' ? letters : events;
    const megabytes = (process.memoryUsage().rss / 1e6).toFixed(0);
    console.log(
      `${question.kind.padEnd(24)} ${bestMs.toFixed(0).padStart(6)} ms  ${(rows / bestMs / 1000).toFixed(2)} million a second  ${megabytes} MB resident`,
    );
  }
}
