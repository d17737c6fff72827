// Reads the ledger: newest first, one delivery, and what may be sent again. A turn looks at a
// bounded number of records, so a page may be short; only `nextCursor: null` ends a list.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentReader,
  type DocumentRow,
  refused,
} from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import {
  type WebhookDeliveriesRow,
  webhookChunks,
  webhookDeliveries,
  webhookTries,
} from '../../../storage/tables/webhook.ts';
import { fault, notFound } from '../../faults.ts';
import { readableRow } from '../../readable-row.ts';
import {
  chunkKey,
  type DeliveryName,
  deliveriesKey,
  deliveryId,
  parseDeliveryId,
  triesKey,
} from './delivery-id.ts';
import { type Delivery, DeliveryRows, deliveryStates } from './delivery-rows.ts';
import { kindBit, legacyNumber, legacyType } from './destination.ts';
import {
  decodeChunk,
  eventOf,
  lacksPerson,
  personOf,
  type StoredEvent,
  withoutPerson,
} from './event-chunk.ts';
import type { WebhooksView } from './memory.ts';
import type { DeliveryFilter, DeliveryView, WebhooksProtocol } from './protocol.ts';
import { onlyTry, Settling } from './settle.ts';

type Reply<K extends keyof WebhooksProtocol> = WebhooksProtocol[K]['reply'];

/** Records per turn. */
const recordsMax = 500;
/** Deliveries per turn that are sent again. */
const retriedMax = 2_000;

export function listDeliveries(
  app: WebhooksView,
  message: MessageOf<WebhooksProtocol, 'webhook_delivery.list'>,
  context: Context,
): Decision<Reply<'webhook_delivery.list'>> {
  const before = cursorOf(context.owner, message.cursor);
  if (before !== undefined && 'code' in before) return refused(before);
  const items: DeliveryView[] = [];
  const isMore = walk(app, message, before, context, ({ name, delivery, event }) => {
    if (items.length === message.limit) return false;
    const id = deliveryId(context.owner, name);
    items.push(viewOf(id, app, name, delivery, event));
    return true;
  });
  return accepted({ items, nextCursor: isMore ?? null });
}

export function readDelivery(
  app: WebhooksView,
  id: string,
  { owner, documents }: Context,
): Decision<Reply<'webhook_delivery.read'>> {
  const found = findDelivery(owner, id, documents);
  if (found === undefined) return refused(notFound('delivery'));
  const { name, delivery, event } = found;
  const person = personOf(event);
  const isErased = person !== undefined && app.people.isGone(person);
  const shown = isErased ? withoutPerson(event) : event;
  const tries = isErased ? [] : (readableRow(documents, webhookTries, triesKey(name))?.tries ?? []);
  return accepted({
    delivery: viewOf(id, app, name, delivery, event),
    payload: eventOf(shown),
    attempts: tries.length > 0 ? tries : onlyTry(isErased ? withoutWords(delivery) : delivery),
  });
}

/** Begins a new series of attempts, under the same id. */
export function retryDelivery(app: WebhooksView, id: string, context: Context): Decision<null> {
  const found = findDelivery(context.owner, id, context.documents);
  if (found === undefined) return refused(notFound('delivery'));
  const { name, delivery, event } = found;
  if (delivery.dueMs !== undefined)
    return refused(
      fault('wrong_state', `this delivery is ${delivery.state}; wait until it has ended`),
    );
  const wrong = cannotBegin(app, name, event);
  if (wrong !== undefined) return refused(wrong);
  const settling = new Settling(name.destination, context);
  settling.change(name, name.place, (before) => again(before, context.nowMs));
  return accepted(null, { entries: [settling.entry()], documents: settling.documents() });
}

export function retryDeliveries(
  app: WebhooksView,
  message: MessageOf<WebhooksProtocol, 'webhook_delivery.retry_all'>,
  context: Context,
): Decision<Reply<'webhook_delivery.retry_all'>> {
  const before = cursorOf(context.owner, message.cursor);
  if (before !== undefined && 'code' in before) return refused(before);
  const settlings = new Map<number, Settling>();
  let retried = 0;
  const next = walk(app, message, before, context, ({ name, event }) => {
    if (retried === retriedMax) return false;
    if (cannotBegin(app, name, event) !== undefined) return true;
    const settling = settlings.get(name.destination) ?? new Settling(name.destination, context);
    settlings.set(name.destination, settling);
    settling.change(name, name.place, (one) => again(one, context.nowMs));
    retried++;
    return true;
  });
  const changed = [...settlings.values()];
  return accepted(
    { retried, nextCursor: next ?? null },
    {
      entries: changed.map((one) => one.entry()),
      documents: changed.flatMap((one) => one.documents()),
    },
  );
}

type RecordKey = readonly [atMs: Millis, chunk: number, destination: number];

interface Found {
  readonly name: DeliveryName;
  readonly delivery: Delivery;
  readonly event: StoredEvent;
}

/**
 * Visits deliveries from the newest until `visit` returns false, which it does not for the first.
 * Returns the cursor of what may be left: the id of the last delivery that needs no other visit.
 */
