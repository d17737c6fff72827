// Lets due deliveries begin: reads the line of a destination, the oldest due first, and grants what
// has room. What is out is only in memory: after a crash, exactly the deliveries without a durable
// outcome are due again.

import type { PumpContext } from '../../../engine/actor/machine.ts';
import type { DocumentReader, Effect, KeyPart } from '../../../engine/actor/message.ts';
import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import {
  type WebhookChunkRow,
  webhookChunks,
  webhookDeliveries,
  webhookDues,
} from '../../../storage/tables/webhook.ts';
import { readRow } from '../../readable-row.ts';
import type { Sealer } from '../../sealer.ts';
import { type ChunkName, chunkKey, deliveriesKey } from './delivery-id.ts';
import { DeliveryRows } from './delivery-rows.ts';
import { isServed } from './destination.ts';
import { dispatcherOf, type WebhookPlan } from './dispatcher-of.ts';
import { decodeChunk, personOf } from './event-chunk.ts';
import { type Line, nameOf } from './lines.ts';
import type { WebhooksView } from './memory.ts';
import { type OpenedDestination, openDestination } from './open-destination.ts';
import type { WebhookGrant } from './protocol.ts';
import type { Destination } from './webhooks.ts';

interface DueChunk extends ChunkName {
  readonly dueMs: Millis;
}

/** When a secret that cannot be opened is tried again. */
const unreadableAgainMs: Millis = minuteMs;
/** Dues that one look reads beyond what is out. */
const duesMax = 64;

/** Grants of one destination; `nextMs` of its line says when to look again. */
export function grantsOf(
  app: WebhooksView,
  destination: Destination,
  line: Line,
  plan: WebhookPlan,
  sealer: Sealer,
  context: PumpContext,
): readonly Effect[] {
  const { record, open } = destination;
  line.nextMs = Number.POSITIVE_INFINITY;
  const isStrict = record.concurrency === 1;
  if (!isServed(record) || open === 0 || line.room(isStrict) <= 0) return [];
  const documents = context.documentsOf(app.record.ordinal);
  const due = isStrict
    ? headOf(documents, destination, line, context.nowMs)
    : duesOf(documents, record.number, line, context.nowMs);
  const effects: Effect[] = [];
  let opened: OpenedDestination | undefined;
  for (const one of due) {
    const room = line.room(isStrict);
    if (room <= 0) break;
    if (one.atMs < app.webhooks.passes.stopBeforeMs(record.number)) continue;
    opened ??= openDestination(app, record, sealer, plan, context.nowMs);
    if (opened === undefined) {
      line.nextMs = context.nowMs + unreadableAgainMs;
      break;
    }
    const chosen = chosenIn(app, destination, one, line, documents, room, context.nowMs, plan);
    if (chosen === undefined) continue;
    line.takeOut(nameOf(one), chosen.places, context.nowMs);
    const message: WebhookGrant = {
      kind: 'webhook.grant',
      partition: plan.partition,
      app: app.record.ordinal,
      destination: record.number,
      concurrency: record.concurrency,
      ...opened,
      atMs: one.atMs,
      chunk: one.chunk,
      isReplayed: app.webhooks.replayed.isReplayed(one.atMs),
      ...chosen,
    };
    effects.push({ port: dispatcherOf(app.record.ordinal, record.number, plan), message });
  }
  return effects;
}

