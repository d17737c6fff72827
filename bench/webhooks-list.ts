// Listing the newest 50 of a ledger of ten million deliveries, alone and with filters, beside the
// same of a hundredth. One thread, a real partition, no HTTP. The ledger is written as records;
// one delivery in a thousand is dead.
// Run: npx tsx bench/webhooks-list.ts [deliveries = 10000000] [repeats = 100]

import {
  chunkEventsMax,
  chunkKey,
  deliveriesKey,
} from '../actors/integrations/webhooks/delivery-id.ts';
import { type Delivery, DeliveryRows } from '../actors/integrations/webhooks/delivery-rows.ts';
import { kindBit } from '../actors/integrations/webhooks/destination.ts';
import { encodeChunk, type StoredEvent } from '../actors/integrations/webhooks/event-chunk.ts';
import type { DeliveryView } from '../actors/integrations/webhooks/protocol.ts';
import { encodeBlock } from '../engine/actor/block.ts';
import type { DocumentWrite } from '../engine/actor/message.ts';
import { dayMs, type Millis, type Ordinal } from '../engine/base/brand.ts';
import { newId, subscriberId } from '../engine/base/id.ts';
import { seededRng } from '../engine/base/rng.ts';
import { Documents } from '../storage/documents.ts';
import { webhookChunks, webhookDeliveries } from '../storage/tables/webhook.ts';
import { line } from './support/figure-line.ts';
import { median, printSummary, quantile } from './support/options.ts';
import { benchPartition } from './support/partition.ts';

const [deliveries = 10_000_000, repeats = 100] = process.argv.slice(2).map(Number);
const limit = 50;
const days = 30;
const chunksAtOnce = 256;
const deadEvery = 1_000;
const chunks = Math.ceil(deliveries / chunkEventsMax);

const rng = seededRng(1);
const bench = benchPartition({ rng });
const nowMs = Date.now();
const filters: Readonly<Record<string, object>> = {
  'the newest 50': {},
  'of one destination': { type: 'webhook' },
  'of one kind': { event: 'message.delivered' },
  'those that are dead': { status: 'dead' },
  'of a day two weeks ago': { fromMs: nowMs - 15 * dayMs, toMs: nowMs - 14 * dayMs },
};
try {
  const { ordinal } = await bench.makeApp();
  await bench.ask(ordinal, {
    kind: 'destination.put',
    type: 'webhook',
    input: {
      url: 'https://example.com/',
      events: ['*'],
      headers: {},
      enabled: true,
      concurrency: 16,
      freshSecret: 'whsec_bench',
    },
  });
  const before = Math.ceil(chunks / 100);
  await write(ordinal, 0, before);
  const small = await measure(ordinal, before);
  const startMs = performance.now();
  await write(ordinal, before, chunks);
  console.log(`the rest written in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  const large = await measure(ordinal, chunks);
  const [smallMs, largeMs] = [small['the newest 50'] ?? 0, large['the newest 50'] ?? 0];
  console.log(`a hundred times as many take ${(largeMs / smallMs).toFixed(2)} times as long`);
  printSummary('webhooks-list', { deliveries, ms: large, ratio: largeMs / smallMs });
} finally {
  await bench.close();
}

/** Chunks `from` to `to`, the oldest first, over thirty days. */
async function write(owner: Ordinal, from: number, to: number): Promise<void> {
  const { store } = bench;
  const startMs = nowMs - days * dayMs;
  const events = encodeChunk(owner, startMs, eventsOf(owner, startMs));
  for (let chunk = from; chunk < to; ) {
    const documents = new Documents(store);
    const writes: DocumentWrite[] = [];
    for (const end = Math.min(chunk + chunksAtOnce, to); chunk < end; chunk++) {
      const atMs = startMs + Math.floor((chunk / chunks) * days * dayMs);
      writes.push(
        { table: webhookChunks, key: chunkKey({ atMs, chunk }), value: { events } },
        {
          table: webhookDeliveries,
          key: deliveriesKey({ atMs, chunk, destination: 1 }),
          value: rowsOf(atMs, chunk),
        },
      );
    }
    documents.stage(owner, writes);
    const seq = store.durableSeq + 1;
    const block = encodeBlock({ atMs: nowMs, entries: [] });
    await new Promise<void>((resolve) =>
      store.commit({ seq, block, documents: documents.takeStaged(seq) }, resolve),
    );
  }
}

function eventsOf(owner: Ordinal, atMs: Millis): readonly StoredEvent[] {
  return Array.from({ length: chunkEventsMax }, (_, i) => ({
    kind: 'message.delivered',
    subscriberId: subscriberId(owner, i, atMs, i),
    externalUserId: `user-${i}`,
    campaignId: newId('cmp', owner, atMs, rng),
    journeyId: null,
    messageId: newId('msg', owner, atMs, rng),
    sendId: newId('ntf', owner, atMs, rng),
    deviceId: newId('dev', owner, atMs, rng),
    channel: 'fcm',
    atMs,
    seq: i,
    metaJson: '{"attempts":1}',
  }));
}

function rowsOf(atMs: Millis, chunk: number) {
  const places = Array.from({ length: chunkEventsMax }, (_, i) => i);
  const rows = DeliveryRows.make(atMs, kindBit('message.delivered'), places, true);
  const delivered: Delivery = {
    state: 'delivered',
    attempts: 1,
    status: 200,
    durationMs: 12,
    endedMs: atMs + 40,
    answer: 'ok',
  };
  const dead: Delivery = { ...delivered, state: 'dead', attempts: 6, status: 500, error: 'status' };
  for (const place of places)
    rows.set(place, (chunk * chunkEventsMax + place) % deadEvery === 0 ? dead : delivered);
  return rows.row();
}

/** Medians, in milliseconds. */
async function measure(owner: Ordinal, of: number): Promise<Record<string, number>> {
  const medians: Record<string, number> = {};
  console.log(`${(of * chunkEventsMax).toLocaleString('en')} deliveries`);
  for (const [what, filter] of Object.entries(filters)) {
    const took: number[] = [];
    let found = 0;
    for (let i = 0; i < repeats; i++) {
      const startMs = performance.now();
      found = await listed(owner, filter);
      took.push(performance.now() - startMs);
    }
    medians[what] = median(took);
    const worst = `p99 ${quantile(took, 0.99).toFixed(1)}, the first ${(took[0] ?? 0).toFixed(1)}`;
    line(`  ${what}`, median(took), `ms, ${worst}; ${found} found`);
  }
  return medians;
}

/** As the API reads them: pages may be short, so until there are 50 or the ledger ends. */
async function listed(owner: Ordinal, filter: object): Promise<number> {
  let found = 0;
  let cursor: string | null | undefined;
  do {
    const page = (await bench.ask(owner, {
      kind: 'webhook_delivery.list',
      ...filter,
      limit: limit - found,
      ...(cursor === undefined ? {} : { cursor }),
    })) as { readonly items: readonly DeliveryView[]; readonly nextCursor: string | null };
    found += page.items.length;
    cursor = page.nextCursor;
  } while (found < limit && cursor !== null);
  return found;
}