function walk(
  app: WebhooksView,
  filter: DeliveryFilter,
  before: DeliveryName | undefined,
  { owner, documents }: Context,
  visit: (found: Found) => boolean,
): string | undefined {
  const { status, event: kind, type } = filter;
  const numbers = type === undefined ? undefined : numbersOf(app, type);
  if (numbers?.size === 0) return undefined;
  const state = status && 1 << deliveryStates.indexOf(status);
  const kinds = kind && kindBit(kind);
  const { rows, last } = recordsOf(documents, filter, before);
  let visited = before;
  for (const { key, value } of rows) {
    const [atMs, chunk, destination] = key as RecordKey;
    if (numbers !== undefined && !numbers.has(destination)) continue;
    if (state !== undefined && (value.states & state) === 0) continue;
    if (kinds !== undefined && (value.kinds & kinds) === 0) continue;
    const row = readableRow(documents, webhookChunks, chunkKey({ atMs, chunk }));
    if (row === undefined) continue;
    const deliveries = new DeliveryRows(atMs, value);
    const events = decodeChunk(owner, row.events);
    for (let i = deliveries.count - 1; i >= 0; i--) {
      const name = { atMs, chunk, destination, place: deliveries.placeAt(i) };
      if (before !== undefined && !isBefore(name, before)) continue;
      const event = events[name.place];
      const delivery = deliveries.at(i);
      if (event === undefined || (kind !== undefined && event.kind !== kind)) continue;
      if (status !== undefined && delivery.state !== status) continue;
      if (!visit({ name, delivery, event })) return visited && deliveryId(owner, visited);
      visited = name;
    }
  }
  if (last === undefined) return undefined;
  const [atMs, chunk, destination] = last;
  return deliveryId(owner, { atMs, chunk, destination, place: 0 });
}

/** Records from the newest; `last` is the key of the last one if there may be more. */
function recordsOf(
  documents: DocumentReader,
  { fromMs = 0, toMs }: DeliveryFilter,
  before: DeliveryName | undefined,
): { rows: readonly DocumentRow<WebhookDeliveriesRow>[]; last?: RecordKey } {
  const damaged: RecordKey[] = [];
  // The record of the cursor is read again: some of its deliveries may be left.
  const rest = before && [before.atMs, before.chunk, before.destination + 1];
  const until = rest ?? (toMs === undefined ? undefined : [toMs]);
  const rows = documents.range(webhookDeliveries, {
    from: [fromMs],
    ...(until === undefined ? {} : { to: until }),
    reverse: true,
    limit: recordsMax,
    damaged: (key) => damaged.push(key as RecordKey),
  });
  if (rows.length + damaged.length < recordsMax) return { rows };
  const lasts = [rows.at(-1)?.key as RecordKey | undefined, damaged.at(-1)];
  const [last] = lasts.filter((key) => key !== undefined).sort(compareKeys);
  return last === undefined ? { rows } : { rows, last };
}

function compareKeys(one: RecordKey, other: RecordKey): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function isBefore(one: DeliveryName, other: DeliveryName): boolean {
  const isSame =
    one.atMs === other.atMs && one.chunk === other.chunk && one.destination === other.destination;
  return !isSame || one.place < other.place;
}

function findDelivery(
  owner: Ordinal,
  id: string,
  documents: Context['documents'],
): Found | undefined {
  const name = parseDeliveryId(owner, id);
  if (name === undefined) return undefined;
  const row = readableRow(documents, webhookDeliveries, deliveriesKey(name));
  const chunk = readableRow(documents, webhookChunks, chunkKey(name));
  if (row === undefined || chunk === undefined) return undefined;
  const rows = new DeliveryRows(name.atMs, row);
  const i = rows.indexOf(name.place);
  const event = decodeChunk(owner, chunk.events)[name.place];
  return i < 0 || event === undefined ? undefined : { name, delivery: rows.at(i), event };
}

/** It keeps what its last attempt said until the next one ends. */
function again({ dueMs, ...before }: Delivery, nowMs: Millis) {
  if (dueMs !== undefined) return undefined;
  return { ...before, state: 'pending' as const, attempts: 0, dueMs: nowMs };
}

/** Why a delivery cannot be sent again. */
function cannotBegin(
  app: WebhooksView,
  { destination }: DeliveryName,
  event: StoredEvent,
): Fault | undefined {
  const one = app.webhooks.destinations.get(destination);
  if (one === undefined)
    return fault('wrong_state', 'the integration of this delivery was removed');
  if (!one.record.enabled)
    return fault('wrong_state', 'the integration of this delivery is disabled');
  const person = personOf(event);
  const isErased = person === undefined ? lacksPerson(event) : app.people.isGone(person);
  return isErased ? fault('wrong_state', 'the person of this delivery was erased') : undefined;
}

function viewOf(
  id: string,
  app: WebhooksView,
  { destination, atMs }: DeliveryName,
  delivery: Delivery,
  { kind }: StoredEvent,
): DeliveryView {
  const type = app.webhooks.typeOf(destination);
  return { ...delivery, id, type, event: kind, createdMs: atMs };
}

/** The destination of this type, and those that were removed. */
function numbersOf({ webhooks }: WebhooksView, type: string): ReadonlySet<number> {
  if (type === legacyType) return new Set([legacyNumber]);
  const all = [...webhooks.destinations.keys(), ...webhooks.removed.keys()];
  return new Set(all.filter((number) => webhooks.typeOf(number) === type));
}

function withoutWords({ answer: _answer, ...delivery }: Delivery): Delivery {
  return delivery;
}

function cursorOf(owner: Ordinal, cursor: string | undefined): DeliveryName | Fault | undefined {
  if (cursor === undefined) return undefined;
  return (
    parseDeliveryId(owner, cursor) ??
    fieldFault('cursor', 'expected the nextCursor of the previous page')
  );
}
