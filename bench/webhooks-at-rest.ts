// A delivery at rest: bytes of the ledger's records by table after a campaign with one webhook,
// their whole pages, and what the data file grew by beyond the same campaign without. Beside them
// the JSON that was sent.
// Run: npx tsx bench/webhooks-at-rest.ts [people = 100000]

import { decodeChunk, eventOf } from '../actors/integrations/webhooks/event-chunk.ts';
import { webhookPayload } from '../actors/integrations/webhooks/payload.ts';
import { prefixRange } from '../storage/keys.ts';
import type { Table } from '../storage/table.ts';
import {
  webhookChunks,
  webhookDeliveries,
  webhookDues,
  webhookTries,
} from '../storage/tables/webhook.ts';
import { campaignScene } from './support/campaign-scene.ts';
import { line } from './support/figure-line.ts';
import { printSummary } from './support/options.ts';
import type { BenchPartition } from './support/partition.ts';
import { startSink } from './support/provider-sink.ts';

const [people = 100_000] = process.argv.slice(2).map(Number);
const rowsAtOnce = 1_000;
const pageBytes = 4_096;
/** LMDB keeps a longer record in pages of its own, whose first has a head. */
const ownPageOver = 2_030;
const pageHeadBytes = 16;

interface Stored {
  readonly records: number;
  readonly bytes: number;
  readonly pagesBytes: number;
}

const scene = await campaignScene();
const sink = await startSink();
try {
  const app = await scene.makeApp(people);
  const { store } = scene.bench;
  const usedBytes = () => store.stats().fileBytes - store.reusableBytes;
  const growthOf = async (work: () => Promise<void>): Promise<number> => {
    const before = usedBytes();
    await work();
    return usedBytes() - before;
  };
  const plain = await growthOf(async () => void (await scene.send(app, 'without')));
  const url = `http://127.0.0.1:${sink.httpPort}/`;
  await scene.subscribe(app, 'webhook', {
    url,
    events: ['message.delivered'],
    concurrency: 64,
  });
  const subscribed = await growthOf(async () => {
    await scene.send(app, 'subscribed');
    while ((await scene.pending(app)) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  const jsonBytes = jsonOf(store, app.ordinal);
  let [all, pages] = [0, 0];
  for (const table of [webhookChunks, webhookDeliveries, webhookDues, webhookTries]) {
    const { records, bytes, pagesBytes } = storedIn(store, table, app.ordinal);
    all += bytes / people;
    pages += pagesBytes / people;
    line(table.name, bytes / people, `bytes a delivery, ${records} records`);
    if (records > 0) line('  in whole pages', pagesBytes / people, 'bytes');
  }
  line('all records', all, 'bytes a delivery (100 are wanted)');
  line('  in whole pages', pages, 'bytes');
  line('the file grew more by', (subscribed - plain) / people, 'bytes, with the log');
  line('JSON that was sent', jsonBytes, `bytes: ${(jsonBytes / all).toFixed(1)} × the records`);
  printSummary('webhooks-at-rest', {
    people,
    bytesPerDelivery: all,
    pageBytesPerDelivery: pages,
    fileBytesPerDelivery: (subscribed - plain) / people,
    jsonBytesPerDelivery: jsonBytes,
    ratio: jsonBytes / all,
  });
} finally {
  sink.stop();
  await scene.close();
}

function storedIn(
  store: BenchPartition['store'],
  table: Pick<Table<never>, 'id'>,
  owner: number,
): Stored {
  let { start, end } = prefixRange(table.id, owner, []);
  let [records, bytes, pagesBytes] = [0, 0, 0];
  for (;;) {
    const rows = store.range({ start, end, limit: rowsAtOnce });
    for (const { key, value } of rows) {
      const own = key.length + value.length;
      records++;
      bytes += own;
      const pages = Math.ceil((value.length + pageHeadBytes) / pageBytes);
      pagesBytes += value.length > ownPageOver ? key.length + pages * pageBytes : own;
    }
    const last = rows.at(-1)?.key;
    if (rows.length < rowsAtOnce || last === undefined) return { records, bytes, pagesBytes };
    start = Buffer.concat([last, new Uint8Array(1)]);
  }
}

/** The payload's bytes, over the deliveries of one chunk. */
function jsonOf(store: BenchPartition['store'], owner: number): number {
  const { start, end } = prefixRange(webhookChunks.id, owner, []);
  const [first] = store.range({ start, end, limit: 1 });
  if (first === undefined) throw new Error('the ledger is empty');
  const { events } = webhookChunks.decode(first.value, first.key);
  const id = 'whd_00000000000000000000000000';
  const bodies = decodeChunk(owner, events).map((event) => webhookPayload(eventOf(event), id));
  return bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length;
}
