// Reads an app's stored events back, newest first, from the log. Pure over what it is given; where the blocks come
// from (the shard's own store, or a snapshot in the pool) is the caller's.

import { decodeBlock } from '../../engine/actor/block.ts';
import type { Entry } from '../../engine/actor/message.ts';
import type { Ordinal, PersonOrdinal, Seq } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import { channelIds } from '../channels/catalog.ts';
import type { TransactionalEntry } from '../transactional/protocol.ts';
import { decodeBatch } from './event-batch.ts';
import type { EventQuery, EventsEntry, EventView } from './protocol.ts';

/** Where log blocks are read from. */
export interface BlockSource {
  readonly durableSeq: Seq;
  readonly oldestSeq: Seq;
  blocks(from: Seq, limit: number): readonly { readonly seq: Seq; readonly block: Uint8Array }[];
}

/** An event before the names of its person are looked up. */
export interface FoundEvent extends Omit<EventView, 'subscriberId' | 'externalUserId'> {
  readonly person: PersonOrdinal;
}

const blocksPerRead = 256;

/** The newest events that match, at most `limit`, and whether there may be more. */
export function readEvents(
  source: BlockSource,
  app: Ordinal,
  query: EventQuery,
  erased: ReadonlySet<PersonOrdinal>,
): readonly FoundEvent[] {
  const found: FoundEvent[] = [];
  for (
    let end = source.durableSeq;
    end >= source.oldestSeq && found.length < query.limit;
    end -= blocksPerRead
  ) {
    const from = Math.max(source.oldestSeq, end - blocksPerRead + 1);
    const blocks = source.blocks(from, end - from + 1);
    for (let i = blocks.length - 1; i >= 0 && found.length < query.limit; i--) {
      const { entries, atMs } = decodeBlock((blocks[i] as (typeof blocks)[number]).block);
      for (let e = entries.length - 1; e >= 0 && found.length < query.limit; e--) {
        const entry = entries[e] as Entry;
        if (entry.owner !== app) continue;
        for (const event of eventsOf(entry, atMs)) {
          if (found.length === query.limit) break;
          if (matches(event, query) && !erased.has(event.person)) found.push(event);
        }
      }
    }
  }
  return found;
}

/** The events that an entry stands for, newest first: tracked ones, and the receipts of sends. */
export function eventsOf(entry: Entry, _atMs: number): readonly FoundEvent[] {
  switch (entry.kind) {
    case 'events.tracked':
      return tracked(entry as EventsEntry);
    case 'attempts.settled':
      return receipts(entry as Extract<TransactionalEntry, { kind: 'attempts.settled' }>);
    case 'send.queued':
      return noDevice(entry as Extract<TransactionalEntry, { kind: 'send.queued' }>);
    default:
      return [];
  }
}

/** The id of an event that came without one: its app and its number in it. */
export function eventIdOf(app: Ordinal, receivedMs: number, seq: number): string {
  return formatId('evt', {
    ordinal: app,
    atMs: receivedMs,
    high16: Math.floor(seq / 4294967296) & 0xffff,
    low32: seq >>> 0,
  });
}

function tracked({ owner, batch: bytes }: EventsEntry): readonly FoundEvent[] {
  const batch = decodeBatch(bytes);
  const events: FoundEvent[] = [];
  for (let row = batch.count - 1; row >= 0; row--) {
    const seq = batch.seq(row);
    const receivedMs = batch.receivedAtMs(row);
    const channel = batch.channel(row);
    events.push({
      id: batch.id(row) ?? eventIdOf(owner, receivedMs, seq),
      seq,
      name: batch.name(row),
      person: batch.person(row),
      deviceId: batch.reference(row, 'deviceId') ?? null,
      channel: channel === 0 ? null : (channelIds[channel - 1] ?? null),
      sendId: batch.reference(row, 'sendId') ?? null,
      campaignId: batch.reference(row, 'campaignId') ?? null,
      messageId: batch.reference(row, 'messageId') ?? null,
      journeyId: batch.reference(row, 'journeyId') ?? null,
      atMs: batch.atMs(row),
      receivedMs,
      props: parsed(batch.propsJson(row)),
      meta: parsed(batch.metaJson(row)),
    });
  }
  return events;
}

function receipts(
  entry: Extract<TransactionalEntry, { kind: 'attempts.settled' }>,
): readonly FoundEvent[] {
  const events: FoundEvent[] = [];
  let seq = entry.firstEvent;
  for (const { sendId, deviceId, settlement } of entry.items) {
    if (settlement.next !== 'done') continue;
    const { person, status, reason, attempts, providerMessageId } = settlement.receipt;
    events.unshift(
      receiptEvent(entry.owner, seq, entry.atMs, status, person, sendId, deviceId, entry.channel, {
        ...(reason === undefined ? {} : { reason }),
        attempts,
        ...(providerMessageId === undefined ? {} : { providerMessageId }),
      }),
    );
    seq++;
  }
  return events;
}

function noDevice(
  entry: Extract<TransactionalEntry, { kind: 'send.queued' }>,
): readonly FoundEvent[] {
  if (entry.targets.length > 0) return [];
  const { owner, firstEvent, atMs, person, sendId } = entry;
  return [
    receiptEvent(owner, firstEvent, atMs, 'suppressed', person, sendId, null, null, {
      reason: 'no_device',
      attempts: 0,
    }),
  ];
}

function receiptEvent(
  app: Ordinal,
  seq: number,
  atMs: number,
  name: string,
  person: PersonOrdinal,
  sendId: string,
  deviceId: string | null,
  channel: string | null,
  meta: object,
): FoundEvent {
  return {
    id: eventIdOf(app, atMs, seq),
    seq,
    name,
    person,
    deviceId,
    channel,
    sendId,
    campaignId: null,
    messageId: null,
    journeyId: null,
    atMs,
    receivedMs: atMs,
    props: null,
    meta,
  };
}

function matches(event: FoundEvent, query: EventQuery): boolean {
  if (query.beforeSeq !== undefined && event.seq >= query.beforeSeq) return false;
  if (query.person !== undefined && event.person !== query.person) return false;
  if (query.name !== undefined && event.name !== query.name) return false;
  if (query.fromMs !== undefined && event.atMs < query.fromMs) return false;
  return query.toMs === undefined || event.atMs < query.toMs;
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? null : JSON.parse(json);
}