function chosenIn(
  app: WebhooksView,
  { record: { number: destination, concurrency } }: Destination,
  one: DueChunk,
  line: Line,
  documents: DocumentReader,
  room: number,
  nowMs: Millis,
  plan: WebhookPlan,
): Pick<WebhookGrant, 'events' | 'places'> | undefined {
  const row = readRow(documents, webhookDeliveries, deliveriesKey({ ...one, destination }));
  const chunk = readRow(documents, webhookChunks, chunkKey(one));
  if (row instanceof DamagedRecord || chunk instanceof DamagedRecord || !row || !chunk) {
    line.skip(nameOf(one));
    plan.onUnreadable?.(
      app.record.ordinal,
      row instanceof DamagedRecord || chunk instanceof DamagedRecord
        ? ((row instanceof DamagedRecord ? row : chunk) as DamagedRecord)
        : new Error('a due webhook delivery has no record'),
    );
    return undefined;
  }
  const rows = new DeliveryRows(one.atMs, row);
  const isErased = erasedIn(app, chunk);
  const out = line.placesOut(nameOf(one));
  const places: number[] = [];
  let laterMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows.count && places.length < room; i++) {
    const place = rows.placeAt(i);
    if (!rows.isOpenAt(i) || out?.has(place) || isErased(place)) continue;
    if (rows.dueAt(i) > nowMs) laterMs = Math.min(laterMs, rows.dueAt(i));
    else places.push(place);
  }
  if (places.length > 0) return { events: chunk.events, places };
  // In strict order, nothing passes what waits for its next attempt.
  if (concurrency === 1 && laterMs < Number.POSITIVE_INFINITY) line.nextMs = laterMs;
  else if (out === undefined) {
    line.setAside(nameOf(one), laterMs);
    line.nextMs = nowMs; // what is due behind it
  }
  return undefined;
}

/** Whose person is erased: such a delivery does not begin, and the next pass stops it. */
function erasedIn({ people, record }: WebhooksView, chunk: WebhookChunkRow) {
  if (people.erased.size === 0) return () => false;
  const events = decodeChunk(record.ordinal, chunk.events);
  return (place: number) => {
    const event = events[place];
    const person = event && personOf(event);
    return person !== undefined && people.erased.has(person);
  };
}

/** The oldest dues that are not wholly out. */
function duesOf(
  documents: DocumentReader,
  destination: number,
  line: Line,
  nowMs: Millis,
): readonly DueChunk[] {
  const rows = documents.range(webhookDues, {
    from: [destination],
    to: [destination + 1],
    limit: duesMax + line.chunksOut,
    damaged: () => {},
  });
  const found: DueChunk[] = [];
  for (const { key } of rows) {
    const due = dueOf(key);
    if (due.dueMs > nowMs) {
      line.nextMs = Math.min(line.nextMs, due.dueMs); // or what is set aside
      return found;
    }
    if (!line.isSkipped(nameOf(due), nowMs)) found.push(due);
  }
  if (rows.length === duesMax + line.chunksOut) line.nextMs = nowMs;
  return found;
}

/** In strict order: what waits for its next attempt, or else the oldest. */
function headOf(
  documents: DocumentReader,
  { record, head }: Destination,
  line: Line,
  nowMs: Millis,
): readonly DueChunk[] {
  const tried = head ? triedIn(documents, record.number, head) : undefined;
  if (tried === undefined || line.isSkipped(nameOf(tried), nowMs))
    return duesOf(documents, record.number, line, nowMs).slice(0, 1);
  if (tried.dueMs <= nowMs) return [tried];
  line.nextMs = tried.dueMs;
  return [];
}

/** When the first open delivery of a chunk is due; `undefined` if none is open any more. */
function triedIn(
  documents: DocumentReader,
  destination: number,
  [atMs, chunk]: readonly [Millis, number],
): DueChunk | undefined {
  const name = { atMs, chunk };
  const row = readRow(documents, webhookDeliveries, deliveriesKey({ ...name, destination }));
  if (row === undefined || row instanceof DamagedRecord) return undefined;
  const rows = new DeliveryRows(atMs, row);
  for (let i = 0; i < rows.count; i++)
    if (rows.isOpenAt(i)) return { ...name, dueMs: rows.dueAt(i) };
  return undefined;
}

function dueOf([, dueMs, atMs, chunk]: readonly KeyPart[]): DueChunk {
  return { dueMs: dueMs as number, atMs: atMs as number, chunk: chunk as number };
}
