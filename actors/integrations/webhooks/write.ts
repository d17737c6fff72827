// Writes what happened as chunks of the ledger: one record of events, and one of deliveries and a
// due for each destination that gets some of them.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
} from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { webhookChunks, webhookDeliveries, webhookDues } from '../../../storage/tables/webhook.ts';
import type { NumberedDraft } from '../../events/log/entry-facts.ts';
import { ToldSends } from '../../sending/outbox/told-sends.ts';
import {
  type ChunkName,
  chunkEventsMax,
  chunkKey,
  chunkNumbers,
  deliveriesKey,
  dueKey,
} from './delivery-id.ts';
import { DeliveryRows } from './delivery-rows.ts';
import { isServed, kindBit } from './destination.ts';
import { encodeChunk, type StoredEvent } from './event-chunk.ts';
import { channelOf, kindOf, nobody } from './happened.ts';
import type { WebhooksView } from './memory.ts';
import { namedPerson } from './named-person.ts';
import type { WebhooksEntry } from './protocol.ts';
import type { Destination } from './webhooks.ts';

/** Chunks per decision; the rest follows in the next turn. */
const chunksMax = 32;

/** What kinds say beside their ids. */
export interface EventMeta {
  /** JSON; `undefined` for an event that no longer means anything. */
  metaOf(app: WebhooksView, draft: NumberedDraft, nowMs: Millis): string | undefined;
}

export function writeHappened(
  app: WebhooksView,
  meta: EventMeta,
  context: Context,
): Decision<null> {
  const { unwritten } = app.webhooks;
  if (unwritten.length === 0) return accepted(null);
  const taken = unwritten.slice(0, chunksMax * chunkEventsMax);
  const events: StoredEvent[] = [];
  /** How many waited before each. */
  const waited: number[] = [];
  const sends = new ToldSends(context.owner, context.documents);
  taken.forEach((draft, i) => {
    const event = storedEvent(app, draft, meta, sends, context);
    if (event === undefined) return;
    events.push(event);
    waited.push(i);
  });
  const writer = new ChunkWriter(app, context);
  const destinations = [...app.webhooks.destinations.values()];
  for (let from = 0; from < events.length; from += chunkEventsMax) {
    const to = from + chunkEventsMax;
    writer.add(events.slice(from, to), destinations, waited.slice(from, to));
  }
  return accepted(null, writer.result(taken.length));
}

/** Chunks of one decision. */
export class ChunkWriter {
  readonly #app: WebhooksView;
  readonly #context: Context;
  readonly #documents: DocumentWrite[] = [];
  readonly #counts = new Map<number, number>();
  #chunks = 0;

  constructor(app: WebhooksView, context: Context) {
    this.#app = app;
    this.#context = context;
  }

  /**
   * At most one chunk of events, for those of the destinations that get any. `waited`: how many
   * waited in memory before each event, if they did.
   */
  add(
    events: readonly StoredEvent[],
    destinations: readonly Destination[],
    waited?: readonly number[],
  ): ChunkName | undefined {
    const { owner, nowMs: atMs } = this.#context;
    const chunk = (this.#app.webhooks.nextChunk + this.#chunks) % chunkNumbers;
    const name = { atMs, chunk };
    let isWanted = false;
    for (const { record, kinds, skips = [] } of destinations) {
      if (!isServed(record)) continue;
      const places: number[] = [];
      let found = 0;
      events.forEach(({ kind }, place) => {
        const bit = kindBit(kind);
        if ((kinds & bit) === 0 && kind !== 'webhook.test') return;
        const before = waited?.[place];
        if (before !== undefined && isSkipped(skips, bit, before)) return;
        places.push(place);
        found |= bit;
      });
      if (places.length === 0) continue;
      isWanted = true;
      const isAll = places.length === events.length;
      const rows = DeliveryRows.make(atMs, found, places, isAll, !record.enabled);
      const key = { ...name, destination: record.number };
      this.#documents.push({
        table: webhookDeliveries,
        key: deliveriesKey(key),
        value: rows.row(),
      });
      if (!record.enabled) continue;
      this.#counts.set(record.number, (this.#counts.get(record.number) ?? 0) + places.length);
      const due = { table: webhookDues, key: dueKey(key, atMs), value: { count: places.length } };
      this.#documents.push(due);
    }
    if (!isWanted) return undefined;
    this.#chunks++;
    const value = { events: encodeChunk(owner, atMs, events) };
    this.#documents.push({ table: webhookChunks, key: chunkKey(name), value });
    return name;
  }

  result(taken: number) {
    const { owner, nowMs: atMs } = this.#context;
    const entry: WebhooksEntry = {
      kind: 'webhook.written',
      owner,
      atMs,
      chunks: this.#chunks,
      counts: [...this.#counts],
      taken,
    };
    return { entries: [entry], documents: this.#documents };
  }
}

/** Whether it happened before the destination got this kind. */
function isSkipped(skips: NonNullable<Destination['skips']>, bit: number, before: number): boolean {
  return skips.some(({ kinds, count }) => (kinds & bit) !== 0 && before < count);
}

/** `undefined` for an event of an erased person, or one that no longer means anything. */
function storedEvent(
  app: WebhooksView,
  draft: NumberedDraft,
  meta: EventMeta,
  sends: ToldSends,
  { documents, nowMs }: Context,
): StoredEvent | undefined {
  const kind = kindOf(draft.name);
  if (kind === undefined) return undefined;
  const metaJson = meta.metaOf(app, draft, nowMs);
  if (metaJson === undefined) return undefined;
  const person = draft.person === nobody ? undefined : app.people.canonical(draft.person);
  if (person !== undefined && app.people.isGone(person)) return undefined;
  const names = person === undefined ? undefined : namedPerson(documents, person);
  const { sendId = null, deviceId = null } = draft;
  const channel = channelOf(draft);
  const told = sends.of({ ...draft, sendId, deviceId, channel });
  return {
    kind,
    subscriberId: names?.subscriberId ?? null,
    externalUserId: names?.externalUserId ?? null,
    channel: channel ?? told?.channel ?? null,
    atMs: draft.atMs,
    seq: draft.seq,
    sendId,
    deviceId: deviceId ?? told?.deviceId ?? null,
    campaignId: draft.campaignId ?? null,
    journeyId: draft.journeyId ?? null,
    messageId: draft.messageId ?? null,
    metaJson: told?.test === true ? withTest(metaJson) : metaJson,
  };
}

function withTest(metaJson: string): string {
  return JSON.stringify({ ...(JSON.parse(metaJson) as object), test: true });
}
