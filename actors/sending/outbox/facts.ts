// What entries of open sends mean: receipts are events.

import type { Millis } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import type { EventDraft } from '../../events/log/drafts.ts';
import {
  CodedRows,
  EntryFacts,
  type NumberedDraft,
  type WantsName,
} from '../../events/log/entry-facts.ts';
import type { FactRows } from '../../events/log/fact-rows.ts';
import type { Sender } from '../mailboxes/figures.ts';
import type { Origin, Receipt, ReceiptStatus } from '../outbox/records.ts';
import type { OutboxEntry } from './protocol.ts';

type EntryOf<Kind extends OutboxEntry['kind']> = Extract<OutboxEntry, { kind: Kind }>;

type SettledItem = EntryOf<'attempts.settled'>['items'][number];

type EndedItem = SettledItem & { readonly settlement: { readonly next: 'done' } };

const statuses = ['delivered', 'bounced', 'failed', 'suppressed', 'accepted'] as const;

/** The name of a receipt's event: what a reporting relay has accepted was sent, so far. */
export function eventOfReceipt(status: ReceiptStatus): string {
  return status === 'accepted' ? 'sent' : status;
}

export class SettledFacts extends EntryFacts {
  readonly entry: EntryOf<'attempts.settled'>;
  /** One row each. */
  readonly ended: readonly EndedItem[];
  readonly #rows: CodedRows;

  constructor(entry: EntryOf<'attempts.settled'>) {
    super();
    this.entry = entry;
    const ended = entry.items.filter(isEnded);
    const people = new Uint32Array(ended.length);
    const codes = new Uint8Array(ended.length);
    for (let row = 0; row < ended.length; row++) {
      const { person, status } = (ended[row] as EndedItem).settlement.receipt;
      people[row] = person;
      codes[row] = statuses.indexOf(status);
    }
    this.ended = ended;
    const names = statuses.map(eventOfReceipt);
    const isPlain = !ended.some(({ settlement }) => settlement.receipt.status === 'accepted');
    this.#rows = new CodedRows(isPlain ? names.slice(0, -1) : names, codes, people, entry.atMs);
  }

  override rows(): FactRows {
    return this.#rows;
  }

  override acceptedMs(): Millis {
    return this.entry.atMs;
  }

  override channel(): ChannelId {
    return this.entry.channel;
  }

  override mayEnroll(row: number): boolean {
    return this.ended[row]?.origin?.journeyId === undefined;
  }

  override isCountedBefore(row: number): boolean {
    return this.ended[row]?.wasAccepted === true;
  }

  override copiesOf(row: number): number {
    return this.ended[row]?.settlement.receipt.copies ?? 0;
  }

  override drafts(wants?: WantsName): readonly NumberedDraft[] {
    const { atMs, firstEvent } = this.entry;
    const channel = channelIds.indexOf(this.entry.channel) + 1;
    const drafts: NumberedDraft[] = [];
    this.ended.forEach(({ sendId, deviceId, settlement, origin, wasAccepted }, i) => {
      const { status, person } = settlement.receipt;
      const name = eventOfReceipt(status);
      if (wants?.(name) === false) return;
      const metaJson = receiptMeta(settlement.receipt, origin?.journeyId, wasAccepted);
      const of = origin === undefined ? undefined : referencesOf(origin);
      const seq = firstEvent + i;
      drafts.push({ seq, name, person, atMs, sendId, deviceId, channel, metaJson, ...of });
    });
    return drafts;
  }
}

/** Who sent an email, and by which relay; `undefined` if no provider was called. */
export function senderIn(
  { domain }: Pick<EntryOf<'attempts.settled'>, 'domain'>,
  { relay = serverRelay, status }: Pick<Receipt, 'relay' | 'status'>,
): Sender | undefined {
  return domain === undefined || status === 'suppressed' ? undefined : { domain, relay };
}

export const outboxFacts = {
  'attempts.settled': (entry: EntryOf<'attempts.settled'>) => new SettledFacts(entry),
};

export function receiptMeta(
  receipt: Omit<Receipt, 'person' | 'status'>,
  journeyId?: string,
  reported?: true,
): string {
  const { reason, detail, attempts, providerMessageId, test, relay, relayName } = receipt;
  const by = relayName === undefined ? {} : { relay, relayName };
  const of = { reason, detail, attempts, providerMessageId, journeyId, test, ...by };
  return JSON.stringify(reported === undefined ? of : { ...of, reported });
}

function isEnded(item: SettledItem): item is EndedItem {
  return item.settlement.next === 'done';
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
