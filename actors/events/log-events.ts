// Which entries of the log are events, and the events in them as rows: tracked ones as the batch
// they came in, and the receipts of sends, which are packed into a batch when they are read. Every
// reader of the log goes through here, so that history and a page of the newest events cannot
// disagree about what an event is.

import type { Entry } from '../../engine/actor/message.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import { unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import { channelIds } from '../channels/catalog.ts';
import { readDeviceId } from '../people/audience/device-ids.ts';
import type { AudienceEntry } from '../people/audience/protocol.ts';
import { isDeferral, type SliceDecided, type WaveSettled } from '../sending/dispatch/entries.ts';
import type { Origin, Receipt, TransactionalEntry } from '../sending/transactional/protocol.ts';
import { type EventDraft, encodeDrafts } from './drafts.ts';
import { decodeBatch, type EventBatch } from './event-batch.ts';
import { rowsMax } from './event-rows.ts';
import { eventsOfMove, type MovesTold } from './journey-moves.ts';
import type { EventsEntry } from './protocol.ts';

type EntryOf<Kind extends TransactionalEntry['kind']> = Extract<
  TransactionalEntry,
  { readonly kind: Kind }
>;

const none: readonly EventBatch[] = [];

/**
 * The events that an entry stands for, in the order of their seqs; empty for an entry that is none.
 */
export function eventsOf(entry: Entry): readonly EventBatch[] {
  switch (entry.kind) {
    case 'events.tracked':
      return [decodeBatch((entry as EventsEntry).batch)];
    case 'attempts.settled':
      return receiptsOf(entry as EntryOf<'attempts.settled'>);
    case 'send.queued':
      return noDeviceOf(entry as EntryOf<'send.queued'>);
    case 'campaign.decided':
      return turnsOf(entry as SliceDecided);
    case 'wave.settled':
      return waveReceiptsOf(entry as WaveSettled);
    case 'journey.moved':
      return movesOf(entry as MovesTold);
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
  for (const { sendId, deviceId, settlement, origin } of entry.items) {
    if (settlement.next !== 'done') continue;
    const { status, person } = settlement.receipt;
    const metaJson = metaOf(settlement.receipt, origin?.journeyId);
    const of = origin === undefined ? undefined : referencesOf(origin);
    drafts.push({
      name: status,
      person,
      atMs: entry.atMs,
      sendId,
      deviceId,
      channel,
      metaJson,
      ...of,
    });
  }
  return batchesOf(drafts, entry.atMs, entry.firstEvent);
}

/** Whom a slice of a campaign left out, and whom policy holds. */
function turnsOf(entry: SliceDecided): readonly EventBatch[] {
  const { turns, codes, atMs, campaignId, messageId } = entry;
  const names = turns.map((turn) =>
    turn.turn === 'suppress'
      ? 'suppressed'
      : turn.turn === 'hold' && isDeferral(turn.reason)
        ? 'deferred'
        : undefined,
  );
  if (names.every((name) => name === undefined)) return none;
  const metas = turns.map((turn) => {
    if (turn.turn === 'suppress') return JSON.stringify({ reason: turn.reason });
    if (turn.turn !== 'hold') return undefined;
    return JSON.stringify({ reason: turn.reason, until: new Date(turn.untilMs).toISOString() });
  });
  const channel = entry.channel + 1;
  const drafts: EventDraft[] = [];
  unpackOrdinals(entry.people).forEach((person, i) => {
    const code = codes === undefined ? 0 : (codes[i] as number);
    const name = names[code];
    if (name === undefined) return;
    const metaJson = metas[code] as string;
    const draft = { name, person, atMs, campaignId, channel, metaJson };
    drafts.push(messageId === undefined ? draft : { ...draft, messageId });
  });
  return batchesOf(drafts, atMs, entry.firstEvent);
}

/** The receipts of rows of a wave. */
function waveReceiptsOf(entry: WaveSettled): readonly EventBatch[] {
  const { owner, atMs, campaignId, kinds, codes, messageIds, messages, providerIds } = entry;
  const { sendParts, devices } = entry;
  const channel = entry.channel + 1;
  const plain = kinds.map((kind) => metaOf({ ...kind, attempts: 1 }));
  const drafts: EventDraft[] = [];
  unpackOrdinals(entry.people).forEach((person, i) => {
    const code = codes === undefined ? 0 : (codes[i] as number);
    const kind = kinds[code] as (typeof kinds)[number];
    const providerMessageId = providerIds?.[i] || undefined;
    const metaJson =
      providerMessageId === undefined
        ? (plain[code] as string)
        : metaOf({ ...kind, attempts: 1, providerMessageId });
    const messageId = messageIds[messages === undefined ? 0 : (messages[i] as number)] ?? '';
    const sendId = formatId('ntf', { ...sendParts, low32: person });
    const deviceId = readDeviceId(owner, devices, i);
    const draft = { name: kind.status, person, atMs, sendId, deviceId, channel, metaJson };
    drafts.push({ ...draft, campaignId, messageId });
  });
  return batchesOf(drafts, atMs, entry.firstEvent);
}

/** What journeys say of people who moved. */
function movesOf(entry: MovesTold): readonly EventBatch[] {
  const { moves, codes, atMs, journeyId } = entry;
  const kinds = moves.map((move) =>
    eventsOfMove(move).map(({ name, meta }) => ({
      name,
      atMs,
      journeyId,
      ...(meta === undefined ? {} : { metaJson: JSON.stringify({ ...meta, journeyId }) }),
    })),
  );
  if (kinds.every(({ length }) => length === 0)) return none;
  const drafts: EventDraft[] = [];
  unpackOrdinals(entry.people).forEach((person, i) => {
    for (const kind of kinds[codes === undefined ? 0 : (codes[i] as number)] ?? [])
      drafts.push({ ...kind, person });
  });
  return batchesOf(drafts, atMs, entry.firstEvent);
}

function referencesOf({
  campaignId,
  journeyId,
  messageId,
}: Omit<Origin, 'copy'>): Partial<EventDraft> {
  return {
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(journeyId === undefined ? {} : { journeyId }),
    ...(messageId === undefined ? {} : { messageId }),
  };
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

function metaOf(
  { reason, detail, attempts, providerMessageId, test }: Omit<Receipt, 'person' | 'status'>,
  journeyId?: string,
): string {
  return JSON.stringify({ reason, detail, attempts, providerMessageId, journeyId, test });
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
