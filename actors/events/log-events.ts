// Which entries of the log are events, and the events in them as rows: tracked ones as the batch they came in, and the
// receipts of sends, which are packed into a batch when they are read. Every reader of the log goes through here, so that
// history and a page of the newest events cannot disagree about what an event is.

import type { Entry } from '../../engine/actor/message.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import type { AudienceEntry } from '../audience/protocol.ts';
import { channelIds } from '../channels/catalog.ts';
import type { Receipt, TransactionalEntry } from '../transactional/protocol.ts';
import { type EventDraft, encodeDrafts } from './drafts.ts';
import { decodeBatch, type EventBatch } from './event-batch.ts';
import { rowsMax } from './event-rows.ts';
import type { EventsEntry } from './protocol.ts';

type EntryOf<Kind extends TransactionalEntry['kind']> = Extract<
  TransactionalEntry,
  { readonly kind: Kind }
>;

const none: readonly EventBatch[] = [];

/** The events that an entry stands for, in the order of their seqs; empty for an entry that is none. */
export function eventsOf(entry: Entry): readonly EventBatch[] {
  switch (entry.kind) {
    case 'events.tracked':
      return [decodeBatch((entry as EventsEntry).batch)];
    case 'attempts.settled':
      return receiptsOf(entry as EntryOf<'attempts.settled'>);
    case 'send.queued':
      return noDeviceOf(entry as EntryOf<'send.queued'>);
    case 'suppression.added':
      return unsubscribedOf(entry as Extract<AudienceEntry, { kind: 'suppression.added' }>);
    default:
      return none;
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

function receiptsOf(entry: EntryOf<'attempts.settled'>): readonly EventBatch[] {
  const channel = channelIds.indexOf(entry.channel) + 1;
  const drafts: EventDraft[] = [];
  for (const { sendId, deviceId, settlement } of entry.items) {
    if (settlement.next !== 'done') continue;
    const { status, person } = settlement.receipt;
    const metaJson = metaOf(settlement.receipt);
    drafts.push({ name: status, person, atMs: entry.atMs, sendId, deviceId, channel, metaJson });
  }
  return batchesOf(drafts, entry.atMs, entry.firstEvent);
}

/** A send to someone without a device has its receipt at once. */
function noDeviceOf(entry: EntryOf<'send.queued'>): readonly EventBatch[] {
  if (entry.targets.length > 0) return none;
  const { person, atMs, sendId, test } = entry;
  const metaJson = metaOf({ reason: 'no_device', attempts: 0, ...(test && { test }) });
  const draft: EventDraft = { name: 'suppressed', person, atMs, sendId, metaJson };
  return batchesOf([draft], atMs, entry.firstEvent);
}

function unsubscribedOf({
  unsubscribed,
}: Extract<AudienceEntry, { kind: 'suppression.added' }>): readonly EventBatch[] {
  if (unsubscribed === undefined || unsubscribed.people.length === 0) return none;
  const { people, atMs, firstEvent, source, reason } = unsubscribed;
  const channel = channelIds.indexOf(unsubscribed.channel) + 1;
  const metaJson = JSON.stringify({ source, reason });
  const drafts = people.map((person) => ({
    name: 'unsubscribed',
    person,
    atMs,
    channel,
    metaJson,
  }));
  return batchesOf(drafts, atMs, firstEvent);
}

function metaOf({
  reason,
  detail,
  attempts,
  providerMessageId,
  test,
}: Omit<Receipt, 'person' | 'status'>): string {
  return JSON.stringify({ reason, detail, attempts, providerMessageId, test });
}

function batchesOf(
  drafts: readonly EventDraft[],
  receivedMs: number,
  firstSeq: number,
): readonly EventBatch[] {
  const batches: EventBatch[] = [];
  for (let from = 0; from < drafts.length; from += rowsMax) {
    const some = drafts.slice(from, from + rowsMax);
    batches.push(decodeBatch(encodeDrafts(some, receivedMs, firstSeq + from)));
  }
  return batches;
}
