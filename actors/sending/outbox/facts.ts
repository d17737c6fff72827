// What entries of open sends mean: receipts are events.

import type { Millis } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { EventDraft } from '../../events/log/drafts.ts';
import {
  CodedRows,
  EntryFacts,
  type NumberedDraft,
  type WantsName,
} from '../../events/log/entry-facts.ts';
import type { FactRows } from '../../events/log/fact-rows.ts';
import type { Origin, Receipt } from '../outbox/protocol.ts';
import type { OutboxEntry } from './protocol.ts';

type EntryOf<Kind extends OutboxEntry['kind']> = Extract<OutboxEntry, { kind: Kind }>;

type SettledItem = EntryOf<'attempts.settled'>['items'][number];

type EndedItem = SettledItem & { readonly settlement: { readonly next: 'done' } };

const statuses = ['delivered', 'bounced', 'failed', 'suppressed'] as const;

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
    this.#rows = new CodedRows(statuses, codes, people, entry.atMs);
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

  override drafts(wants?: WantsName): readonly NumberedDraft[] {
    const { atMs, firstEvent } = this.entry;
    const channel = channelIds.indexOf(this.entry.channel) + 1;
    const drafts: NumberedDraft[] = [];
    this.ended.forEach(({ sendId, deviceId, settlement, origin }, i) => {
      const { status: name, person } = settlement.receipt;
      if (wants?.(name) === false) return;
      const metaJson = receiptMeta(settlement.receipt, origin?.journeyId);
      const of = origin === undefined ? undefined : referencesOf(origin);
      const seq = firstEvent + i;
      drafts.push({ seq, name, person, atMs, sendId, deviceId, channel, metaJson, ...of });
    });
    return drafts;
  }
}

export const outboxFacts = {
  'attempts.settled': (entry: EntryOf<'attempts.settled'>) => new SettledFacts(entry),
};

export function receiptMeta(
  { reason, detail, attempts, providerMessageId, test }: Omit<Receipt, 'person' | 'status'>,
  journeyId?: string,
): string {
  return JSON.stringify({ reason, detail, attempts, providerMessageId, journeyId, test });
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
