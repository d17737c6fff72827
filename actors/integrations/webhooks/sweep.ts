// The next slice of a pass over an app's ledger.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentRow,
  type DocumentWrite,
  type KeyPart,
} from '../../../engine/actor/message.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import {
  type WebhookDeliveriesRow,
  webhookChunks,
  webhookDeliveries,
  webhookDues,
  webhookTries,
} from '../../../storage/tables/webhook.ts';
import { type ChunkName, type DuePlace, deliveriesKey, dueKey, triesKey } from './delivery-id.ts';
import { type Delivery, DeliveryRows } from './delivery-rows.ts';
import { decodeChunk, encodeChunk, personOf, withoutPerson } from './event-chunk.ts';
import type { WebhooksView } from './memory.ts';
import type { WebhooksEntry } from './protocol.ts';
import { rebaseDues } from './rebase-dues.ts';
import { Settling } from './settle.ts';

const chunksPerTurn = 16;
/** Of deliveries that have ended, whatever the app's retention. */
export const keptMs: Millis = 30 * dayMs;
/** Of those that have not. */
const keptOpenMs: Millis = 365 * dayMs;
/** Records that a turn looks at: more than one chunk can have. */
const recordsMax = 64;
const triesMax = 128;
const openStates = 0b11;

export function sweepLedger(app: WebhooksView, context: Context): Decision<null> {
  const { passes } = app.webhooks;
  const { wrongDues, stopping, scrubFrom } = passes;
  if (wrongDues !== undefined) return rebaseDues(wrongDues, passes.dueFrom, context);
  if (stopping !== undefined) return stop(stopping, passes.dueFrom, context);
  if (scrubFrom !== undefined) return scrub(app, scrubFrom, context);
  return sweepOld(passes.sweepFrom, context);
}

/** What is open becomes `stopped`: it may be retried by hand. */
function stopped({ dueMs: _due, ...before }: Delivery): Delivery | undefined {
  return _due === undefined ? undefined : { ...before, state: 'stopped' };
}

function stop(
  { destination, beforeMs }: { readonly destination: number; readonly beforeMs: Millis },
  from: DuePlace,
  context: Context,
): Decision<null> {
  const { owner, nowMs, documents } = context;
  const settling = new Settling(destination, context);
  const places = documents
    .range(webhookDues, {
      from: from[0] === destination ? from : [destination],
      to: [destination + 1],
      limit: chunksPerTurn,
      damaged: () => {},
    })
    .map(({ key }) => key as unknown as DuePlace);
  for (const [, , atMs, chunk] of places) {
    if (atMs >= beforeMs) continue;
    const name = { atMs, chunk };
    const one = settling.rowsOf(name);
    if (one === undefined) continue;
    for (let i = 0; i < one.count; i++) settling.change(name, one.placeAt(i), stopped);
  }
  const last = places.length === chunksPerTurn ? places.at(-1) : undefined;
  const swept: WebhooksEntry = {
    kind: 'webhook.swept',
    owner,
    pass: 'stop',
    atMs: nowMs,
    destination,
    ...(last === undefined ? {} : { nextDue: [last[0], last[1], last[2], last[3] + 1] }),
  };
  return accepted(null, { entries: [settling.entry(), swept], documents: settling.documents() });
}

/** Takes erased people out of payloads, and stops what was still open for them. */
function scrub(
  app: WebhooksView,
  from: readonly [Millis, number],
  context: Context,
): Decision<null> {
  const { owner, nowMs, documents } = context;
  const writes: DocumentWrite[] = [];
  const settlings = new Map<number, Settling>();
  const rows = documents.range(webhookChunks, { from, limit: chunksPerTurn, damaged: () => {} });
  for (const { key, value } of rows) {
    const name = nameOfKey(key);
    const events = decodeChunk(owner, value.events);
    const gone = events.map((event) => {
      const person = personOf(event);
      return person !== undefined && app.people.isGone(person);
    });
    if (!gone.includes(true)) continue;
    const kept = events.map((event, place) => (gone[place] ? withoutPerson(event) : event));
    writes.push({
      table: webhookChunks,
      key,
      value: { events: encodeChunk(owner, name.atMs, kept) },
    });
    for (const destination of destinationsOf(name, context)) {
      const settling = settlings.get(destination) ?? new Settling(destination, context);
      settlings.set(destination, settling);
      gone.forEach((isGone, place) => {
        if (!isGone) return;
        settling.change(name, place, withoutAnswer);
        writes.push({
          table: webhookTries,
          key: triesKey({ ...name, destination, place }),
          value: undefined,
        });
      });
    }
  }
  const last = rows.length === chunksPerTurn ? rows.at(-1) : undefined;
  const swept: WebhooksEntry = {
    kind: 'webhook.swept',
    owner,
    pass: 'scrub',
    atMs: nowMs,
    ...(last === undefined ? {} : { next: after(nameOfKey(last.key)) }),
  };
  const changed = [...settlings.values()];
  return accepted(null, {
    entries: [...changed.map((one) => one.entry()), swept],
    documents: [...writes, ...changed.flatMap((one) => one.documents())],
  });
}

/** An answer may repeat what the payload said. */
function withoutAnswer(before: Delivery): Delivery {
  const { answer: _answer, ...rest } = stopped(before) ?? before;
  return rest;
}

function sweepOld(from: readonly [Millis, number], context: Context): Decision<null> {
  const { owner, nowMs, ages, documents } = context;
  const cutMs = Math.max(0, ages.cutMs(nowMs, keptMs));
  const openCutMs = Math.max(0, ages.cutMs(nowMs, keptOpenMs));
  const writes: DocumentWrite[] = [];
  let damaged = 0;
  const lost = (table: DocumentWrite['table']) => (key: readonly KeyPart[]) => {
    writes.push({ table, key, value: undefined });
    damaged++;
  };
  const seen = documents.range(webhookDeliveries, {
    from,
    to: [cutMs],
    limit: recordsMax,
    damaged: lost(webhookDeliveries),
  });
  const isCut = seen.length + damaged >= recordsMax;
  // The last chunk may have more records: it waits for the next slice.
  const to = isCut ? (seen.at(-1)?.key.slice(0, 2) ?? from) : [cutMs, 0];
  const kept = new Set<string>();
  const entries: WebhooksEntry[] = [];
  for (const row of seen) {
    const [atMs, chunk] = row.key as readonly [Millis, number];
    if (atMs === to[0] && chunk === to[1]) break;
    if ((row.value.states & openStates) !== 0 && atMs >= openCutMs) kept.add(`${atMs}|${chunk}`);
    else entries.push(...removal(row, context, writes));
  }
  const chunks = { from, to, limit: recordsMax, damaged: lost(webhookChunks) };
  for (const { key } of documents.range(webhookChunks, chunks))
    if (!kept.has(`${key[0]}|${key[1]}`))
      writes.push({ table: webhookChunks, key, value: undefined });
  const tries = documents.range(webhookTries, {
    to: [cutMs],
    limit: triesMax,
    damaged: lost(webhookTries),
  });
  for (const { key } of tries) writes.push({ table: webhookTries, key, value: undefined });
  const isMore = isCut || tries.length === triesMax;
  const swept: WebhooksEntry = {
    kind: 'webhook.swept',
    owner,
    pass: 'sweep',
    atMs: nowMs,
    ...(isMore ? { next: [to[0] as Millis, to[1] as number] as const } : {}),
  };
  return accepted(null, { entries: [...entries, swept], documents: writes });
}

/** Adds what removes a record of deliveries; what is open of it counts no more. */
function removal(
  { key, value }: DocumentRow<WebhookDeliveriesRow>,
  { owner, nowMs: atMs }: Context,
  writes: DocumentWrite[],
): readonly WebhooksEntry[] {
  const [chunkMs, chunk, destination] = key as readonly [Millis, number, number];
  const name = { atMs: chunkMs, chunk, destination };
  let open = 0;
  for (const [dueMs, count] of new DeliveryRows(chunkMs, value).dues()) {
    open += count;
    writes.push({ table: webhookDues, key: dueKey(name, dueMs), value: undefined });
  }
  writes.push({ table: webhookDeliveries, key: deliveriesKey(name), value: undefined });
  if (open === 0) return [];
  return [{ kind: 'webhook.settled', owner, destination, atMs, opened: -open, runs: [] }];
}

function destinationsOf({ atMs, chunk }: ChunkName, { documents }: Context): readonly number[] {
  const range = { from: [atMs, chunk], to: [atMs, chunk + 1], limit: 1_000, damaged: () => {} };
  return documents.range(webhookDeliveries, range).map(({ key }) => key[2] as number);
}

function nameOfKey([atMs, chunk]: readonly KeyPart[]): ChunkName {
  return { atMs: atMs as Millis, chunk: chunk as number };
}

function after({ atMs, chunk }: ChunkName): readonly [Millis, number] {
  return [atMs, chunk + 1];
}
